import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../src/patch/diff.ts";
import { inScope, type PlanContent } from "../../src/protocol/proposal.ts";
import { applyPatchTool } from "../../src/tools/apply-patch.ts";
import type { FileChange, FileState } from "../../src/tools/contract.ts";
import { patchContent } from "../../src/tools/patch-proposal.ts";
import { readFileTool } from "../../src/tools/read-file.ts";
import { sha256 } from "../../src/util/hash.ts";
import { openPathGate } from "../../src/workspace/path-gate.ts";
import { applyPatch } from "../../src/workspace/perform-patch.ts";
import { call, testAgent } from "../helpers/agent.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { tempFolder, write } from "../workspace/git-fixture.ts";
import { bench } from "./context.ts";

type Texts = Record<string, string>;
interface Step {
  kind: "edit" | "create" | "delete" | "rename";
  path: string;
  to: string;
  text: string;
}

const paths = ["a", "b", "c", "d/e"];
const text = fc.constantFrom("", "one\n", "two\n", "one\ntwo\nthree\n", "no newline");
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("edit", "create", "delete", "rename"),
  path: fc.constantFrom(...paths),
  to: fc.constantFrom(...paths),
  text,
});
const folder: fc.Arbitrary<Texts> = fc.dictionary(fc.constantFrom(...paths), text);

function stateOf(content: string): FileState {
  return { bytes: Buffer.from(content), hash: sha256(content), mode: 0o644, links: 1 };
}

/** The steps that are valid one after the other, as the tool would prepare them, and what they leave. */
function oneByOne(start: Texts, steps: readonly Step[]): { changes: FileChange[]; end: Texts } {
  const now = new Map(Object.entries(start));
  const changes: FileChange[] = [];
  for (const { kind, path, to, text } of steps) {
    const there = now.get(path);
    const target = kind === "rename" ? to : path;
    if ((kind === "create") !== (there === undefined) || (kind === "rename" && now.has(to))) continue;
    const before = there === undefined ? null : stateOf(there);
    const content = kind === "rename" ? (there ?? "") : text;
    const after = kind === "delete" ? null : { bytes: Buffer.from(content), mode: 0o644 };
    changes.push({ path: target, ...(kind === "rename" ? { from: path } : {}), before, after });
    now.delete(path);
    if (after) now.set(target, content);
  }
  return { changes, end: Object.fromEntries(now) };
}

function textsIn(root: string): Texts {
  const there = paths.filter((path) => existsSync(join(root, path)));
  return Object.fromEntries(there.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

it("any valid changes merged into one patch lead where they lead one by one, for us and for git apply", async () => {
  const blobs = folderBlobs(tempFolder());
  const [ours, theirs] = [tempFolder(), tempFolder()];
  execFileSync("git", ["init", "-q", theirs]);
  const refill = (root: string, files: Texts): void => {
    for (const path of paths) rmSync(join(root, path), { force: true });
    write(root, files);
  };
  await fc.assert(
    fc.asyncProperty(folder, fc.array(step, { maxLength: 12 }), async (start, steps) => {
      const { changes, end } = oneByOne(start, steps);
      const content = await patchContent(changes, "r", null, blobs);
      for (const { path, from, before, after } of content?.files ?? []) {
        expect(before ?? after).not.toBeNull();
        expect(from).not.toBe(path);
        // Against what is on disk, never against a state in between; and no entry that does nothing.
        if (before) expect(before.hash).toBe(sha256(start[from ?? path] ?? "absent"));
        if (from === undefined) expect(before?.hash).not.toBe(after?.hash);
      }
      if (content === null) {
        expect(end).toEqual(start);
        return;
      }

      refill(ours, start);
      const gate = await openPathGate(ours);
      const applied = await applyPatch(gate, blobs, content, new AbortController().signal);
      await gate.close();
      expect(applied).toEqual({ ok: true, value: undefined });
      expect(textsIn(ours)).toEqual(end);

      refill(theirs, start);
      execFileSync("git", ["apply", "--whitespace=nowarn", "-"], {
        cwd: theirs,
        input: unifiedDiff(content.files),
        stdio: "pipe",
      });
      expect(textsIn(theirs)).toEqual(end);
    }),
    { numRuns: 200, seed: 5, endOnFailure: false },
  );
});

describe("a merged patch", () => {
  async function merged(start: Texts, changes: object[], plan?: PlanContent) {
    const b = await bench(start);
    for (const path of Object.keys(start)) await b.answer(readFileTool, { path });
    const content = await b.apply(applyPatchTool, { reason: "r", changes }, plan);
    return content.files.map(({ path, from, before, after }) => ({
      path,
      ...(from === undefined ? {} : { from }),
      change: before ? (after ? "edit" : "delete") : "create",
    }));
  }

  const rename = (path: string, to: string): object => ({ path, rename_to: to });

  it("says what happens to the files on disk, not what happened on the way", async () => {
    const start = { a: "A\n", b: "B\n" };
    expect(await merged(start, [rename("a", "c"), { path: "c", delete: true }])).toEqual([
      { path: "a", change: "delete" },
    ]);
    expect(
      await merged(start, [
        rename("a", "c"),
        { path: "c", edits: [{ old: "A", new: "1" }] },
        rename("c", "a"),
      ]),
    ).toEqual([{ path: "a", change: "edit" }]);
    expect(await merged(start, [{ path: "n", content: "x" }, rename("n", "m")])).toEqual([
      { path: "m", change: "create" },
    ]);
    expect(await merged(start, [rename("a", "c"), { path: "a", content: "new\n" }])).toEqual([
      { path: "a", change: "create" },
      { path: "c", from: "a", change: "edit" },
    ]);
    expect(await merged(start, [{ path: "a", delete: true }, rename("b", "a")])).toEqual([
      { path: "a", change: "delete" },
      { path: "a", from: "b", change: "edit" },
    ]);
  });

  it("is none at all when the files end as they began", async () => {
    const same: FileChange[] = [
      { path: "a", before: stateOf("A\n"), after: null },
      { path: "a", before: null, after: { bytes: Buffer.from("A\n"), mode: 0o644 } },
      { path: "n", before: null, after: { bytes: Buffer.from("x"), mode: 0o644 } },
      { path: "n", before: stateOf("x"), after: null },
    ];
    expect(await patchContent(same, "r", null, folderBlobs(tempFolder()))).toBeNull();
  });

  it("notes the other names of a hard-linked file", async () => {
    const b = await bench({ "a.txt": "x\n" });
    mkdirSync(join(b.root, "other"));
    linkSync(join(b.root, "a.txt"), join(b.root, "other/b.txt"));
    await b.answer(readFileTool, { path: "a.txt" });
    const changes = [{ path: "a.txt", edits: [{ old: "x", new: "y" }] }];
    const content = await b.apply(applyPatchTool, { reason: "r", changes });
    expect(content.files[0]?.notes).toEqual([
      "this file has 2 names (hard links); only this one gets the new content",
    ]);
    expect(readFileSync(join(b.root, "other/b.txt"), "utf8")).toBe("x\n");
  });

  it("names the paths outside the plan's files, where a rename comes from too", async () => {
    const plan: PlanContent = {
      ...{ kind: "plan", summary: "", steps: [], origin: "call", added: [], dropped: [] },
      files: ["src/", "top.txt"],
    };
    const b = await bench({ "lib/a": "A\n", "src/b": "B\n", "top.txt": "T\n" });
    for (const path of ["lib/a", "src/b", "top.txt"]) await b.answer(readFileTool, { path });
    const changes = [
      rename("lib/a", "src/a"),
      { path: "src/b", delete: true },
      { path: "top.txt", delete: true },
      { path: "srcs/x", content: "x" },
    ];
    expect((await b.apply(applyPatchTool, { reason: "r", changes }, plan)).outsideScope).toEqual([
      "lib/a",
      "srcs/x",
    ]);
  });

  it("that brings its own plan has both names of a rename in it", async () => {
    const t = await testAgent({
      files: { "a.txt": "x\n" },
      steps: [
        call("read_file", { path: "a.txt" }),
        call("apply_patch", { reason: "r", changes: [rename("a.txt", "b.txt")] }),
        { text: "Done." },
      ],
    });
    await t.run("Go.");
    const ended = t.events.at(-1);
    expect(ended?.type === "task-ended" && ended.receipt.scope).toEqual({
      files: ["a.txt", "b.txt"],
      outside: [],
    });
  });

  it("is in scope by its exact path or below a folder", () => {
    expect(inScope("src/a", ["src/"])).toBe(true);
    expect(inScope("src/a", ["src/a"])).toBe(true);
    expect(inScope("src/a", ["./"])).toBe(true);
    expect(inScope("src/a", ["src"])).toBe(false);
    expect(inScope("srcs/a", ["src/"])).toBe(false);
    expect(inScope("src/a", [])).toBe(false);
  });
});
