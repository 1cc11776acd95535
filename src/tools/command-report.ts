// Model-facing words about programs that ran. Used by src/agent/perform-command.ts; tested with real runner output.
import { constants } from "node:os";
import { safeText } from "../policy/safe-text.ts";
import type { CheckResult } from "../protocol/fact.ts";
import type { CommandContent, Confinement } from "../protocol/proposal.ts";
import { condense, failingNames } from "../workspace/check-output.ts";
import type { ProcessEnd } from "../workspace/process.ts";
import { countLineEnds, outputText, shownOutput } from "./command-output.ts";
import { sandboxHints } from "./sandbox-hint.ts";

/** How one program ended; `spawnError` says why it could not be started. */
export type ProgramEnd = ProcessEnd;

const NAMES_SHOWN = 20;
/** Characters more than are shown, from which on a check's output is worth paging through. */
const MUCH_MORE = 500;

/** What a plain command did: each program's line, its output, and what it changed. */
export function commandReport(
  content: CommandContent,
  ends: readonly ProgramEnd[],
  changed: readonly string[],
  /** Its number, where the model can page through what is left out here. */
  seq: number | null = null,
): string {
  let line = 0;
  const parts = ends.flatMap((end, i) => {
    const { text, leftOut } = shownOutput(end.output, end.outputBytes);
    const next = leftOut === null || seq === null ? [] : [`The rest: ${pages(seq, line + leftOut.line)}`];
    if (i < ends.length - 1) line += countLineEnds(end.output);
    const name = content.shell === undefined ? content.commands[i]?.argv.join(" ") : "The command line";
    return [`${name}: ${howItEnded(end)}`, text || "(no output)", ...next];
  });
  return [...parts, ...hints(content.sandbox, ends), ...changedLine(changed)].join("\n");
}

export function checkReport(check: {
  label: string;
  ends: readonly ProgramEnd[];
  verdict: CheckResult;
  failing: readonly string[];
  changed: readonly string[];
  /** It failed, but only as it did before our change. */
  before: boolean;
  sandbox: Confinement;
  /** As in `commandReport`. */
  seq: number | null;
}): string {
  const { label, ends, verdict, failing, changed, before, sandbox, seq } = check;
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
    const short = condense(output, [...failing]);
    const text = outputText(short);
    if (text) lines.push(text);
    if (seq !== null && output.length > short.length + MUCH_MORE) lines.push(`All of it: ${pages(seq, 1)}`);
    lines.push(...hints(sandbox, ends));
  }
  return [...lines, ...changedLine(changed)].join("\n");
}

function pages(seq: number, start: number): string {
  return `read_output ${JSON.stringify(start === 1 ? { seq } : { seq, start })}`;
}

function hints(sandbox: Confinement, ends: readonly ProgramEnd[]): string[] {
  const last = ends.at(-1);
  if (last === undefined || last.cancelled || last.exit === 0) return [];
  return sandboxHints(sandbox, shownOutput(last.output, last.outputBytes).text);
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
  return `${end.exit === null ? `ended by ${end.signal}` : `exit ${end.exit}${signalIn(end.exit)}`}, ${time}${left}`;
}

/** Shells and the sandbox tell of a signal by a code over 128. */
function signalIn(exit: number): string {
  const name = Object.entries(constants.signals).find(([, number]) => number === exit - 128)?.[0];
  return name === undefined ? "" : ` (128 + ${name})`;
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
