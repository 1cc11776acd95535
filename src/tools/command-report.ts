// Model-facing words about programs that ran. Used by src/agent/perform-command.ts; tested with real runner output.
import { safeText } from "../policy/safe-text.ts";
import { framed } from "../policy/untrusted.ts";
import type { CheckResult } from "../protocol/fact.ts";
import type { CommandContent } from "../protocol/proposal.ts";
import { sha256 } from "../util/hash.ts";
import { condense, failingNames } from "../workspace/check-output.ts";
import type { ProcessEnd } from "../workspace/process.ts";

/** How one program ended; `spawnError` says why it could not be started. */
export type ProgramEnd = Omit<ProcessEnd, "outputBytes">;

const NAMES_SHOWN = 20;
/** Bytes of output from which on a result may leave something out. */
const longOutput = 50_000;

/** What a plain command did: each program's line, its output, and what it changed. */
export function commandReport(
  content: CommandContent,
  ends: readonly ProgramEnd[],
  changed: readonly string[],
  /** Its number, where the model can page through what is left out here. */
  seq: number | null = null,
): string {
  const parts = ends.flatMap((end, i) => [
    `${content.shell === undefined ? content.commands[i]?.argv.join(" ") : "The command line"}: ${howItEnded(end)}`,
    outputText(safeText(startAndEnd(end.output))) || "(no output)",
  ]);
  const long = ends.some(({ output }) => output.length > longOutput);
  const paging = seq !== null && long ? [`All of it, line by line: read_output {"seq":${seq}}`] : [];
  return [...paging, ...parts, ...changedLine(changed)].join("\n");
}

export function checkReport(check: {
  label: string;
  ends: readonly ProgramEnd[];
  verdict: CheckResult;
  failing: readonly string[];
  changed: readonly string[];
  /** It failed, but only as it did before our change. */
  before: boolean;
}): string {
  const { label, ends, verdict, failing, changed, before } = check;
  const last = ends.at(-1);
  const head = `The check \`${label}\` ${words[verdict]}: ${last ? howItEnded(last) : "nothing was started"}.`;
  const lines = [head];
  if (verdict === "failed" && failing.length > 0) {
    lines.push(`Failing (${failing.length}):`, ...failing.slice(0, NAMES_SHOWN).map((name) => `- ${name}`));
    if (failing.length > NAMES_SHOWN) lines.push(`- and ${failing.length - NAMES_SHOWN} more`);
  }
  if (before) lines.push("All of this failed before your change too.");
  if (verdict !== "passed") {
    const output = safeText(outputOf(ends));
    const text = outputText(condense(output, [...failing]));
    if (text) lines.push(text);
  }
  return [...lines, ...changedLine(changed)].join("\n");
}

/** As much of an output as any result can hold; the rest need not be looked through. */
function startAndEnd(output: Buffer): string {
  if (output.length <= 4 * longOutput) return output.toString("utf8");
  const left = output.length - 4 * longOutput;
  const part = (from: number, to?: number): string => output.subarray(from, to).toString("utf8");
  return `${part(0, 2 * longOutput)}\n… ${left} bytes left out here …\n${part(-2 * longOutput)}`;
}

/** What programs print is theirs, not ours: between marks that it cannot forge, which name it by its own content (TH64). */
function outputText(output: string): string {
  const text = output.trimEnd();
  return text === "" ? "" : framed("output", text, sha256(text).slice(0, 8));
}

const words: Record<CheckResult, string> = {
  passed: "passed",
  failed: "failed",
  could_not_run: "could not run",
  timed_out: "ran out of time",
  cancelled: "was cancelled",
};

function howItEnded(end: ProgramEnd): string {
  const time = `${(end.ms / 1000).toFixed(1)} s`;
  const left =
    end.leftBehind > 0 ? `; ${end.leftBehind} background process(es) were left and have been ended` : "";
  if (end.spawnError !== undefined) return `not started (${end.spawnError})`;
  if (end.cancelled) return `cancelled after ${time}${left}`;
  if (end.timedOut) return `stopped at the time limit, after ${time}${left}`;
  return `${end.exit === null ? `ended by ${end.signal}` : `exit ${end.exit}`}, ${time}${left}`;
}

function changedLine(changed: readonly string[]): string[] {
  return changed.length > 0 ? [`This run changed: ${changed.join(", ")}`] : [];
}

/** What a check's programs say together, and the names of the tests that failed (none where the runner is unknown). */
export function verdictOf(ends: readonly ProgramEnd[]): { verdict: CheckResult; failing: string[] } {
  const last = ends.at(-1);
  const without = (verdict: CheckResult) => ({ verdict, failing: [] });
  if (!last) return without("could_not_run");
  if (last.cancelled) return without("cancelled");
  if (last.timedOut) return without("timed_out");
  if (last.exit === 0) return without("passed");
  if (last.spawnError !== undefined || last.exit === 126 || last.exit === 127)
    return without("could_not_run");
  const output = outputOf(ends);
  const failing = failingNames(output);
  // A test that failed was run, whatever it printed.
  if (failing.length === 0 && nothingRan.test(output)) return without("could_not_run");
  return { verdict: "failed", failing };
}

/** The runner is missing, or it found no tests: this says nothing about the code. */
const nothingRan = /No module named pytest|command not found|ERR! missing script|no tests ran in/i;

function outputOf(ends: readonly ProgramEnd[]): string {
  return ends.map((end) => end.output.toString("utf8")).join("\n");
}
