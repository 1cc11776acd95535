// A write that is killed at any of its steps leaves the old file or the new one, and what it left behind is swept. The same for
// whole patches is in test/workspace/perform-patch-fault.test.ts, for the record in test/record/kill.test.ts.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { settlePatch } from "../../src/workspace/perform-patch.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { patchOf } from "../helpers/patch.ts";
import { canTrace, endOf, patchChild } from "../helpers/patch-child.ts";
import { openGate } from "./gate.ts";

const traced = canTrace();

describe.skipIf(!traced)("TH101 killed at a write point (needs strace)", () => {
  it.each(["pwrite64", "fsync", "fchmod", "rename,?renameat", "openat"])(
    "%s",
    { timeout: 60_000 },
    async (calls) => {
      const { folder, gate } = await openGate();
      const blobFolder = join(folder.base, "blobs");
      const blobs = folderBlobs(blobFolder);
      const content = await patchOf(blobs, [{ path: "f", before: "old", after: "new" }]);
      const child = await patchChild(folder.base);
      // An open is a write point too, but the first ones are those of Node itself.
      const first = calls === "openat" ? 40 : 1;
      const step = calls === "openat" ? 25 : 1;
      for (let n = first; n < first + 20 * step; n += step) {
        folder.write("f", "old");
        const fault = `${calls}:signal=KILL:when=${n}`;
        const end = await endOf(
          child.startWithFault({ action: "apply", ws: folder.ws, blobFolder, content }, fault),
        );
        expect(["old", "new"]).toContain(folder.read("f"));
        await settlePatch(gate, blobs, content);
        expect(Object.keys(folder.tree())).toEqual(["f"]);
        if (end !== null) return;
      }
    },
  );
});
