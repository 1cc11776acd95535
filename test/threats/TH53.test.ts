// Sizes are looked at first, and what is shown is a bounded part of it.
// limit: a file of up to 32 MiB is read whole, which takes several times its size for a moment; ripgrep lists every match of a line, so a line of 10 MB that matches at every character costs it 1 GB and up to the 20 s that a search may take
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFileTool } from "../../src/tools/read-file.ts";
import { searchTextTool } from "../../src/tools/search-text.ts";
import { call } from "../tools/call.ts";
import { tempFolder } from "../workspace/git-fixture.ts";

/** Most that a result may be, and most that memory may grow by. */
const resultBytes = 200_000;
const memoryBytes = 250 * 1024 * 1024;

describe("TH53 files of any size", () => {
  it.each<[string, (path: string) => void]>([
    [
      "a sparse file of 10 GB",
      (path) => {
        writeFileSync(path, "");
        truncateSync(path, 10 * 1024 ** 3);
      },
    ],
    ["a million lines", (path) => writeFileSync(path, "line\n".repeat(1_000_000))],
    ["one line of 10 MB", (path) => writeFileSync(path, "a".repeat(10 * 1024 * 1024))],
    ["one line of 100 MB", (path) => writeFileSync(path, Buffer.alloc(100 * 1024 * 1024, "a"))],
  ])("%s is read and searched in bounds", { timeout: 60_000 }, async (_, make) => {
    const root = tempFolder();
    make(join(root, "big"));
    const before = process.memoryUsage().rss;
    const read = await call(readFileTool, root, { path: "big" });
    const found = await call(searchTextTool, root, { pattern: "a" });
    const named = await call(searchTextTool, root, { pattern: "a", path: "big" });
    for (const { content } of [read, found, named])
      expect(Buffer.byteLength(content)).toBeLessThan(resultBytes);
    expect(process.memoryUsage().rss - before).toBeLessThan(memoryBytes);
  });
});
