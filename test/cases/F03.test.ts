import { expect, it } from "vitest";
import { searchTextTool } from "../../src/tools/search-text.ts";
import { call } from "../tools/call.ts";
import { tempFolder, write } from "../workspace/git-fixture.ts";

it("F03: one huge line is cut around its match", async () => {
  const root = tempFolder();
  write(root, { "min.js": `${"a".repeat(300_000)}needle${"b".repeat(300_000)}\n` });
  const { outcome, content } = await call(searchTextTool, root, { pattern: "needle" });
  expect(outcome).toBe("ok");
  expect(content).toMatch(
    /^1 matching line in 1 file:\nmin\.js:1: …a+needleb+… \(line of 600006 characters\)$/,
  );
  expect(Buffer.byteLength(content)).toBeLessThan(4096);
});

it("F03: many hits are capped, and the number left out is said", async () => {
  const root = tempFolder();
  write(root, Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`f${1000 + i}.txt`, "needle\n"])));
  const { content } = await call(searchTextTool, root, { pattern: "needle" });
  const lines = content.split("\n");
  expect(lines[0]).toBe(
    "600 matching lines in 600 files; the first 100 by path (500 left out; narrow the pattern, path or glob):",
  );
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toBe("f1099.txt:1: needle");
});
