// A repository shows nothing but itself: redirected folders, links and folders of others.
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitTool } from "../../src/tools/git.ts";
import { call } from "../tools/call.ts";
import { git, ourGit, repository, tempFolder, write } from "../workspace/git-fixture.ts";
import { allAnswers } from "../workspace/git-vectors.ts";

const foreign = (): string => {
  const other = repository({ secret: "other-secret\n" });
  write(other, { secret: "other-changed\n" });
  return other;
};
const refusals: Record<string, (root: string) => void> = {
  "a .git file that names another repository": (root) => {
    rmSync(join(root, ".git"), { recursive: true });
    write(root, { ".git": `gitdir: ${join(foreign(), ".git")}\n` });
  },
  "a .git file with a made-up worktree entry for another repository": (root) => {
    rmSync(join(root, ".git"), { recursive: true });
    write(root, {
      ".git": "gitdir: fake/worktrees/x\n",
      "fake/worktrees/x/gitdir": `${join(root, ".git")}\n`,
      "fake/worktrees/x/commondir": `${join(foreign(), ".git")}\n`,
      "fake/worktrees/x/HEAD": "ref: refs/heads/main\n",
    });
  },
  "a .git link": (root) => {
    rmSync(join(root, ".git"), { recursive: true });
    symlinkSync(join(foreign(), ".git"), join(root, ".git"));
  },
  "a .git file of nonsense": (root) => {
    rmSync(join(root, ".git"), { recursive: true });
    write(root, { ".git": "nonsense\n" });
  },
  "commondir (CVE-2026-40068)": (root) => write(root, { ".git/commondir": join(foreign(), ".git") }),
  alternates: (root) => write(root, { ".git/objects/info/alternates": join(foreign(), ".git/objects") }),
  "linked objects": (root) => {
    rmSync(join(root, ".git/objects"), { recursive: true });
    symlinkSync(join(foreign(), ".git/objects"), join(root, ".git/objects"));
  },
  "a linked objects/pack": (root) => {
    rmSync(join(root, ".git/objects/pack"), { recursive: true });
    symlinkSync(join(foreign(), ".git/objects/pack"), join(root, ".git/objects/pack"));
  },
  "linked refs": (root) => {
    rmSync(join(root, ".git/refs"), { recursive: true });
    symlinkSync(join(foreign(), ".git/refs"), join(root, ".git/refs"));
  },
  "a linked branch": (root) => {
    rmSync(join(root, ".git/refs/heads/main"));
    symlinkSync(join(foreign(), ".git/refs/heads/main"), join(root, ".git/refs/heads/main"));
  },
  "a linked index": (root) => {
    rmSync(join(root, ".git/index"));
    symlinkSync(join(foreign(), ".git/index"), join(root, ".git/index"));
  },
  "a HEAD that leads out by its name": (root) => write(root, { ".git/HEAD": "ref: refs/heads/../../../x\n" }),
  "branches in a circle": (root) => write(root, { ".git/refs/heads/main": "ref: refs/heads/main\n" }),
  "a reftable": (root) => mkdirSync(join(root, ".git/reftable")),
  "a broken config": (root) => write(root, { ".git/config": "[core\n" }),
};

/** Only what needs the branches and tags meets these. */
const hiddenFromStatus: Record<string, (root: string) => void> = {
  "a linked tag": (root) =>
    symlinkSync(join(foreign(), ".git/refs/heads/main"), join(root, ".git/refs/tags/x")),
  "linked remote branches": (root) =>
    symlinkSync(join(foreign(), ".git/refs/heads"), join(root, ".git/refs/remotes")),
  "a linked ORIG_HEAD": (root) =>
    symlinkSync(join(foreign(), ".git/refs/heads/main"), join(root, ".git/ORIG_HEAD")),
};

describe("TH33: a repository shows nothing but itself", () => {
  it.each(Object.entries(refusals))("refuses %s for every action", async (_, spoil) => {
    const root = repository({ a: "a\n" });
    spoil(root);
    for (const answer of (await allAnswers(root)).values())
      expect(answer).toMatch(/^MiniCode does not read this repository: /);
    expect(await (await ourGit(root)).branch()).toBeNull();
  });

  it.each(Object.entries(hiddenFromStatus))("refuses %s for what reads branches", async (_, spoil) => {
    const root = repository({ a: "a\n" });
    spoil(root);
    const answers = await allAnswers(root);
    expect(answers.get("status")).toContain("working tree is clean");
    for (const name of ["log", "show", "show a HEAD", "blame a", "branches"])
      expect(answers.get(name)).toMatch(/^MiniCode does not read this repository: .* is (?:a|not a) /);
  });

  it("ignores core.worktree", async () => {
    const root = repository({ a: "one\n" });
    git(root, "config", "core.worktree", "/etc");
    const answers = await allAnswers(root);
    expect(answers.get("status")).toBe("On branch main\nNothing changed: the working tree is clean.");
    expect(answers.get("blame a")).toContain("1\tone");
  });

  it("does not follow a folder that became a link out of the workspace", async () => {
    const root = repository({ "dir/a": "one\n" });
    const outside = tempFolder();
    write(outside, { a: "outside\n" });
    renameSync(join(root, "dir"), join(root, "was"));
    symlinkSync(outside, join(root, "dir"));
    const blame = await call(gitTool, root, { action: "blame", path: "dir/a" });
    expect(blame).toMatchObject({ outcome: "blocked", content: expect.stringContaining("symbolic link") });
    for (const action of ["status", "diff", "show", "log"])
      expect((await call(gitTool, root, { action })).content).not.toContain("outside\n");
  });
});
