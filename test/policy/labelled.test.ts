import { expect, it } from "vitest";
import { type CommandClass, classOf, commandClasses } from "../../src/policy/command-class.ts";
import { classifyShell } from "../../src/policy/shell.ts";
import { labelledCommands } from "./labelled-commands.ts";

const labelled = commandClasses.flatMap((label) =>
  labelledCommands[label].map((text) => ({ label, text, found: classOf(classifyShell(text).traits) })),
);

function rank(name: CommandClass): number {
  return commandClasses.indexOf(name);
}

it("more than four of five simple reads pass without a question, by their text alone", () => {
  const reads = labelled.filter(({ label }) => label === "read-only");
  const passed = reads.filter(({ found }) => found === "read-only");
  console.info(
    `labelled set: ${labelled.length} commands, ${reads.length} simple reads, ${passed.length} pass (${Math.round((100 * passed.length) / reads.length)} %)`,
  );
  expect(labelled.length).toBeGreaterThanOrEqual(200);
  expect(new Set(labelled.map(({ text }) => text)).size).toBe(labelled.length);
  expect(passed.length / reads.length).toBeGreaterThanOrEqual(0.8);
});

it.each(labelled.filter(({ label }) => label !== "read-only"))(
  "$text is no less than $label",
  ({ label, found }) => {
    expect(rank(found)).toBeGreaterThanOrEqual(rank(label));
  },
);

it("the simple reads that ask", () => {
  expect(
    labelled.flatMap(({ label, text, found }) =>
      label === "read-only" && found !== label ? [`${text}: ${found}`] : [],
    ),
  ).toMatchInlineSnapshot(`
    [
      "ls -d */: shell-write",
      "ls *.json: shell-write",
      "grep -rn TODO src: shell-write",
      "grep -rn 'useState' src --include='*.tsx': shell-write",
      "grep -r foo .: shell-write",
      "grep -rl legacy lib test: shell-write",
      "rg TODO: shell-write",
      "rg -n 'function parse' src: shell-write",
      "rg -l useEffect src/components: shell-write",
      "rg -t ts 'interface Props': shell-write",
      "find . -name '*.go' | xargs wc -l: shell-write",
      "find . -name '*.md' -exec head -1 {} \\;: shell-write",
      "diff <(sort a) <(sort b): shell-write",
      "file dist/*: shell-write",
      "echo $HOME: shell-write",
      "sed -n '/start/,/end/p' src/app.ts: shell-write",
      "awk -F, 'NR>1 {s+=$2} END {print s}' data.csv: shell-write",
      "jq '.dependencies | keys' package.json: shell-write",
      "test -f package.json && cat package.json: shell-write",
      "[ -d src ] && ls src: shell-write",
    ]
  `);
});

it("says how long it takes", () => {
  const times = Array.from({ length: 10 }, () => labelled)
    .flat()
    .map(({ text }) => {
      const start = performance.now();
      classifyShell(text);
      return performance.now() - start;
    });
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(3);
  console.info(`classifying the labelled set: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
  expect(times.length).toBe(labelled.length * 10);
});
