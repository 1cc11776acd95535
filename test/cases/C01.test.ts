import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git, repository, write } from "../workspace/git-fixture.ts";
import { expectRefused, runCase } from "./support.ts";

const writes = [
  ["diff", "--output=pwn.txt"],
  ["log", "-1", "--output=pwn.txt"],
  ["show", "--output", "pwn.txt"],
  ["grep", "-Otouch PWNED;true", "a"],
  ["branch", "-D", "x"],
  ["branch", "newb"],
  ["tag", "v9"],
  ["remote", "set-url", "origin", "x"],
  ["config", "user.name", "x"],
  ["stash"],
  ["reflog", "expire", "--all"],
];

function changedRepository(): string {
  const root = repository({ keep: "one\n" });
  git(root, "branch", "x");
  write(root, { keep: "two\n" });
  return root;
}

function expectNothingDone(root: string): void {
  expect(existsSync(join(root, "pwn.txt"))).toBe(false);
  expect(existsSync(join(root, "PWNED"))).toBe(false);
  expect(git(root, "branch", "--list").replaceAll(/[*\s]+/g, " ")).toBe(" main x ");
  expect(git(root, "tag")).toBe("");
}

it.each(writes)("C01: the git tool has no way to say git %s", async (...words) => {
  const root = changedRepository();
  const [verb = "", ...args] = words;
  for (const input of [
    { action: words.join(" ") },
    { action: verb, args },
    { action: verb, options: args },
    words,
  ]) {
    const c = await runCase({
      root,
      guided: false,
      steps: [{ calls: [{ name: "git", arguments: JSON.stringify(input) }] }],
    });
    expectRefused(c, "invalid");
  }
  expectNothingDone(root);
});

it.each(writes)("C01: as a program and in a command line git %s asks, and a no is a no", async (...words) => {
  const root = changedRepository();
  const line = `git ${words.map((word) => (/[ ;]/.test(word) ? `'${word}'` : word)).join(" ")}`;
  const c = await runCase({
    root,
    guided: false,
    answer: () => "reject",
    steps: [
      { calls: [{ name: "run_command", arguments: { argv: ["git", ...words], reason: "r" } }] },
      { calls: [{ name: "run_shell", arguments: { command: line, reason: "r" } }] },
    ],
  });
  expect(c.proposals("command").map(({ content }) => content)).toMatchObject([
    { commands: [{ argv: ["git", ...words] }] },
    { shell: line },
  ]);
  expect(c.ended.map(({ outcome }) => outcome)).toEqual(["rejected", "rejected"]);
  expect(c.untouched).toBe(true);
  expectNothingDone(root);
});

it.each(["status", "diff", "staged_diff"])("C01: %s runs without a question", async (action) => {
  const c = await runCase({
    root: changedRepository(),
    guided: false,
    steps: [{ calls: [{ name: "git", arguments: { action } }] }],
  });
  expect(c.ended.map(({ outcome }) => outcome)).toEqual(["ok"]);
  expect(c.proposals()).toEqual([]);
  expect(c.untouched).toBe(true);
});
