import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call } from "../helpers/agent.ts";
import { tempFolder } from "../workspace/git-fixture.ts";
import { expectRefused, runCase, sentText } from "./support.ts";

it("P02: a linked folder never leads out of the workspace, for reading, searching or writing", async () => {
  const base = tempFolder();
  const [root, outside] = [join(base, "ws"), join(base, "OUTSIDE")];
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, "t.txt"), "orig-8102\n");
  symlinkSync(outside, join(root, "outbox"));

  const c = await runCase({
    root,
    steps: [
      {
        calls: [
          { name: "read_file", arguments: { path: "outbox/t.txt" } },
          { name: "list_dir", arguments: { path: "outbox" } },
          { name: "search_text", arguments: { pattern: "orig-\\d+" } },
          { name: "search_text", arguments: { pattern: "orig-\\d+", path: "outbox" } },
          { name: "find_files", arguments: { pattern: "*.txt" } },
        ],
      },
      call("apply_patch", {
        reason: "r",
        changes: [{ path: "outbox/t.txt", edits: [{ old: "orig", new: "OWNED" }] }],
      }),
      call("apply_patch", { reason: "r", changes: [{ path: "outbox/new.txt", content: "OWNED\n" }] }),
      call("apply_patch", { reason: "r", changes: [{ path: "outbox/t.txt", delete: true }] }),
    ],
  });
  expect(c.ended.map(({ outcome }) => outcome)).toEqual([
    ...["blocked", "blocked", "ok", "blocked", "ok"],
    ...["blocked", "blocked", "blocked"],
  ]);
  expect(c.ended[0]?.content).toContain("outbox is a symbolic link");
  expect(c.ended[2]?.content).toMatch(/^No matches/);
  expect(c.ended[4]?.content).toMatch(/^No files/);
  expectRefused(c, "blocked");
  expect(sentText(c)).not.toContain("orig-8102");
  expect(readFileSync(join(outside, "t.txt"), "utf8")).toBe("orig-8102\n");
  expect(existsSync(join(outside, "new.txt"))).toBe(false);
});

it("P02: a linked file is refused too, and its target stays as it is", async () => {
  const base = tempFolder();
  const root = join(base, "ws");
  mkdirSync(root);
  writeFileSync(join(base, "t.txt"), "orig-8102\n");
  symlinkSync(join(base, "t.txt"), join(root, "link.txt"));
  const c = await runCase({
    root,
    steps: [
      call("read_file", { path: "link.txt" }),
      call("apply_patch", { reason: "r", changes: [{ path: "link.txt", content: "OWNED\n" }] }),
    ],
  });
  expect(c.ended.map(({ outcome }) => outcome)).toEqual(["blocked", "blocked"]);
  expectRefused(c, "blocked");
  expect(sentText(c)).not.toContain("orig-8102");
  expect(readFileSync(join(base, "t.txt"), "utf8")).toBe("orig-8102\n");
});
