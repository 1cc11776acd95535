import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sha256 } from "../../src/util/hash.ts";
import { call } from "../helpers/agent.ts";
import { expectRefused, runCase, sentText } from "./support.ts";

it("E02: a byte order mark stays in the file and never reaches the model", async () => {
  const c = await runCase({
    files: { "f.txt": Buffer.from("EFBBBF68656C6C6F0AE4B8AD0A", "hex") },
    steps: [
      call("read_file", { path: "f.txt" }),
      call("apply_patch", {
        reason: "r",
        changes: [{ path: "f.txt", edits: [{ old: "hello", new: "hello2" }] }],
      }),
      call("search_text", { pattern: "hello" }),
    ],
  });
  expect(c.ended.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok"]);
  const bytes = readFileSync(join(c.root, "f.txt"));
  expect(bytes.toString("hex").toUpperCase()).toBe("EFBBBF68656C6C6F320AE4B8AD0A");
  expect(bytes).toHaveLength(14);
  expect(sha256(bytes)).toMatch(/^1417a2e0e99759e8/);
  expect(c.ended[0]?.content).toBe("f.txt · 2 lines · LF · UTF-8 with BOM\n1\thello\n2\t中");
  expect(sentText(c)).not.toMatch(/\uFEFF|\\ufeff/i);
});

it("E02: an old text that spells the mark out is refused, for it is no part of the text", async () => {
  const edits = [{ old: "\uFEFFhello", new: "\uFEFFhello2" }];
  const c = await runCase({
    files: { "f.txt": "\uFEFFhello\n" },
    steps: [
      call("read_file", { path: "f.txt" }),
      call("apply_patch", { reason: "r", changes: [{ path: "f.txt", edits }] }),
    ],
  });
  expectRefused(c, "error");
});
