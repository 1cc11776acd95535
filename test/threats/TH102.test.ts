// A full disk is an error with the old file whole and nothing left behind; short writes are gone on with.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeJson } from "../../src/config/write-json.ts";
import { applyPatch } from "../../src/workspace/perform-patch.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { patchOf } from "../helpers/patch.ts";
import { canTrace, endOf, patchChild } from "../helpers/patch-child.ts";
import { openGate } from "./gate.ts";

/** A file system of 64 KB at this folder; false where it cannot be mounted. */
function mountSmall(folder: string): boolean {
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "minicode-test", folder], { stdio: "ignore" });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync("umount", [folder]));
  return true;
}

describe("TH102 a full disk", () => {
  it("a patch and a settings file are refused, the old ones stay", async (context) => {
    const { folder, gate } = await openGate();
    if (!mountSmall(join(folder.ws, "small"))) context.skip("a 64 KB file system needs root");
    const old = "o".repeat(10_000);
    folder.write("small/f", old);
    const settings = folder.write("small/settings.json", '{"a":1}\n');
    const blobs = folderBlobs(join(folder.base, "blobs"));
    const patch = await patchOf(blobs, [{ path: "small/f", before: old, after: "n".repeat(60_000) }]);
    const applied = await applyPatch(gate, blobs, patch, new AbortController().signal);
    expect(applied.ok ? "" : applied.refusal.message).toContain("ENOSPC");
    await expect(writeJson(settings, { a: "x".repeat(60_000) }, "E_SETTINGS")).rejects.toMatchObject({
      code: "E_SETTINGS",
      message: expect.stringContaining("ENOSPC"),
    });
    expect(folder.tree()).toEqual({ "small/": "", "small/f": old, "small/settings.json": '{"a":1}\n' });
  });

  it.skipIf(!canTrace())("a short write is gone on with (needs strace)", async () => {
    const { folder } = await openGate();
    folder.write("f", "old");
    const after = "n".repeat(5_000);
    const blobFolder = join(folder.base, "blobs");
    const content = await patchOf(folderBlobs(blobFolder), [{ path: "f", before: "old", after }]);
    const child = await patchChild(folder.base);
    // The system takes none of it twice and says 100 bytes: what it says is what is believed.
    const end = await endOf(
      child.startWithFault(
        { action: "apply", ws: folder.ws, blobFolder, content },
        "pwrite64:retval=0:when=1",
      ),
    );
    expect(end).toEqual({ ok: true });
    expect(folder.read("f")).toBe(after);
  });
});
