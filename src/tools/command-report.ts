// Model-facing words about programs that ran. Used by src/agent/perform-command.ts; tested with real runner output.
import { safeText } from "../policy/safe-text.ts";
import type { CheckResult } from "../protocol/fact.ts";
import type { CommandContent } from "../protocol/proposal.ts";
import { condense, failingNames } from "../workspace/check-output.ts";

interface Ended {
  exit: number | null;
  signal: string | null;
  ms: number;
  timedOut: boolean;
  cancelled: boolean;
  output: Buffer;
  leftBehind: number;
  problem?: string;
}

const NAMES_SHOWN = 20;

/** What a plain command did: each program's line, its output, and what it changed. */
export function commandReport(
  content: CommandContent,
  ends: readonly Ended[],
  changed: readonly string[],
): string {
  const parts = ends.flatMap((end, i) => [
    `${content.commands[i]?.argv.join(" ")}: ${howItEnded(end)}`,
    safeText(end.output.toString("utf8")).trimEnd() || "(no output)",
  ]);
  return [...parts, ...changedLine(changed)].join("\n");
}

export function checkReport(check: {
  label: string;
  ends: readonly Ended[];
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
    const output = safeText(ends.map((e) => e.output.toString("utf8")).join("\n"));
    const text = condense(output, [...failing]).trimEnd();
    if (text) lines.push("Output:", text);
  }
  return [...lines, ...changedLine(changed)].join("\n");
}

const words: Record<CheckResult, string> = {
  passed: "passed",
  failed: "failed",
  could_not_run: "could not run",
  timed_out: "ran out of time",
  cancelled: "was cancelled",
};

function howItEnded(end: Ended): string {
  const time = `${(end.ms / 1000).toFixed(1)} s`;
  const left =
    end.leftBehind > 0 ? `; ${end.leftBehind} background process(es) were left and have been ended` : "";
  if (end.problem !== undefined) return `not started (${end.problem})`;
  if (end.cancelled) return `cancelled after ${time}${left}`;
  if (end.timedOut) return `stopped at the time limit, after ${time}${left}`;
  return `${end.exit === null ? `ended by ${end.signal}` : `exit ${end.exit}`}, ${time}${left}`;
}

function changedLine(changed: readonly string[]): string[] {
  return changed.length > 0 ? [`This run changed: ${changed.join(", ")}`] : [];
}

/** Whether a failed check says nothing about the code: its runner is missing, or it found no tests. */
export function couldNotRun(end: Ended, output: string): boolean {
  if (end.problem !== undefined || end.exit === 126 || end.exit === 127) return true;
  // A test that failed was run, whatever it printed.
  if (failingNames(output).length > 0) return false;
  return /No module named pytest|command not found|ERR! missing script|no tests ran in/i.test(output);
}

/** Failing test names, as the common runners print them; empty when the runner is not one of them. */
export function failingIn(output: string): string[] {
  return failingNames(output);
}
