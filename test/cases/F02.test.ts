import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { searchTextTool } from "../../src/tools/search-text.ts";
import { call } from "../tools/call.ts";
import { tempFolder, write } from "../workspace/git-fixture.ts";

/** Runs as a user for whom modes count: root reads everything. */
async function unprivileged<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

it("F02: errors are errors, and “no matches” is only said when there are none", async () => {
  const root = tempFolder();
  write(root, { "a.txt": "hit\n", "closed.txt": "hit\n" });
  chmodSync(root, 0o755);
  chmodSync(join(root, "closed.txt"), 0o000);

  expect(await call(searchTextTool, root, { pattern: "(" })).toMatchObject({
    outcome: "invalid",
    content: expect.stringContaining("unclosed group"),
  });
  expect(await call(searchTextTool, root, { pattern: "zzz_absent" })).toMatchObject({
    outcome: "ok",
    content: expect.stringMatching(/^No matches for zzz_absent in \. /),
  });
  expect(await unprivileged(() => call(searchTextTool, root, { pattern: "hit" }))).toMatchObject({
    outcome: "ok",
    content: "1 matching line in 1 file:\na.txt:1: hit\n(could not be read: closed.txt: Permission denied)",
  });
  expect(await call(searchTextTool, root, { pattern: "hit", path: "nowhere" })).toMatchObject({
    outcome: "error",
    content: expect.stringContaining("There is no such file: nowhere"),
  });
  expect(searchTextTool.input.safeParse({ pattern: "" }).success).toBe(false);
});
