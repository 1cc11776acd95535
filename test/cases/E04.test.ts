import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sha256 } from "../../src/util/hash.ts";
import { call } from "../helpers/agent.ts";
import { expectRefused, runCase } from "./support.ts";

const latin1 = Buffer.from("636F6E73742078203D20313B0A2F2F20636166E90A", "hex");

// Of the two right answers we chose A: a file that is not UTF-8 is shown, and never patched.
it("E04: an edit in a Latin-1 file is refused, and no byte of it changes", async () => {
  const c = await runCase({
    files: { "f.js": latin1 },
    steps: [
      call("read_file", { path: "f.js" }),
      call("apply_patch", {
        reason: "r",
        changes: [{ path: "f.js", edits: [{ old: "x = 1", new: "x = 2" }] }],
      }),
    ],
  });
  expectRefused(c, "error");
  expect(c.ended[0]?.content).toContain("not UTF-8");
  expect(c.ended[1]?.content).toContain("The file is not UTF-8 text");
  const bytes = readFileSync(join(c.root, "f.js"));
  expect(bytes).toEqual(latin1);
  expect(sha256(bytes)).toMatch(/^7624f29c9edf7f5c/);
});
