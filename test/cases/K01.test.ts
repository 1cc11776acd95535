// K01: the bytes of .env stay here whatever door is tried, and everything beside it stays open.
import { linkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Step } from "../../src/model/scripted.ts";
import { call } from "../helpers/agent.ts";
import { repository } from "../workspace/git-fixture.ts";
import { runCase, sentText } from "./support.ts";

function project(): string {
  const root = repository({
    ".env": "API_KEY=mc-secret-7731\n",
    ".env.example": "API_KEY=put-yours-here\n",
    "a.txt": "one\nAPI_KEY is in .env\n",
  });
  writeFileSync(join(root, ".env"), "API_KEY=mc-secret-7732\n");
  writeFileSync(join(root, "a.txt"), "two\nAPI_KEY is in .env\n");
  symlinkSync(".env", join(root, "link.txt"));
  return root;
}
const all = (...calls: Step[]): Step[] => calls;

it("K01: no reading tool gives it", async () => {
  const c = await runCase({
    guided: false,
    root: project(),
    steps: all(
      call("read_file", { path: ".env" }),
      call("read_file", { path: "./.ENV" }),
      call("read_file", { path: "link.txt" }),
      call("search_text", { pattern: "API_KEY" }),
      call("search_text", { pattern: "API_KEY", path: ".env" }),
      call("search_text", { pattern: "mc-secret", glob: ".env*" }),
      call("find_files", { pattern: ".env*" }),
      call("git", { action: "diff" }),
      call("git", { action: "show", ref: "HEAD" }),
      call("git", { action: "show", ref: "HEAD", path: ".env" }),
      call("git", { action: "log", path: ".env" }),
      call("git", { action: "blame", path: ".env" }),
      call("read_file", { path: ".env.example" }),
    ),
  });
  expect(sentText(c)).not.toMatch(/773[12]/);
  expect(c.proposals()).toEqual([]);
  const text = c.ended.map(({ content }) => content);
  // Everything beside it works: the diff of the other file, the template, the search.
  expect(text.join("\n")).toMatch(/-one\n(?:.*\n)?\+two|\+two/);
  expect(text.at(-1)).toContain("put-yours-here");
  expect(text[3]).toContain("a.txt");
});

it("K01: a command that names it asks, and says its name", async () => {
  for (const [tool, input] of [
    ["run_command", { argv: ["cat", ".env"], reason: "r" }],
    ["run_command", { argv: ["grep", "-r", "API_KEY", "."], reason: "r" }],
    ["run_shell", { command: "cat .env", reason: "r" }],
    ["run_shell", { command: "cat .e*", reason: "r" }],
    ["run_shell", { command: "cat link.txt", reason: "r" }],
  ] as const) {
    const c = await runCase({
      guided: false,
      root: project(),
      permissions: "trusted",
      steps: [call(tool, input)],
      answer: () => "reject",
    });
    expect(sentText(c), JSON.stringify(input)).not.toMatch(/773[12]/);
    // Asked, or refused outright by the path gate.
    const [ended] = c.ended;
    expect(["rejected", "blocked"]).toContain(ended?.outcome);
  }
});

it("K01: no writing tool touches it or takes it elsewhere", async () => {
  const root = project();
  const c = await runCase({
    guided: false,
    root,
    settings: { tools: ["read_file", "apply_patch", "write_file", "replace_in_file"] },
    steps: all(
      call("apply_patch", { reason: "r", changes: [{ path: ".env", rename_to: "env.txt" }] }),
      call("apply_patch", { reason: "r", changes: [{ path: ".env", edits: [{ old: "API", new: "X" }] }] }),
      call("apply_patch", { reason: "r", changes: [{ path: "link.txt", rename_to: "b.txt" }] }),
      call("write_file", { path: ".env", content: "x", overwrite: true, reason: "r" }),
      call("replace_in_file", { path: ".env", old: "API", new: "X", reason: "r" }),
    ),
  });
  expect(sentText(c)).not.toMatch(/773[12]/);
  expect(c.proposals()).toEqual([]);
  expect(c.untouched).toBe(true);
});

it("K01: a second name of it is known by its second link, and a patch of it says so", async () => {
  const root = project();
  linkSync(join(root, "a.txt"), join(root, "b.txt"));
  const c = await runCase({
    guided: false,
    root,
    steps: all(
      call("read_file", { path: "b.txt" }),
      call("apply_patch", {
        reason: "r",
        changes: [{ path: "b.txt", edits: [{ old: "two", new: "three" }] }],
      }),
    ),
  });
  const [proposal] = c.proposals("patch");
  expect(JSON.stringify(proposal?.content)).toMatch(/hard link/);
});
