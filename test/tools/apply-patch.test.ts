import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyPatchTool } from "../../src/tools/apply-patch.ts";
import { readFileTool } from "../../src/tools/read-file.ts";
import { hashOf } from "../workspace/git-fixture.ts";
import { type Bench, bench } from "./context.ts";

type Change = Record<string, unknown>;

async function patching(files: Record<string, string>, read: readonly string[] = Object.keys(files)) {
  const b = await bench(files);
  for (const path of read) await b.answer(readFileTool, { path });
  return {
    root: b.root,
    apply: (...changes: Change[]) => b.apply(applyPatchTool, { reason: "r", changes }),
    refused: (...changes: Change[]) => b.answer(applyPatchTool, { reason: "r", changes }),
    read: (path: string) => readFileSync(join(b.root, path), "utf8"),
    has: (path: string) => existsSync(join(b.root, path)),
  };
}

const edit = (path: string, old: string, now: string, more: Change = {}): Change => ({
  path,
  edits: [{ old, new: now }],
  ...more,
});

describe("one change", () => {
  it("edits: what was read, and what was patched before, without reading it again", async () => {
    const t = await patching({ "a.txt": "one\ntwo\n" });
    const content = await t.apply(edit("a.txt", "one", "1"));
    expect(content.files).toMatchObject([
      { path: "a.txt", added: 1, removed: 1, mode: 0o644, hunks: [{ lines: ["-one", "+1", " two"] }] },
    ]);
    await t.apply(edit("a.txt", "two", "2"));
    expect(t.read("a.txt")).toBe("1\n2\n");
  });

  it("creates a file with its folders, and never over one that is there", async () => {
    const t = await patching({ "a.txt": "x\n" });
    await t.apply({ path: "deep/er/new.txt", content: "new\n" });
    expect(t.read("deep/er/new.txt")).toBe("new\n");
    expect(statSync(join(t.root, "deep/er/new.txt")).mode & 0o777).toBe(0o644);
    expect(await t.refused({ path: "a.txt", content: "y\n" })).toMatchObject({
      outcome: "error",
      content: expect.stringMatching(/^a\.txt exists already\. .*\n\nNothing was written\.$/),
    });
    await t.apply({ path: "empty.txt", content: "" });
    expect(t.read("empty.txt")).toBe("");
  });

  it("deletes", async () => {
    const t = await patching({ "a.txt": "x\n" });
    const content = await t.apply({ path: "a.txt", delete: true });
    expect(content.files).toMatchObject([{ path: "a.txt", after: null, added: 0, removed: 1 }]);
    expect(t.has("a.txt")).toBe(false);
  });

  it("renames, alone and with edits, into new folders too", async () => {
    const t = await patching({ "a.txt": "one\n", "b.txt": "two\n" });
    const content = await t.apply(
      { path: "a.txt", rename_to: "sub/c.txt" },
      edit("b.txt", "two", "2", { rename_to: "d.txt" }),
    );
    expect(content.files).toMatchObject([
      { path: "sub/c.txt", from: "a.txt", added: 0, removed: 0, hunks: [] },
      { path: "d.txt", from: "b.txt", added: 1, removed: 1 },
    ]);
    expect([t.read("sub/c.txt"), t.read("d.txt"), t.has("a.txt"), t.has("b.txt")]).toEqual([
      ...["one\n", "2\n"],
      ...[false, false],
    ]);
  });
});

describe("several changes in one call", () => {
  it("on one path follow each other", async () => {
    const t = await patching({ "a.txt": "one\ntwo\n" });
    const content = await t.apply(edit("a.txt", "one", "1"), edit("a.txt", "1\ntwo", "1\n2"));
    expect(content.files).toHaveLength(1);
    expect(t.read("a.txt")).toBe("1\n2\n");
  });

  it("may create and then edit, and edit under the new name", async () => {
    const t = await patching({ "a.txt": "one\n" });
    await t.apply(
      { path: "n.txt", content: "new\n" },
      edit("n.txt", "new", "newer"),
      { path: "a.txt", rename_to: "b.txt" },
      edit("b.txt", "one", "1"),
    );
    expect([t.read("n.txt"), t.read("b.txt"), t.has("a.txt")]).toEqual(["newer\n", "1\n", false]);
  });

  it("delete and create rewrite a file, which keeps its mode", async () => {
    const t = await patching({ "run.sh": "#!/bin/sh\nold\n" });
    const b = join(t.root, "run.sh");
    // The mode is the user's, not 0644 or 0755.
    const { chmodSync } = await import("node:fs");
    chmodSync(b, 0o750);
    const content = await t.apply(
      { path: "run.sh", delete: true },
      { path: "run.sh", content: "#!/bin/sh\nnew\n" },
    );
    expect(content.files).toMatchObject([{ path: "run.sh", mode: 0o750, added: 1, removed: 1 }]);
    expect(t.read("run.sh")).toBe("#!/bin/sh\nnew\n");
    expect(statSync(b).mode & 0o777).toBe(0o750);
  });

  it("can swap two files", async () => {
    const t = await patching({ a: "A\n", b: "B\n" });
    await t.apply(
      { path: "a", rename_to: "tmp" },
      { path: "b", rename_to: "a" },
      { path: "tmp", rename_to: "b" },
    );
    expect([t.read("a"), t.read("b"), t.has("tmp")]).toEqual(["B\n", "A\n", false]);
  });

  it("can put one file in another's place", async () => {
    const t = await patching({ a: "A\n", b: "B\n" });
    await t.apply({ path: "a", delete: true }, { path: "b", rename_to: "a" });
    expect([t.read("a"), t.has("b")]).toEqual(["B\n", false]);
  });

  it("are all refused when some fail, and every failure is told", async () => {
    const t = await patching({ "a.txt": "one\n", "b.txt": "two\n" });
    const before = hashOf(t.root);
    const end = await t.refused(edit("a.txt", "one", "1"), edit("b.txt", "absent", "x"), {
      path: "c.txt",
      delete: true,
    });
    expect(end.outcome).toBe("error");
    expect(end.content).toContain("b.txt: Nothing was changed. The old text is not in the file.");
    expect(end.content).toContain("c.txt: no such file.");
    expect(end.content).toMatch(/\n\nNothing was written, of any of the changes\.$/);
    expect(hashOf(t.root)).toBe(before);
  });
});

describe("a file that was not read", () => {
  it("is shown, and counts as read from then on", async () => {
    const t = await patching({ "a.txt": "one\n" }, []);
    expect(await t.refused(edit("a.txt", "one", "1"))).toEqual({
      outcome: "error",
      content:
        "a.txt: you have not read this file as it is now. It counts as read with this:\na.txt · 1 line · LF\n1\tone\n\nNothing was written.",
      facts: [expect.objectContaining({ type: "file_read", path: "a.txt", lines: [1, 1] })],
    });
    await t.apply(edit("a.txt", "one", "1"));
    expect(t.read("a.txt")).toBe("1\n");
  });

  it.each([
    ["deleted", { path: "a.txt", delete: true }],
    ["renamed", { path: "a.txt", rename_to: "b.txt" }],
  ])("is not %s either", async (_, change) => {
    const t = await patching({ "a.txt": "one\n" }, []);
    expect(await t.refused(change)).toMatchObject({ outcome: "error", facts: [{ path: "a.txt" }] });
    expect(t.has("a.txt")).toBe(true);
  });

  it("or was changed since, is shown as it is now", async () => {
    const t = await patching({ "a.txt": "one\n" });
    writeFileSync(join(t.root, "a.txt"), "one\nsaved\n");
    const end = await t.refused(edit("a.txt", "one", "1"));
    expect(end.outcome).toBe("error");
    expect(end.content).toContain("1\tone\n2\tsaved\n");
    await t.apply(edit("a.txt", "one", "1"));
    expect(t.read("a.txt")).toBe("1\nsaved\n");
  });

  it("in part counts as read: the hash is the whole file's", async () => {
    const b = await bench({ "a.txt": "one\ntwo\nthree\n" });
    await b.answer(readFileTool, { path: "a.txt", start: 2, end: 2 });
    await b.apply(applyPatchTool, { reason: "r", changes: [edit("a.txt", "three", "3")] });
    expect(readFileSync(join(b.root, "a.txt"), "utf8")).toBe("one\ntwo\n3\n");
  });
});

describe("what is refused", () => {
  it.each<[string, Change]>([
    ["no kind", { path: "a.txt" }],
    ["edits and content", { path: "a.txt", edits: [], content: "x" }],
    ["content and delete", { path: "a.txt", content: "x", delete: true }],
    ["content and rename_to", { path: "n.txt", content: "x", rename_to: "m.txt" }],
    ["delete and rename_to", { path: "a.txt", delete: true, rename_to: "m.txt" }],
  ])("%s together", async (_, change) => {
    const t = await patching({ "a.txt": "one\n" });
    const before = hashOf(t.root);
    expect(await t.refused(change)).toMatchObject({ outcome: "invalid", facts: [] });
    expect(hashOf(t.root)).toBe(before);
  });

  it("an empty list of edits, and edits that change nothing", async () => {
    const t = await patching({ "a.txt": "one\n" });
    expect(await t.refused({ path: "a.txt", edits: [] })).toMatchObject({ outcome: "error" });
    expect(await t.refused(edit("a.txt", "one", "one"))).toMatchObject({ outcome: "error" });
  });

  it("a rename onto a file that is there, itself included", async () => {
    const t = await patching({ "a.txt": "one\n", "b.txt": "two\n" });
    for (const target of ["b.txt", "a.txt", "./b.txt"]) {
      expect(await t.refused({ path: "a.txt", rename_to: target })).toMatchObject({
        outcome: "error",
        content: expect.stringMatching(/^a\.txt: cannot rename, [ab]\.txt exists already\./),
      });
    }
    expect(t.read("b.txt")).toBe("two\n");
  });

  it("text that no UTF-8 file can hold", async () => {
    const t = await patching({});
    expect(await t.refused({ path: "a.txt", content: "half \ud83d" })).toMatchObject({
      outcome: "error",
      content: expect.stringContaining("half of a surrogate pair"),
    });
  });

  it("a folder, a link, and a file in the place of a folder", async () => {
    const t = await patching({ "dir/a.txt": "one\n", target: "x\n" }, []);
    symlinkSync("target", join(t.root, "link"));
    expect(await t.refused({ path: "dir", content: "x" })).toMatchObject({ outcome: "error" });
    expect(await t.refused({ path: "link", content: "x" })).toMatchObject({ outcome: "blocked" });
    expect(await t.refused({ path: "target/x", content: "x" })).toMatchObject({ outcome: "error" });
  });

  it.each<[string, (path: string) => Change]>([
    ["created", (path) => ({ path, content: "x" })],
    ["edited", (path) => edit(path, "K", "x")],
    ["deleted", (path) => ({ path, delete: true })],
    ["renamed", (path) => ({ path, rename_to: "free.txt" })],
    ["the target of a rename", (path) => ({ path: "mine.txt", rename_to: path })],
  ])("protected, hidden and outside paths being %s", async (_, change) => {
    const files = {
      ".env": "K=1\n",
      "hidden/h.txt": "K=1\n",
      ".minicodeignore": "hidden/\n",
      "mine.txt": "K\n",
    };
    const t = await patching(files);
    const before = hashOf(t.root);
    for (const path of [".env", "hidden/h.txt", "hidden/new.txt", ".git/hooks/pre-commit", "../out.txt"]) {
      const end = await t.refused(change(path));
      expect([path, end.outcome]).toEqual([path, "blocked"]);
      expect(end.content).not.toContain("K=1");
      expect(end.facts).toEqual([]);
    }
    expect(hashOf(t.root)).toBe(before);
  });
});

it("apply_patch: the user sees each path once", async () => {
  const input = applyPatchTool.input.parse({
    reason: "r",
    changes: [edit("a", "x", "y"), edit("b", "x", "y"), edit("a", "y", "z")],
  });
  expect(applyPatchTool.label(input)).toBe("patch a, b");
});

it("apply_patch: nobody prepares a patch by writing", async () => {
  const b: Bench = await bench({ "a.txt": "one\n" });
  const before = hashOf(b.root);
  const prepared = await b.prepare(applyPatchTool, {
    reason: "r",
    changes: [{ path: "new/er.txt", content: "x" }],
  });
  expect(prepared).toMatchObject({
    kind: "patch",
    reason: "r",
    changes: [{ path: "new/er.txt", before: null }],
  });
  expect(hashOf(b.root)).toBe(before);
});
