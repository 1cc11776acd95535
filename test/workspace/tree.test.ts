import { chmodSync, lstatSync, renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { changedBetween } from "../../src/agent/task.ts";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import { treeOf } from "../../src/workspace/tree.ts";
import { git, repository, tempFolder, write } from "./git-fixture.ts";

async function gateOn(root: string): Promise<PathGate> {
  const gate = await openPathGate(root);
  onTestFinished(() => gate.close());
  return gate;
}

/** The gate with a list of what was opened through it. */
function watched(gate: PathGate): { gate: PathGate; opened: string[] } {
  const opened: string[] = [];
  const openFile: PathGate["openFile"] = (path) => {
    opened.push(path);
    return gate.openFile(path);
  };
  return { gate: { ...gate, openFile }, opened };
}

describe("the tree with git", () => {
  it("is the tracked files and what the session made, as they are on disk", async () => {
    const root = repository({ a: "a\n", "dir/b": "b\n", gone: "x\n", ".gitignore": "made/ignored\n" });
    write(root, { untracked: "u\n", "made/x": "m\n", "made/ignored": "i\n", "node_modules/m/x": "x" });
    rmSync(join(root, "gone"));
    const tree = await treeOf(await gateOn(root), ["made/x", "made/ignored", "made/never"]);
    expect([...tree.files.keys()]).toEqual([".gitignore", "a", "dir/b", "made/ignored", "made/x"]);
  });

  it("changes with content, mode, kind, and presence, and only then", async () => {
    const root = repository({ a: "a\n", b: "b\n", c: "c\n", d: "d\n", e: "e\n" });
    const gate = await gateOn(root);
    const before = await treeOf(gate, []);
    write(root, { untracked: "u\n", e: "e\n" });
    utimesSync(join(root, "d"), 1, 1);
    git(root, "commit", "-q", "--allow-empty", "-m", "x");
    const same = await treeOf(gate, []);
    expect(same.hash).toBe(before.hash);
    expect(changedBetween(before, same)).toEqual([]);

    write(root, { a: "A\n" });
    chmodSync(join(root, "b"), 0o755);
    rmSync(join(root, "c"));
    rmSync(join(root, "d"));
    symlinkSync("a", join(root, "d"));
    const after = await treeOf(gate, ["untracked"]);
    expect(after.hash).not.toBe(before.hash);
    expect(changedBetween(before, after)).toEqual(["a", "b", "c", "d", "untracked"]);

    write(root, { a: "a\n", c: "c\n" });
    rmSync(join(root, "d"));
    write(root, { d: "d\n" });
    chmodSync(join(root, "b"), 0o644);
    expect((await treeOf(gate, [])).hash).toBe(before.hash);
  });

  it("never reads protected or hidden files, and still sees that they changed", async () => {
    const root = repository({ ".env": "one\n", "plans/x": "one\n", a: "a\n", ".minicodeignore": "plans/\n" });
    const gate = await gateOn(root);
    const before = await treeOf(gate, []);
    write(root, { ".env": "three\n", "plans/x": "three\n" });
    const after = await treeOf(gate, []);
    expect(changedBetween(before, after)).toEqual([".env", "plans/x"]);
    // What was read would count by its content.
    expect(after.files.get(".env")).toMatch(/^identity /);
    expect(after.files.get("plans/x")).toMatch(/^identity /);
  });

  it("reads a file again when its identity changed, or when it could have changed unseen", async () => {
    const root = repository({ a: "a\n", b: "b\n", ".env": "x\n" });
    const { gate, opened } = watched(await gateOn(root));
    const newest = Math.max(...["a", "b"].map((name) => lstatSync(join(root, name)).ctimeMs));
    const openedAt = async (time: number): Promise<string[]> => {
      opened.length = 0;
      vi.setSystemTime(time);
      await treeOf(gate, []);
      return opened.filter((path) => path !== ".env").sort();
    };
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      expect(await openedAt(newest + 50)).toEqual(["a", "b"]);
      expect(await openedAt(newest + 60)).toEqual(["a", "b"]);
      expect(await openedAt(newest + 10_000)).toEqual(["a", "b"]);
      expect(await openedAt(newest + 10_001)).toEqual([]);
      write(root, { b: "B\n" });
      expect(await openedAt(lstatSync(join(root, "b")).ctimeMs + 10_000)).toEqual(["b"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("does not follow a folder that became a link", async () => {
    const outside = tempFolder();
    write(outside, { b: "secret\n" });
    const root = repository({ "dir/b": "b\n" });
    const gate = await gateOn(root);
    renameSync(join(root, "dir"), join(root, "moved"));
    symlinkSync(outside, join(root, "dir"));
    expect((await treeOf(gate, [])).files.get("dir/b")).toMatch(/^identity /);
  });

  it("counts from the workspace inside the repository", async () => {
    const root = repository({ "pkg/a": "a\n", b: "b\n" });
    expect([...(await treeOf(await gateOn(join(root, "pkg")), [])).files.keys()]).toEqual(["a"]);
  });
});

describe("the tree without git", () => {
  const files = {
    ".gitignore": "dist/\n",
    ".minicodeignore": "plans/\n",
    a: "a\n",
    "dist/x": "x\n",
    "plans/y": "y\n",
    ".env": "e\n",
    "node_modules/m/x": "x\n",
    "src/b": "b\n",
  };

  it("is the visible files that are not ignored, and what the session made", async () => {
    const root = tempFolder();
    write(root, files);
    const gate = await gateOn(root);
    expect([...(await treeOf(gate, ["dist/x"])).files.keys()]).toEqual([
      ".gitignore",
      "a",
      "dist/x",
      "src/b",
    ]);
    const before = await treeOf(gate, []);
    write(root, { "src/c": "c\n" });
    expect(changedBetween(before, await treeOf(gate, []))).toEqual(["src/c"]);
  });

  it("is taken the same way where the repository must not be read", async () => {
    const root = repository(files);
    write(root, { ".git/objects/info/alternates": "/elsewhere\n" });
    expect([...(await treeOf(await gateOn(root), [])).files.keys()]).toEqual([".gitignore", "a", "src/b"]);
  });
});
