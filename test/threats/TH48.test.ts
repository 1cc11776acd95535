// A new file takes its name only while nothing has it: not a file, not a link, not one that came after the look.
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyPatch } from "../../src/workspace/perform-patch.ts";
import { call, testAgent } from "../helpers/agent.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { patchOf } from "../helpers/patch.ts";
import { openGate } from "./gate.ts";

describe("TH48 a new file where something is", () => {
  it("apply_patch refuses to create over a file or a link", async () => {
    const t = await testAgent({
      guided: false,
      files: { a: "one\n" },
      steps: [
        call("apply_patch", { changes: [{ path: "a", content: "x\n" }], reason: "r" }),
        call("apply_patch", { changes: [{ path: "linked", content: "x\n" }], reason: "r" }),
        { text: "Done." },
      ],
    });
    symlinkSync("nowhere", join(t.root, "linked"));
    await t.run("go");
    expect(t.proposals()).toEqual([]);
    expect(t.read("a")).toBe("one\n");
    expect(t.results()[1]).toContain("is a symbolic link");
  });

  it("what appears after it was shown is kept", async () => {
    const { folder, gate } = await openGate();
    const blobs = folderBlobs(join(folder.base, "blobs"));
    const patch = await patchOf(blobs, [
      { path: "first", before: null, after: "new" },
      { path: "second", before: null, after: "new" },
    ]);
    writeFileSync(join(folder.ws, "second"), "the user's");
    const applied = await applyPatch(gate, blobs, patch, new AbortController().signal);
    expect(applied.ok).toBe(false);
    expect(folder.tree()).toEqual({ second: "the user's" });
  });
});
