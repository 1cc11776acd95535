// What is found in a test runner's output: who failed, and which lines tell why. Filled by the parsers in
// runners-javascript.ts and runners-other.ts, read by check-output.ts.

/** Lines `from` up to, not including, `to`. */
export interface Span {
  from: number;
  to: number;
}

export interface Failure extends Span {
  /** The test's name with its suites, without what differs from run to run (durations, numbers). */
  name: string;
}

interface Findings {
  failures: Failure[];
  /** Lines that only repeat what the failures say. */
  redundant: Span[];
}

/** Looks for one runner's failures in the lines of an output; finds nothing in another's. */
export type RunnerParser = (lines: readonly string[]) => Findings;

/** The first line after `from` that matches, or the number of lines. */
export function nextMatch(lines: readonly string[], from: number, pattern: RegExp): number {
  for (let at = from + 1; at < lines.length; at++) if (pattern.test(lines[at] ?? "")) return at;
  return lines.length;
}

/** The end of the block below a heading: what follows it and is blank or indented deeper than `indent`. */
export function blockEnd(lines: readonly string[], heading: number, indent: number): number {
  let end = heading + 1;
  for (let at = end; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    if (line.search(/\S/) <= indent) break;
    end = at + 1;
  }
  return end;
}
