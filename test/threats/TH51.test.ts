// There is no patch text with headers to be hostile: changes are JSON, paths go through the gate, modes are kept or plain.
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyPatch } from "../../src/workspace/perform-patch.ts";
import { type Case, expectRefused, runCase } from "../cases/support.ts";
import { call } from "../helpers/agent.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { patchOf } from "../helpers/patch.ts";
import { openGate } from "./gate.ts";

const paths = ["a/../../x", "/etc/x", "a\0b", "../x", "~/x", ".git/hooks/x", "a/.git/config", ".GIT/x", ""];
const patch = (change: object): Promise<Case> =>
  runCase({
    guided: false,
    files: { a: "one\n" },
    steps: [call("read_file", { path: "a" }), call("apply_patch", { changes: [change], reason: "r" })],
  });

describe("TH51 hostile paths and modes in a patch", () => {
  it.each(paths)("%j is refused as a new file and as the end of a rename", async (path) => {
    for (const change of [
      { path, content: "x\n" },
      { path: "a", rename_to: path },
    ]) {
      const c = await patch(change);
      expectRefused(c, c.ended[1]?.outcome === "invalid" ? "invalid" : "blocked");
    }
  });

  it.each([{ mode: 0o120000 }, { mode: "160000" }, { symlink: "/etc/passwd" }, { type: "submodule" }])(
    "there is no field for %j",
    async (extra) => {
      expectRefused(await patch({ path: "new", content: "x\n", ...extra }), "invalid");
    },
  );

  it("setuid, setgid and sticky bits are never given", async () => {
    const { folder, gate } = await openGate();
    const blobs = folderBlobs(join(folder.base, "blobs"));
    const content = await patchOf(blobs, [{ path: "x", before: null, after: "x", mode: 0o6755 }]);
    expect((await applyPatch(gate, blobs, content, new AbortController().signal)).ok).toBe(true);
    expect(statSync(join(folder.ws, "x")).mode & 0o7777).toBe(0o755);
  });
});
