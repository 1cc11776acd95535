import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitTool } from "../../src/tools/git.ts";
import { openPathGate } from "../../src/workspace/path-gate.ts";
import { treeOf } from "../../src/workspace/tree.ts";
import { call } from "../tools/call.ts";
import { git, repository, tempFolder, write } from "../workspace/git-fixture.ts";

it("P04: in a linked worktree, where .git is a file, git answers for that worktree", async () => {
  const main = repository({ a: "a\n" });
  const linked = join(tempFolder(), "wt");
  git(main, "worktree", "add", "-q", linked, "-b", "side");
  write(linked, { a: "b\n" });

  const gate = await openPathGate(linked);
  expect(gate.root).toBe(realpathSync(linked));
  expect([...(await treeOf(gate, [])).files.keys()]).toEqual(["a"]);
  await gate.close();
  expect((await call(gitTool, linked, { action: "status" })).content).toBe("On branch side\n M a");
  expect((await call(gitTool, main, { action: "status" })).content).toBe(
    "On branch main\nNothing changed: the working tree is clean.",
  );
});

it("P04: inside a submodule or a nested repository, the nearest one answers", async () => {
  const main = repository({ a: "a\n" });
  git(main, "submodule", "--quiet", "add", repository({ inner: "1\n" }), "sub");
  git(join(main, "sub"), "checkout", "-q", "-b", "in-sub");
  write(main, { a: "changed\n", "sub/inner": "2\n" });
  expect((await call(gitTool, join(main, "sub"), { action: "status" })).content).toBe(
    "On branch in-sub\n M inner",
  );

  const nested = join(main, "nested");
  mkdirSync(nested);
  git(nested, "init", "-q");
  git(nested, "checkout", "-q", "-b", "own");
  write(nested, { x: "x\n" });
  expect((await call(gitTool, nested, { action: "status" })).content).toBe(
    "On branch own (no commits yet)\n?? x",
  );
});
