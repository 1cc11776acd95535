// Reads a check's output: which tests failed, and the few lines that say why. Used by the tool's reports and the loop.
import type { Failure, Span } from "./runner-findings.ts";
import { buildRunners } from "./runners-builds.ts";
import { javaScriptRunners } from "./runners-javascript.ts";
import { otherRunners } from "./runners-other.ts";

/** Characters that `condense` gives at most, and how many of them one failure and the part before the end may take. */
const maxCharacters = 12_000;
const maxPerFailure = 2_000;
const maxFailures = 8_000;
/** Beside known failures the rest of the output tells little: its last characters will do. */
const maxRest = 1_500;

/** Longer lines are cut, and of more lines the middle is not looked at: no runner prints so much about failures. */
const maxLine = 1_000;
const maxLines = 200_000;

/**
 * The names of the tests that failed, each once, as node:test, tape, tap, ava, jest, vitest, mocha, bun, pytest, unittest,
 * cargo test, go test, RSpec, Maven, Gradle and dotnet test print them; empty for other runners. Names are the same from run to run.
 */
export function failingNames(output: string): string[] {
  return [...new Set(findingsIn(linesOf(output)).failures.map(({ name }) => name))];
}

/**
 * The output for a model, at most 12,000 characters: each failure with its reason, those named in `failing` first, then
 * the end of the rest. Without known failures it is the start and the end. Colours, runner noise, internal stack lines and
 * passing tests beside known failures are left out.
 */
export function condense(output: string, failing: readonly string[]): string {
  const lines = linesOf(output);
  const { failures, redundant } = findingsIn(lines);
  const noise = noiseIn(lines);
  for (const { from, to } of redundant) for (let at = from; at < to; at++) noise.add(at);
  const useful = (span: Span) => lines.slice(span.from, span.to).filter((_, i) => !noise.has(span.from + i));

  const wanted = new Set(failing);
  const order = [...failures].sort((a, b) => Number(wanted.has(b.name)) - Number(wanted.has(a.name)));
  const reasons = reasonsOf(order, useful);
  const told = new Set(
    failures.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)),
  );
  const known = failures.length > 0;
  const rest = lines.filter(
    (line, at) =>
      !noise.has(at) && !told.has(at) && !(known && (repeating.test(line) || headsPassing(lines, at))),
  );
  const room = known ? Math.min(maxRest, maxCharacters - reasons.length - 2) : maxCharacters;
  const fits = !known && joined(rest).length <= room;
  const telling = fits ? rest : rest.filter((line) => !passing.test(line));
  const shown = telling.length > 0 ? telling : rest;
  const end = known ? lastPart(joined(shown), room) : headAndTail(joined(shown), room);
  return [reasons, end].filter((part) => part !== "").join("\n\n");
}

function findingsIn(lines: readonly string[]): { failures: Failure[]; redundant: Span[] } {
  const found = [...javaScriptRunners, ...otherRunners, ...buildRunners].map((parse) => parse(lines));
  return {
    failures: found.flatMap(({ failures }) => failures),
    redundant: found.flatMap(({ redundant }) => redundant),
  };
}

/** Lines without colours, and of those that overwrite themselves (a progress bar) the last state. */
function linesOf(output: string): string[] {
  const all = output
    .replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])/g, "")
    .replaceAll("\r\n", "\n")
    .split("\n");
  const lines = all.length > maxLines ? [...all.slice(0, maxLines / 2), ...all.slice(-maxLines / 2)] : all;
  return lines
    .map((line) => line.slice(line.lastIndexOf("\r") + 1).trimEnd())
    .map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)} […]` : line));
}

const noisy = [
  // what npm, pnpm and yarn say themselves about a script that failed
  /^npm (?:ERR!|error) (?:Lifecycle script|Test failed|code ELIFECYCLE|errno|path|workspace|location|command|A complete log)/,
  /^ ELIFECYCLE {2}|^yarn run v\d|^info Visit https:\/\/yarnpkg|^error Command failed with exit code/,
  // frames of Node itself and of packages, in stacks and in TAP
  /^\s*(?:# +)?(?:at )?(?:async )?(?:.* \()?(?:file:\/\/)?(?:node:|(?:\S*\/)?node_modules\/)\S*:\d+:\d+\)?(?: \{)?$/,
  /^\s*(?:# +)?(?:at )?(?:async )?(?:new \w+|Array\.map|Promise\.all) \((?:<anonymous>|index \d+)\)(?: \{)?$/,
  /^(?:# )?(?:node:internal\/\S+:\d+|Node\.js v\S+)$/,
  // what says nothing beside the message
  /^\s*(?:generatedMessage: true|code: 'ERR_(?:ASSERTION|TEST_FAILURE)'|operator: '[^']*'|duration_ms: .*|failureType: .*|type: '(?:suite|test)'),?$/,
  /^(?:# |ℹ )(?:(?:cancelled|skipped|todo) 0|suites \d+|duration_ms .*)$/,
  // rules, plans and headings between the tests
  /^\s*(?:---|\.\.\.|\d+\.\.\d+|─|# Subtest: .*|TAP version \d+)$/,
  /^(?:[=-]{70}|⎯{4,}.*|=+ (?:FAILURES|ERRORS) =+)$/,
  // Rust's frames outside the project
  /^\s+\d+: (?:__rustc|core|std|alloc|test|rust_out|<.*>)::.*$|^\s+at \/rustc\/|^note: Some details are omitted|^stack backtrace:$/,
];

/** Lines that only say that a test failed whose reason is told already. */
const repeating =
  /^\s*(?:[×✕✖] |→ |test .* \.\.\. FAILED$|.*\) \.\.\. (?:FAIL|ERROR)$|\S+::.* (?:FAILED|ERROR) +\[|FAIL \S+$|--- FAIL: |failures:$)/;

/** Lines about a test that passed. */
const passing =
  /^\s*(?:[✓✔√] |ok \d+|PASS\b|test .* \.\.\. ok$|--- PASS|=== RUN|ok {2}\t|\S+::.* PASSED\b|.*\) \.\.\. ok$)/;

/** A comment of TAP that only heads tests that passed. */
function headsPassing(lines: readonly string[], at: number): boolean {
  return /^# /.test(lines[at] ?? "") && /^ok \d+/.test(lines[at + 1] ?? "");
}

function noiseIn(lines: readonly string[]): Set<number> {
  const noise = new Set<number>();
  lines.forEach((line, at) => {
    if (noisy.some((pattern) => pattern.test(line))) noise.add(at);
    if (!line.startsWith("> ")) return;
    // "> name@1.0.0 test" and "> the script's body" between blank lines
    const banner = [at - 1, at, at + 1, at + 2].map((near) => lines[near] ?? "");
    if (/^\n> \S.*\n> \S.*\n$/.test(banner.join("\n"))) noise.add(at).add(at + 1);
  });
  return noise;
}

function reasonsOf(failures: readonly Failure[], useful: (span: Span) => string[]): string {
  const parts: string[] = [];
  let length = 0;
  for (const failure of failures) {
    const [first = "", ...body] = useful(failure);
    const leaf = failure.name.split(/ [>›] |::|\.(?=\w+$)/).at(-1) ?? "";
    const reason = dedented(first.includes(leaf) ? body : [first, ...body]);
    const part = `✖ ${failure.name}\n${headAndTail(joined(reason), maxPerFailure)}`.trimEnd();
    if (parts.includes(part)) continue;
    if (length + part.length > maxFailures) {
      parts.push(`[… the reasons of ${failures.length - parts.length} more failures are left out …]`);
      break;
    }
    parts.push(part);
    length += part.length + 2;
  }
  return parts.join("\n\n");
}

/** Moved left, so that the reason stands two columns in. */
function dedented(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line !== "").map((line) => line.search(/\S/));
  const by = Math.max(0, Math.min(...indents) - 2);
  return lines.map((line) => line.slice(by));
}

/** Lines as text, without blank ones around it and never two of them in a row. */
function joined(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
}

/** The last lines that fit, with a line that says how many went before. */
function lastPart(text: string, size: number): string {
  if (text.length <= size) return text;
  const lines = text.split("\n");
  let room = size - 40;
  let from = lines.length;
  while (from > 0 && (lines[from - 1] ?? "").length < room) {
    from--;
    room -= (lines[from] ?? "").length + 1;
  }
  return [`[… ${from} lines left out …]`, ...lines.slice(from)].join("\n");
}

function headAndTail(text: string, size: number): string {
  if (text.length <= size) return text;
  const head: string[] = [];
  const lines = text.split("\n");
  let used = 0;
  for (const line of lines) {
    if (used + line.length + 1 > size / 2) break;
    used += line.length + 1;
    head.push(line);
  }
  return [...head, lastPart(lines.slice(head.length).join("\n"), size - used)].join("\n");
}
