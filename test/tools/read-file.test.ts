import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFileTool } from "../../src/tools/read-file.ts";
import { sha256 } from "../../src/util/hash.ts";
import { bench } from "./context.ts";

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

async function read(content: string | Uint8Array, range: { start?: number; end?: number } = {}) {
  const b = await bench({ "f.txt": content });
  return b.answer(readFileTool, { path: "f.txt", ...range });
}

describe("the text", () => {
  it("is numbered, below a line with its count and line ending; the fact has the whole file's hash", async () => {
    expect(await read("one\n\ttwo\n")).toEqual({
      outcome: "ok",
      content: "f.txt · 2 lines · LF\n1\tone\n2\t\ttwo",
      facts: [{ type: "file_read", path: "f.txt", hash: sha256("one\n\ttwo\n"), lines: [1, 2] }],
    });
  });

  it.each([
    [{ start: 3, end: 4 }, "3\tline 3\n4\tline 4", [3, 4]],
    [{ start: 5 }, "5\tline 5\n6\tline 6", [5, 6]],
    [{ end: 1 }, "1\tline 1", [1, 1]],
    [{ start: 6, end: 99 }, "6\tline 6", [6, 6]],
  ])("of the range %o", async (range, shown, seen) => {
    const end = await read(lines(6), range);
    expect(end.content).toBe(`f.txt · 6 lines · LF\n${shown}`);
    expect(end.facts).toEqual([{ type: "file_read", path: "f.txt", hash: sha256(lines(6)), lines: seen }]);
  });

  it.each([
    ["a\r\nb\r\n", "f.txt · 2 lines · CRLF\n1\ta\n2\tb"],
    ["a\r\nb\n", "f.txt · 2 lines · mixed line endings\n1\ta\n2\tb"],
    ["a\nb", "f.txt · 2 lines · LF · no newline at the end\n1\ta\n2\tb"],
    ["a", "f.txt · 1 line · no newline at the end\n1\ta"],
    ["\uFEFFa\n", "f.txt · 1 line · LF · UTF-8 with BOM\n1\ta"],
    ["\n\n", "f.txt · 2 lines · LF\n1\t\n2\t"],
    ["", "f.txt · empty"],
    ["\uFEFF", "f.txt · empty · UTF-8 with BOM"],
  ])("of %j says what an edit must know", async (content, shown) => {
    expect(await read(content)).toMatchObject({ outcome: "ok", content: shown });
  });

  it("keeps a CR that ends no line in its line, as edits count lines", async () => {
    expect((await read("a\rb\nc\r\r\nd\n")).content).toBe(
      "f.txt · 3 lines · mixed line endings · with lone CRs\n1\ta\rb\n2\tc\r\n3\td",
    );
  });
});

describe("what is too long", () => {
  it("stops at 2,000 lines and says how to go on; going on ends the file", async () => {
    const b = await bench({ "f.txt": lines(2100) });
    const first = await b.answer(readFileTool, { path: "f.txt" });
    expect(first.content).toMatch(
      /\n2000\tline 2000\n… 100 more lines; go on with read_file \{"path":"f\.txt","start":2001\}$/,
    );
    expect(first.facts).toMatchObject([{ lines: [1, 2000] }]);
    const rest = await b.answer(readFileTool, { path: "f.txt", start: 2001 });
    expect(rest.content).toMatch(/^f\.txt · 2100 lines · LF\n2001\tline 2001\n.*\n2100\tline 2100$/s);
  });

  it("stops at 50 KB", async () => {
    const end = await read(`${"x".repeat(999)}\n`.repeat(100));
    expect(end.content.length).toBeLessThan(51_000);
    expect(end.content).toMatch(/\n49\tx+\n… 51 more lines; go on with .*"start":50\}$/);
  });

  it("cuts a long line and says so, never within a character", async () => {
    const end = await read(`short\n${"x".repeat(1999)}${"😀".repeat(10)}\n`);
    expect(end.content).toBe(
      `f.txt · 2 lines · LF · long lines cut\n1\tshort\n2\t${"x".repeat(1999)}… (line cut, 2019 characters)`,
    );
    expect(end.content).not.toMatch(/\p{Surrogate}/u);
  });
});

describe("what cannot be read", () => {
  it("is a line past the end, or a range that ends before it begins", async () => {
    expect(await read(lines(3), { start: 4 })).toEqual({
      outcome: "error",
      content: "f.txt has 3 lines; there is no line 4.",
      facts: [],
    });
    expect(await read(lines(3), { start: 3, end: 2 })).toEqual({
      outcome: "invalid",
      content: "end (2) comes before start (3).",
      facts: [],
    });
    expect((await read("one\n", { start: 2 })).content).toBe("f.txt has 1 line; there is no line 2.");
  });

  it("is binary, told with its size", async () => {
    expect(await read(Buffer.from([0x7f, 0x45, 0, 1, 2]))).toEqual({
      outcome: "error",
      content: "f.txt is binary (5 bytes); it is not shown.",
      facts: [],
    });
  });

  it.each([
    [Buffer.from("caf\u00e9\n", "latin1"), "caf\uFFFD"],
    [Buffer.from("\uFEFFcaf\u00e9\n", "utf16le"), "caf\u00e9"],
    [Buffer.from("\uFEFFcaf\u00e9\n", "utf16le").swap16(), "caf\u00e9"],
  ])("shows text in another encoding, and says that it cannot be patched (%#)", async (bytes, shown) => {
    expect(await read(bytes)).toMatchObject({
      outcome: "ok",
      content: `f.txt · 1 line · LF · not UTF-8: cannot be patched\n1\t${shown}`,
    });
  });

  it("is not there: names like it are told", async () => {
    const b = await bench({ "src/parser.ts": "", "src/unlike.json": "" });
    expect(await b.answer(readFileTool, { path: "src/praser.ts" })).toMatchObject({
      outcome: "error",
      content: "There is no such file: src/praser.ts. There is: src/parser.ts.",
    });
    expect(await b.answer(readFileTool, { path: "srx/parser.ts" })).toMatchObject({
      outcome: "error",
      content: "There is no such file: srx/parser.ts (no folder srx). There is: src.",
    });
  });

  it("is a folder, a link, protected, hidden or outside", async () => {
    const b = await bench({ ".env": "K=1\n", "hidden.txt": "x\n", ".minicodeignore": "hidden.txt\n" });
    mkdirSync(join(b.root, "src"));
    symlinkSync("hidden.txt", join(b.root, "link"));
    const ends = [];
    for (const path of ["src", "link", ".env", "hidden.txt", "../x"]) {
      ends.push(await b.answer(readFileTool, { path }));
    }
    expect(ends.map(({ outcome }) => outcome)).toEqual(["error", "blocked", "blocked", "blocked", "blocked"]);
    expect(ends[0]?.content).toBe("src is a folder. Use list_dir to see what is in it.");
    expect(ends.flatMap(({ facts }) => facts)).toEqual([]);
    expect(ends.map(({ content }) => content).join()).not.toContain("K=1");
  });
});

it("read_file: the user sees the range", () => {
  const label = (input: object): string => readFileTool.label(readFileTool.input.parse(input));
  expect(label({ path: "a" })).toBe("read a");
  expect(label({ path: "a", start: 2 })).toBe("read a:2-");
  expect(label({ path: "a", end: 5 })).toBe("read a:1-5");
});
