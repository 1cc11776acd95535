// Failures in the output of bun, RSpec, Maven (Surefire), Gradle and dotnet test. Used by check-output.ts.
import { blockEnd, type Failure, nextMatch, type RunnerParser, type Span } from "./runner-findings.ts";

/** "(fail) suite > test [0.2ms]" closes a block that begins after the test before it; a file's name stands over its tests. */
const bun: RunnerParser = (lines) => {
  const failures: Failure[] = [];
  let file = "";
  let from = 0;
  let told = 0;
  lines.forEach((line, at) => {
    const heading = /^(\S+\.[cm]?[jt]sx?):$/.exec(line)?.[1];
    if (heading !== undefined) {
      file = heading;
      told = failures.length;
    }
    if (heading !== undefined || /^\((?:pass|skip|todo)\) /.test(line)) from = at + 1;
    const name = /^\(fail\) (.+?)(?: \[[\d.]+ ?m?s\])?$/.exec(line)?.[1];
    if (name !== undefined) {
      failures.push({ name: `${file} > ${name}`, from, to: at + 1 });
      from = at + 1;
    }
    if (line === "# Unhandled error between tests" && failures.length === told) {
      failures.push({ name: file, from: at, to: nextMatch(lines, at + 1, /^-{10,}$/) + 1 });
    }
  });
  // Headings like these alone are no sign of bun.
  return { failures: lines.some((line) => /^bun test v\d/.test(line)) ? failures : [], redundant: [] };
};

/** "  1) name" heads each reason; "rspec file:line # name" at the end says where it stands. */
const rspec: RunnerParser = (lines) => {
  const list = lines.indexOf("Failed examples:");
  if (list < 0) return { failures: [], redundant: [] };
  const blocks = lines.flatMap((line, from) => {
    const title = /^ {2}\d+\) (.+)$/.exec(line)?.[1];
    if (title === undefined) return [];
    return [{ title, from, to: nextMatch(lines, from, /^ {2}\d+\) |^Finished in |^Failed examples:$/) }];
  });
  const failures: Failure[] = [];
  let end = list + 1;
  for (let at = list + 1; at < lines.length; at++) {
    const found = /^rspec (\S+?)(?::\d+|\[[\d:]+\]) # (.+)$/.exec(lines[at] ?? "");
    if (found === null) continue;
    const [, path = "", title = ""] = found;
    const used = (block: Span): boolean => failures.some(({ from }) => from === block.from);
    const block = blocks.find((one) => one.title === title && !used(one));
    failures.push({ name: `${path} ${title}`, from: block?.from ?? at, to: block?.to ?? at + 1 });
    end = at + 1;
  }
  return { failures, redundant: [{ from: list, to: end }] };
};

/** "[ERROR] package.Class.test -- Time elapsed: … <<< FAILURE!", in older releases "[ERROR] test(package.Class)  Time elapsed: …". */
const maven: RunnerParser = (lines) => {
  const failures: Failure[] = [];
  lines.forEach((line, from) => {
    const found = /^\[ERROR\]\s+(.+?)(?:\((\S+?)\))?\s+(?:-- )?Time elapsed: .* <<< (?:FAILURE|ERROR)!$/.exec(
      line,
    );
    const [, name = "", inClass] = found ?? [];
    if (found === null || name.startsWith("Tests run:")) return;
    const to = nextMatch(lines, from, /^\[(?:ERROR|INFO|WARNING)\]/);
    failures.push({ name: inClass === undefined ? name : `${inClass}.${name}`, from, to });
  });
  const results = lines.findIndex((line) => /^\[INFO\] Results:$/.test(line));
  const redundant = failures.length > 0 && results >= 0 ? [{ from: results, to: lines.length }] : [];
  return { failures, redundant };
};

/** "Class > test() FAILED" with its reason indented below; a task that failed looks alike and is none. */
const gradle: RunnerParser = (lines) => {
  const failures = lines.flatMap((line, from): Failure[] => {
    const name = /^(?!> )(\S.* > .+) FAILED$/.exec(line)?.[1];
    return name === undefined ? [] : [{ name, from, to: blockEnd(lines, from, 0) }];
  });
  return { failures, redundant: [] };
};

/** "  Failed Namespace.Class.Test [12 ms]", then the message and the stack, up to the next test or the summary. */
const dotnet: RunnerParser = (lines) => {
  const failures = lines.flatMap((line, from): Failure[] => {
    const name = /^ {2}Failed (\S.*?) \[[<\d][^\]]*\]$/.exec(line)?.[1];
    if (name === undefined) return [];
    return [
      {
        name,
        from,
        to: nextMatch(lines, from, /^ {2}(?:Failed|Passed|Skipped) \S|^(?:Failed|Passed)!|^\[xUnit/),
      },
    ];
  });
  return { failures, redundant: [] };
};

export const buildRunners: readonly RunnerParser[] = [bun, rspec, maven, gradle, dotnet];
