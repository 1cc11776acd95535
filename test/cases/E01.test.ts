import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sha256 } from "../../src/util/hash.ts";
import { call } from "../helpers/agent.ts";
import { git, repository } from "../workspace/git-fixture.ts";
import { runCase } from "./support.ts";

it("E01: an edit written with LF fits a CRLF file, and every line keeps its CRLF", async () => {
  const root = repository({ "f.txt": "a\r\nb\r\nc\r\n" });
  git(root, "config", "core.autocrlf", "false");
  const c = await runCase({
    root,
    steps: [
      call("read_file", { path: "f.txt" }),
      call("apply_patch", {
        reason: "r",
        changes: [{ path: "f.txt", edits: [{ old: "a\nb", new: "a\nB\nb2" }] }],
      }),
    ],
  });
  expect(c.ended.map(({ outcome }) => outcome)).toEqual(["ok", "ok"]);
  const bytes = readFileSync(join(root, "f.txt"));
  expect(bytes.toString("hex")).toBe("610d0a420d0a62320d0a630d0a");
  expect(bytes).toHaveLength(13);
  expect(sha256(bytes)).toMatch(/^95bda54193daaf33/);
  expect(git(root, "diff", "--numstat")).toBe("2\t1\tf.txt\n");
});
