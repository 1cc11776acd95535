// Failures in the output of node:test (TAP and spec), tape, tap, ava, jest, vitest and mocha. Used by check-output.ts.
import { blockEnd, type Failure, nextMatch, type RunnerParser, type Span } from "./runner-findings.ts";

/** TAP with subtests indented by four, as node:test and tap write it, and the flat TAP of tape and ava. */
const tap: RunnerParser = (lines) => {
  const failures: Failure[] = [];
  const redundant: Span[] = [];
  /** By depth: the open subtest's name, and whether something in it failed. */
  const names: string[] = [];
  const failedBelow: boolean[] = [];
  let comment = "";

  lines.forEach((line, from) => {
    const subtest = /^((?: {4})*)# Subtest: (.*)$/.exec(line);
    if (subtest !== null) {
      const depth = (subtest[1] ?? "").length / 4;
      names.splice(depth, Infinity, tapName(subtest[2] ?? ""));
      failedBelow[depth] = false;
      return;
    }
    comment = /^# (.*)$/.exec(line)?.[1] ?? comment;
    const result = /^((?: {4})*)not ok \d+( - | )(.*)$/.exec(line);
    if (result === null || /(?<!\\)# (?:TODO|SKIP)\b/i.test(line)) return;
    const [, indent = "", dash, title = ""] = result;
    const depth = indent.length / 4;
    const span = { from, to: diagnosticEnd(lines, from) };
    const isParent = failedBelow[depth] === true;
    failedBelow[depth] = false;
    for (let above = 0; above < depth; above++) failedBelow[above] = true;
    if (isParent) {
      redundant.push(span);
      return;
    }
    // tape has no " - " and names the test in a comment before its assertions.
    const group = dash === " " ? [comment] : names.slice(0, depth);
    failures.push({ name: [...group, tapName(title)].filter(Boolean).join(" > "), ...span });
  });
  return { failures, redundant };
};

function tapName(title: string): string {
  return title
    .replace(/ # time=\S+$/, "")
    .replace(/ \{$/, "")
    .replace(/\\([#\\])/g, "$1");
}

/** The YAML block after a result, from "---" to "...". */
function diagnosticEnd(lines: readonly string[], result: number): number {
  if (!/^\s+---$/.test(lines[result + 1] ?? "")) return result + 1;
  return Math.min(lines.length, nextMatch(lines, result, /^\s+\.\.\.$/) + 1);
}

/** node:test's spec reporter: "▶ suite", "✖ test (1.2ms)" with the reason below, and all of it again at the end. */
const nodeSpec: RunnerParser = (lines) => {
  const failures: Failure[] = [];
  const redundant: Span[] = [];
  const names: string[] = [];
  const failedBelow: boolean[] = [];
  const again = lines.findIndex((line) => /^✖ failing tests:$/.test(line));
  const end = again < 0 ? lines.length : again;
  for (let from = 0; from < end; from++) {
    const line = lines[from] ?? "";
    const suite = /^((?: {2})*)▶ (.*)$/.exec(line);
    if (suite !== null) {
      const depth = (suite[1] ?? "").length / 2;
      names.splice(depth, Infinity, suite[2] ?? "");
      failedBelow[depth] = false;
      continue;
    }
    const result = /^((?: {2})*)✖ (.*) \([\d.]+ms\)$/.exec(line);
    if (result === null) continue;
    const [, indent = "", title = ""] = result;
    const depth = indent.length / 2;
    const isParent = names[depth] === title && failedBelow[depth] === true;
    for (let above = 0; above < depth; above++) failedBelow[above] = true;
    if (isParent) {
      failedBelow[depth] = false;
      redundant.push({ from, to: from + 1 });
    } else {
      const name = [...names.slice(0, depth), title].join(" > ");
      failures.push({ name, from, to: blockEnd(lines, from, indent.length) });
    }
  }
  if (failures.length > 0 && again >= 0) redundant.push({ from: again, to: lines.length });
  return { failures, redundant };
};

/** "FAIL file", then "  ● suite › test" with the reason below. */
const jest: RunnerParser = (lines) => {
  const failures: Failure[] = [];
  let file: string | null = null;
  lines.forEach((line, from) => {
    const heading = /^(FAIL|PASS) (?:.* )?(\S+\.\w+)(?: \([\d.]+ m?s\))?$/.exec(line);
    if (heading !== null) file = heading[1] === "FAIL" ? (heading[2] ?? "") : null;
    if (/^Test Suites: /.test(line)) file = null;
    const title = /^ {2}● (.+)$/.exec(line)?.[1];
    if (file === null || title === undefined || title === "Console") return;
    const to = nextMatch(lines, from, /^ {2}● |^(?:FAIL|PASS) |^Test Suites: /);
    failures.push({ name: title === "Test suite failed to run" ? file : `${file} › ${title}`, from, to });
  });
  return { failures, redundant: [] };
};

/** " FAIL  file > suite > test", several of them when they failed for the same reason, then the reason. */
const vitest: RunnerParser = (lines) => {
  const failures: Failure[] = [];
  lines.forEach((line, from) => {
    const title = /^ FAIL {2}(.+)$/.exec(line)?.[1];
    if (title === undefined) return;
    const reason = nextMatch(lines, from, /^(?! FAIL {2})/);
    const to = nextMatch(lines, reason, /^ FAIL {2}|^⎯{4,}/);
    failures.push({ name: title.replace(/ \[ .* \]$/, ""), from, to });
  });
  return { failures, redundant: [] };
};

/** After "N failing": "  1) suite", each deeper name on its own line, the last with a colon; then the reason. */
const mocha: RunnerParser = (lines) => {
  const failures: Failure[] = [];
  const redundant: Span[] = [];
  const summary = lines.findIndex((line) => /^ {2}\d+ failing$/.test(line));
  if (summary < 0) return { failures, redundant };
  for (let from = summary + 1; from < lines.length; from++) {
    const first = /^ {2}\d+\) (.+)$/.exec(lines[from] ?? "")?.[1];
    if (first === undefined) continue;
    const titles = [first];
    let last = from;
    while (!titles.at(-1)?.endsWith(":") && /^ {7,}\S/.test(lines[last + 1] ?? "")) {
      titles.push((lines[++last] ?? "").trim());
    }
    const name = titles.join(" > ").replace(/:$/, "");
    redundant.push({ from, to: last });
    failures.push({ name, from: last, to: nextMatch(lines, from, /^ {2}\d+\) /) });
  }
  lines.slice(0, summary).forEach((line, from) => {
    if (/^\s+\d+\) /.test(line)) redundant.push({ from, to: from + 1 });
  });
  return { failures, redundant };
};

/** "✘ [fail]: file › test message", then after a rule each title alone with the reason below. */
const ava: RunnerParser = (lines) => {
  const failed = lines.flatMap((line) => /^ {2}✘ \[fail\]: (.+)$/.exec(line)?.[1] ?? []);
  const rule = lines.findIndex((line) => /^ {2}─$/.test(line));
  if (failed.length === 0 || rule < 0) return { failures: [], redundant: [] };
  const headings = lines.flatMap((line, at) => {
    const title = /^ {2}(\S.*)$/.exec(line)?.[1];
    const isOne =
      at > rule && title !== undefined && failed.some((one) => one === title || one.startsWith(`${title} `));
    return isOne ? [{ name: title, from: at }] : [];
  });
  const end = nextMatch(lines, rule, /^ {2}─$/);
  const failures = headings.map((heading, i) => ({ ...heading, to: headings[i + 1]?.from ?? end }));
  const redundant = lines.flatMap((line, from) =>
    /^ {2}✘ \[fail\]: /.test(line) ? [{ from, to: from + 1 }] : [],
  );
  return { failures, redundant };
};

export const javaScriptRunners: readonly RunnerParser[] = [tap, nodeSpec, jest, vitest, mocha, ava];
