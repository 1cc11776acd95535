import { describe, expect, it } from "vitest";
import { classifyArgv } from "../../src/policy/command.ts";
import { classOf } from "../../src/policy/command-class.ts";
import { labelledCommands } from "./labelled-commands.ts";
import { fault, hasBox, isApproved, judge } from "./oracle.ts";
import { hostileTexts } from "./oracle-corpus.ts";

describe.each(Object.entries(hostileTexts))("%s", (_, texts) => {
  it.each(texts)("%j is asked", (text) => {
    expect(isApproved(text)).toBe(false);
  });
});

it("the corpus is hostile: by real bash most of it runs what must not run", async () => {
  const texts = Object.values(hostileTexts).flat();
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.length).toBeGreaterThanOrEqual(170);
  // Nothing here can be run by name, but a path can: only inside of the box. In it every command succeeds, and loops.
  const run = hasBox() ? texts.filter((text) => !text.startsWith("while ") && !text.includes("\0")) : [];
  const { ran } = await judge(run);
  const bad = run.filter((_, i) => ran[i]?.some(({ argv }) => classOf(classifyArgv(argv)) !== "read-only"));
  console.info(
    `hostile inputs: ${texts.length}, none approved; bash would run more than reads in ${bad.length} of ${run.length}`,
  );
  expect(bad.length).toBeGreaterThanOrEqual(hasBox() ? 100 : 0);
});

it("what passes without a question runs the commands that were seen, and changes nothing", async () => {
  const approved = Object.values(labelledCommands).flat().filter(isApproved);
  expect(approved.length).toBeGreaterThan(100);
  const { ran, changed } = await judge(approved);
  expect(approved.map((text, i) => fault(text, ran[i] ?? [])).filter((wrong) => wrong !== null)).toEqual([]);
  expect(changed).toEqual([]);
});

it("the judge sees what it should: commands in substitutions, words without quotes, writes", async () => {
  const { ran, changed } = await judge([
    "echo $(rm x)",
    "r''m 'a b' \\c",
    "printf -v 'a[$(rm x)]' y",
    "ls > made",
  ]);
  expect(ran.map((one) => one.map(({ argv }) => argv))).toEqual([
    [["rm", "x"], ["echo"]],
    [["rm", "a b", "c"]],
    [["printf", "-v", "a[$(rm x)]", "y"]],
    [["ls"]],
  ]);
  expect(changed).toEqual([expect.stringMatching(/^made /)]);
});

it("a fault is one: a command not seen, other words, another folder, one that did not run", () => {
  const [echo, cat] = [
    { argv: ["echo", "a"], cwd: "." },
    { argv: ["cat", "a"], cwd: "src" },
  ];
  expect(fault("echo a; cd src && cat a", [echo, { argv: ["cd", "src"], cwd: "." }, cat])).toBeNull();
  expect(fault("echo a", [{ argv: ["rm", "a"], cwd: "." }])).toContain("runs");
  expect(fault("echo a", [{ argv: ["echo", "a", ""], cwd: "." }])).toContain("runs");
  expect(fault("echo a", [{ argv: ["echo", "a"], cwd: null }])).toContain("runs");
  expect(fault("cd src && cat a", [{ argv: ["cat", "a"], cwd: "." }])).toContain("runs");
  expect(fault("echo a; echo a", [echo])).toContain("2 parts, bash ran 1");
});
