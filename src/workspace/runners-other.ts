// Failures in the output of pytest, unittest, cargo test and go test. Used by check-output.ts.
import { blockEnd, type Failure, nextMatch, type RunnerParser, type Span } from "./runner-findings.ts";

/** The short summary names the tests; "____ TestClass.test ____" heads the reason of each. */
const pytest: RunnerParser = (lines) => {
  const heading = /^_{3,} (?:ERROR (?:at \w+ of|collecting) )?(.+?) _{3,}$/;
  const headings = lines.flatMap((line, from) => {
    const name = heading.exec(line)?.[1];
    return name === undefined ? [] : [{ name, from, to: nextMatch(lines, from, /^_{3,} .* _{3,}$|^={3,}/) }];
  });
  const summary = lines.findIndex((line) => /^=+ short test summary info =+$/.test(line));
  if (summary < 0) {
    const isPytest = lines.some((line) => /^=+ (?:FAILURES|ERRORS) =+$/.test(line));
    return { failures: isPytest ? headings : [], redundant: [] };
  }
  const failures: Failure[] = [];
  for (let at = summary + 1; at < lines.length; at++) {
    // "FAILED path.py::Class::test[a - b] - reason"; a broken file has its path alone.
    const name = /^(?:FAILED|ERROR) (.+?\.py(?:::[^\s[]+(?:\[.*?\](?= - |$))?)?)(?: - |$)/.exec(
      lines[at] ?? "",
    )?.[1];
    if (name === undefined) continue;
    const [path = "", ...inFile] = name.split("::");
    const title = inFile.length === 0 ? path : inFile.join(".");
    const block = headings.find(
      (head) => head.name === title && !failures.some(({ from }) => from === head.from),
    );
    failures.push({ name, from: block?.from ?? at, to: block?.to ?? at + 1 });
  }
  return {
    failures,
    redundant: failures.length > 0 ? [{ from: summary, to: summary + 1 + failures.length }] : [],
  };
};

/** "FAIL: test (module.Class.test) (subtest)" between two rules, then the traceback. */
const unittest: RunnerParser = (lines) => {
  const failures: Failure[] = [];
  lines.forEach((line, from) => {
    const name = /^(?:FAIL|ERROR): (.+)$/.exec(line)?.[1];
    if (name === undefined || !/^={70}$/.test(lines[from - 1] ?? "")) return;
    const trace = nextMatch(lines, from, /^-{70}$/);
    failures.push({ name, from, to: nextMatch(lines, trace, /^={70}$|^-{70}$/) });
  });
  return { failures, redundant: [] };
};

/** "failures:" with a list of names ends each test program; "---- name stdout ----" heads the reason of each. */
const cargo: RunnerParser = (lines) => {
  const failures: Failure[] = [];
  const redundant: Span[] = [];
  lines.forEach((line, at) => {
    if (line !== "failures:") return;
    let item = at + 1;
    for (; /^ {4}\S/.test(lines[item] ?? ""); item++) {
      const title = (lines[item] ?? "").trim();
      const block = lines.lastIndexOf(`---- ${title} stdout ----`, at);
      // A documentation test is named by its line, which moves with every edit above it.
      const name = title.replace(/ \(line \d+\)$/, "");
      const to = block < 0 ? item + 1 : nextMatch(lines, block, /^---- .* stdout ----$|^failures:$/);
      failures.push({ name, from: block < 0 ? item : block, to });
    }
    redundant.push({ from: at, to: item });
  });
  return { failures, redundant };
};

/** "--- FAIL: Test/sub (0.00s)" with its log below, or before it with -v; "FAIL package" closes each package. */
const go: RunnerParser = (lines) => {
  const failures: Failure[] = [];
  let open: Failure[] = [];
  lines.forEach((line, at) => {
    const failed = /^(\s*)--- FAIL: (\S+) \([\d.]+s\)$/.exec(line);
    if (failed !== null) {
      const [, indent = "", name = ""] = failed;
      const run = lines.lastIndexOf(`=== RUN   ${name}`, at);
      const panics = lines[at + 1]?.startsWith("panic: ") === true;
      if (panics) open.push({ name, from: at, to: nextMatch(lines, at, /^FAIL\t/) });
      else if (run < 0) open.push({ name, from: at, to: blockEnd(lines, at, indent.length) });
      else open.push({ name, from: run, to: nextMatch(lines, run, /^=== |^\s*--- /) });
    }
    const closed = /^FAIL\t(\S+)(?:\t[\d.]+s| (\[.*\]))$/.exec(line);
    if (closed !== null) {
      const [, name = "", why] = closed;
      const leaves = open.filter((one) => !open.some((other) => other.name.startsWith(`${one.name}/`)));
      if (leaves.length === 0) failures.push({ name: why ? `${name} ${why}` : name, from: at, to: at + 1 });
      failures.push(...leaves.map((leaf) => ({ ...leaf, name: `${name}.${leaf.name}` })));
      open = [];
    }
  });
  return { failures, redundant: [] };
};

export const otherRunners: readonly RunnerParser[] = [pytest, unittest, cargo, go];
