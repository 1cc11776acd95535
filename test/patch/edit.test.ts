import { describe, expect, test } from "vitest";
import { applyEdits, type Edit } from "../../src/patch/edit.ts";
import { sha256 } from "../../src/util/hash.ts";

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replace(/\s/g, ""), "hex");

/** The bytes after the edits, which must succeed. */
function applied(file: string | Buffer, ...edits: Edit[]): Buffer {
  const result = applyEdits(Buffer.from(file), edits);
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

/** The message of the edits, which must be refused and leave the input as it is. */
function refused(file: string | Buffer, ...edits: Edit[]): string {
  const bytes = Buffer.from(file);
  const result = applyEdits(bytes, edits);
  expect(bytes.equals(Buffer.from(file))).toBe(true);
  if (result.ok) throw new Error(`applied: ${JSON.stringify(result.value.toString())}`);
  expect(result.refusal.outcome).toBe("error");
  return result.refusal.message;
}

describe("E01 CRLF", () => {
  test("LF text edits a CRLF file, and written lines get CRLF", () => {
    const after = applied(bytesOf("61 0D 0A 62 0D 0A 63 0D 0A"), { old: "a\nb", new: "a\nB\nb2" });
    expect(after).toEqual(bytesOf("61 0D 0A 42 0D 0A 62 32 0D 0A 63 0D 0A"));
    expect(sha256(after)).toMatch(/^95bda54193daaf33/);
  });

  test.each([
    ["CRLF text edits an LF file", "a\nb\n", { old: "a\r\nb", new: "x\r\ny\r\nz" }, "x\ny\nz\n"],
    [
      "a line split in two keeps its ending",
      "a\r\nb\nc\r\n",
      { old: "b", new: "b1\nb2" },
      "a\r\nb1\nb2\nc\r\n",
    ],
    [
      "the last line without newline follows the line before",
      "a\r\nb",
      { old: "b", new: "b\nc" },
      "a\r\nb\r\nc",
    ],
    [
      "lines of a mixed match keep their own endings",
      "a\r\nb\nc\r\nd\n",
      { old: "a\nb\nc\n", new: "a\nB\nc\n" },
      "a\r\nB\nc\r\nd\n",
    ],
    [
      "replaced lines keep the endings of their places",
      "a\r\nb\nc\r\n",
      { old: "a\nb\nc\n", new: "x\ny\nz\n" },
      "x\r\ny\nz\r\n",
    ],
    [
      "lines inserted into a match take the ending beside them",
      "a\nb\r\nc\n",
      { old: "a\nb\nc", new: "a\nb\nn\nc" },
      "a\nb\r\nn\nc\n",
    ],
    ["joining lines", "a\r\nb\r\nc\n", { old: "a\nb\n", new: "ab\n" }, "ab\r\nc\n"],
    ["a file without line breaks takes them as written", "ab", { old: "b", new: "x\r\ny\nz" }, "ax\r\ny\nz"],
    ["a lone CR is text", "a\rb\n", { old: "a\rb", new: "a\rc" }, "a\rc\n"],
    [
      "every place of `all` has its own endings",
      "x\r\n1\nx\n",
      { old: "x", new: "x\ny", all: true },
      "x\r\ny\r\n1\nx\ny\n",
    ],
  ] satisfies [string, string, Edit, string][])("%s", (_, before, edit, after) => {
    expect(applied(before, edit).toString()).toBe(after);
  });

  test("half of a CRLF does not match", () => {
    expect(refused("a\r\nb\r\n", { old: "a\r", new: "x" })).toContain("not in the file");
  });

  test("line endings alone cannot be edited", () => {
    expect(refused("a\r\nb\r\n", { old: "a\r\nb", new: "a\nb" })).toContain("nothing would change");
  });
});

test("E02 the byte order mark stays and is no part of the text", () => {
  const file = bytesOf("EF BB BF 68 65 6C 6C 6F 0A E4 B8 AD 0A");
  const after = applied(file, { old: "hello", new: "hello2" });
  expect(after).toEqual(bytesOf("EF BB BF 68 65 6C 6C 6F 32 0A E4 B8 AD 0A"));
  expect(sha256(after)).toMatch(/^1417a2e0e99759e8/);
  expect(refused(file, { old: "helo", new: "x" })).not.toContain("\uFEFF");
});

test("E03 replacement text is literal", () => {
  const edit = { old: "X", new: "a$&b$$c$`d$'e$1f" };
  const after = applied("id = X;\n", edit);
  expect(after).toEqual(bytesOf("69 64 20 3D 20 61 24 26 62 24 24 63 24 60 64 24 27 65 24 31 66 3B 0A"));
  expect(sha256(after)).toMatch(/^cfa5c4eb89956988/);
  expect(applied("X X\r\n", { ...edit, all: true }).toString()).toBe(`${edit.new} ${edit.new}\r\n`);
});

test("E04 a file that is not UTF-8 is refused, with what to do", () => {
  const file = bytesOf("63 6F 6E 73 74 20 78 20 3D 20 31 3B 0A 2F 2F 20 63 61 66 E9 0A");
  expect(sha256(file)).toMatch(/^7624f29c9edf7f5c/);
  const message = refused(file, { old: "x = 1", new: "x = 2" });
  expect(message).toContain("not UTF-8");
  expect(message).toContain("converted to UTF-8 first");
});

describe("E05", () => {
  test("empty old text", () => {
    expect(refused("abc\n", { old: "", new: "X" })).toContain("use `content`");
    expect(refused("abc\n", { old: "", new: "X", all: true })).toContain("use `content`");
  });

  test("ambiguous text says how often and where", () => {
    const message = refused("n=1\nn=1\n", { old: "n=1", new: "n=2" });
    expect(message).toContain("occurs 2 times (lines 1, 2)");
    expect(message).toContain("all: true");
  });

  test("old and new the same", () => {
    const message = refused("abc\n", { old: "abc", new: "abc" });
    expect(message).toContain("nothing would change");
    expect(message).not.toContain("not in the file");
  });
});

test("E06 no newline is added at the end", () => {
  const after = applied("line1\nline2\nline3", { old: "line1", new: "LINE1" });
  expect(after.toString()).toBe("LINE1\nline2\nline3");
  expect(sha256(after)).toMatch(/^dbf3989d8b38d48b/);
});

test("E09 curly quotes do not match straight ones; the message names them and the line", () => {
  const file = '// – keep “this”   \nconst name = "Alice";\nx = 1;  \n';
  expect(Buffer.byteLength(file)).toBe(57);
  expect(sha256(file)).toMatch(/^9aecfd6d03ff49b2/);
  const message = refused(file, { old: "const name = “Alice”;", new: 'const name = "Bob";' });
  expect(message).toContain('2|const name = "Alice";');
  expect(message).toContain('“ (U+201C) for "');
  expect(message).toContain('” (U+201D) for "');
});

describe("several edits", () => {
  test("each is applied to the result of the one before", () => {
    expect(applied("a\n", { old: "a", new: "b" }, { old: "b", new: "c\nd" }).toString()).toBe("c\nd\n");
  });

  test("all failures are told and nothing is applied", () => {
    const message = refused(
      "a\nb\nb\n",
      { old: "a", new: "A" },
      { old: "b", new: "c" },
      { old: "zzz", new: "" },
    );
    expect(message).toContain("Nothing was changed: 2 of 3 edits fail");
    expect(message).toContain("Edit 2: The old text occurs 2 times");
    expect(message).toContain("Edit 3: The old text is not in the file");
    expect(message).not.toContain("Edit 1");
  });

  test("an edit that takes the text of a later one is named as the reason", () => {
    const message = refused("one two\n", { old: "one", new: "1" }, { old: "one two", new: "x" });
    expect(message).toContain("an edit before this one changes it");
  });

  test("edits that undo each other change nothing", () => {
    expect(refused("a\n", { old: "a", new: "b" }, { old: "b", new: "a" })).toContain("Nothing would change");
  });

  test("line numbers after an earlier edit say so", () => {
    const message = refused("a\nb b\n", { old: "a", new: "1\n2" }, { old: "b", new: "c" });
    expect(message).toContain("(line 3, counted after the edits before this one)");
  });
});

test("overlapping places count", () => {
  expect(refused("aaa\n", { old: "aa", new: "b" })).toContain("occurs 2 times (line 1)");
  expect(applied("aaaaa\n", { old: "aa", new: "b", all: true }).toString()).toBe("bba\n");
});

test("many places are counted, ten are listed", () => {
  const message = refused("x\n".repeat(30), { old: "x", new: "y" });
  expect(message).toContain("occurs 30 times (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 20 more)");
});

test("half of a surrogate pair is refused on either side", () => {
  expect(refused("😀\n", { old: "\ud83d", new: "x" })).toContain("surrogate");
  expect(refused("a\n", { old: "a", new: "\ude00" })).toContain("surrogate");
});

test("a binary file is refused with its size", () => {
  expect(refused(Buffer.from("a\0b"), { old: "a", new: "b" })).toContain("binary (3 bytes");
});

test("an empty file", () => {
  expect(refused("", { old: "a", new: "b" })).toContain("The file is empty; use `content`");
});

test("repetitive text of 1 MB, matched or not, is answered", () => {
  const file = "a".repeat(1_000_000);
  const half = "a".repeat(500_000);
  expect(refused(file, { old: half, new: "x" })).toContain("occurs 500001 times");
  expect(refused(file, { old: `${half}b`, new: "x" })).toContain("not in the file");
  expect(applied(file, { old: half, new: "x", all: true }).toString()).toBe("xx");
});
