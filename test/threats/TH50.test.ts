// What was shown is bound to the bytes it was made from; a file that changed since is not written.
import { chmodSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";

async function patched(change: (path: string) => void) {
  const t = await testAgent({
    guided: false,
    files: { f: "one\ntwo\n" },
    answer: () => {
      change(join(t.root, "f"));
      return "approve";
    },
    steps: [
      call("read_file", { path: "f" }),
      call("apply_patch", { changes: [{ path: "f", edits: [{ old: "one", new: "ONE" }] }], reason: "r" }),
      { text: "Done." },
    ],
  });
  await t.run("go");
  return t;
}

describe("TH50 a file that changes between the look and the write", () => {
  it("other bytes: refused with the new hash, the user's text stays", async () => {
    const t = await patched((path) => writeFileSync(path, "one\nmine\n"));
    expect(t.results()[1]).toMatch(/f changed since it was shown \(its content is now sha256 [0-9a-f]{8}\)/);
    expect(t.read("f")).toBe("one\nmine\n");
  });

  it("another mode: refused", async () => {
    const t = await patched((path) => chmodSync(path, 0o755));
    expect(t.results()[1]).toContain("its mode is now 0755");
    expect(t.read("f")).toBe("one\ntwo\n");
  });

  it("the same bytes saved again are the same file", async () => {
    const t = await patched((path) => utimesSync(path, 1, 1));
    expect(t.read("f")).toBe("ONE\ntwo\n");
  });
});
