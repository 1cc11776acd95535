// A patch of many files is all or nothing: at preparation, at a stale file, and at a fault of the system in the middle.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyPatch } from "../../src/workspace/perform-patch.ts";
import { call, testAgent } from "../helpers/agent.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { patchOf } from "../helpers/patch.ts";
import { canTrace, endOf, patchChild } from "../helpers/patch-child.ts";
import { openGate } from "./gate.ts";

const changes = [
  { path: "a", before: "a1", after: "a2" },
  { path: "b", before: "b1", after: "b2" },
  { path: "n/c", before: null, after: "c2" },
];

describe("TH49 a patch that fails half way", () => {
  it("one edit that does not match keeps all files as they are", async () => {
    const t = await testAgent({
      guided: false,
      files: { a: "one\n", b: "one\n" },
      steps: [
        { calls: ["a", "b"].map((path) => ({ name: "read_file", arguments: { path } })) },
        call("apply_patch", {
          changes: [
            { path: "a", edits: [{ old: "one", new: "two" }] },
            { path: "b", edits: [{ old: "absent", new: "two" }] },
          ],
          reason: "r",
        }),
        { text: "Done." },
      ],
    });
    await t.run("go");
    expect([t.read("a"), t.read("b"), t.proposals()]).toEqual(["one\n", "one\n", []]);
  });

  it("so does a second file that has changed", async () => {
    const { folder, gate } = await openGate();
    folder.write("a", "a1");
    folder.write("b", "somebody's");
    const blobs = folderBlobs(join(folder.base, "blobs"));
    const patch = await patchOf(blobs, changes);
    expect((await applyPatch(gate, blobs, patch, new AbortController().signal)).ok).toBe(false);
    expect(folder.tree()).toEqual({ a: "a1", b: "somebody's" });
  });

  const traced = canTrace();
  it.skipIf(!traced)(`a full disk and a refused rename (needs strace)`, async () => {
    const { folder } = await openGate();
    folder.write("a", "a1");
    folder.write("b", "b1");
    const blobFolder = join(folder.base, "blobs");
    const content = await patchOf(folderBlobs(blobFolder), changes);
    const child = await patchChild(folder.base);
    for (const fault of ["pwrite64:error=ENOSPC:when=2", "rename,?renameat:error=EACCES:when=2"]) {
      const end = await endOf(
        child.startWithFault({ action: "apply", ws: folder.ws, blobFolder, content }, fault),
      );
      expect(end).toMatchObject({ ok: false, left: [] });
      expect(folder.tree()).toEqual({ a: "a1", b: "b1" });
    }
  });
});
