import { expect, it } from "vitest";
import { sha256 } from "../../src/util/hash.ts";
import { call } from "../helpers/agent.ts";
import { git, repository } from "../workspace/git-fixture.ts";
import { runCase } from "./support.ts";

it("E06: a file without a final newline gets none", async () => {
  const root = repository({ "f.txt": "line1\nline2\nline3" });
  const c = await runCase({
    root,
    steps: [
      call("read_file", { path: "f.txt" }),
      call("apply_patch", {
        reason: "r",
        changes: [{ path: "f.txt", edits: [{ old: "line1", new: "LINE1" }] }],
      }),
    ],
  });
  expect(c.read("f.txt")).toBe("LINE1\nline2\nline3");
  expect(Buffer.byteLength(c.read("f.txt"))).toBe(17);
  expect(sha256(c.read("f.txt"))).toMatch(/^dbf3989d8b38d48b/);
  expect(git(root, "diff", "--numstat")).toBe("1\t1\tf.txt\n");
  expect(c.proposals("patch")[0]?.content).toMatchObject({
    files: [
      {
        added: 1,
        removed: 1,
        hunks: [{ lines: ["-line1", "+LINE1", " line2", " line3", "\\ No newline at end of file"] }],
      },
    ],
  });
});
