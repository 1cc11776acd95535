// Bytes outside of an edit stay as they are; a file that is no UTF-8 is not edited at all.
// limit: files in UTF-16 or Latin-1 cannot be edited; a command can convert them.
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../src/patch/edit.ts";

const edit = { old: "x = 1", new: "x = 2" };
const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

describe("TH52 what an edit may not lose", () => {
  it.each<[string, Buffer, Buffer]>([
    ["CRLF", bytes("a\r\nx = 1\r\nb\r\n"), bytes("a\r\nx = 2\r\nb\r\n")],
    ["mixed line ends", bytes("a\nx = 1\r\nb\rc\n"), bytes("a\nx = 2\r\nb\rc\n")],
    ["no last newline", bytes("a\nx = 1"), bytes("a\nx = 2")],
    ["a byte order mark", bytes([0xef, 0xbb, 0xbf], "x = 1\n"), bytes([0xef, 0xbb, 0xbf], "x = 2\n")],
    [
      "U+2028, a lone CR, combining marks",
      bytes("\u2028e\u0301\r\nx = 1\n"),
      bytes("\u2028e\u0301\r\nx = 2\n"),
    ],
  ])("%s stays", (_, before, after) => {
    const result = applyEdits(before, [edit]);
    expect(result.ok && result.value.equals(after)).toBe(true);
  });

  it.each<[string, Buffer]>([
    ["UTF-16LE with its mark", bytes([0xff, 0xfe], Buffer.from("x = 1\n", "utf16le").toJSON().data)],
    ["Latin-1", bytes("x = 1 // caf", [0xe9], "\n")],
    ["half a character at the end", bytes("x = 1\n", [0xe4, 0xb8])],
    ["a lone surrogate", bytes("x = 1\n", [0xed, 0xa0, 0x80])],
    ["NUL bytes", bytes("x = 1\n\0\0")],
  ])("%s is refused", (_, before) => {
    const copy = Buffer.from(before);
    expect(applyEdits(before, [edit]).ok).toBe(false);
    expect(before.equals(copy)).toBe(true);
  });

  it("half a surrogate pair cannot be written", () => {
    expect(applyEdits(Buffer.from("x = 1\n"), [{ old: "x", new: "\ud83d" }]).ok).toBe(false);
  });
});
