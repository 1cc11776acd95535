import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeText, encodeText } from "../../src/patch/decode.ts";

describe("decodeText", () => {
  test("keeps line endings and takes the byte order mark off", () => {
    const bytes = Buffer.from("\uFEFFa\r\nb\rc\n", "utf8");
    expect(decodeText(bytes)).toEqual({ ok: true, text: "a\r\nb\rc\n", bom: true });
  });

  test("a second mark is text", () => {
    expect(decodeText(Buffer.from("\uFEFF\uFEFFa"))).toEqual({ ok: true, text: "\uFEFFa", bom: true });
  });

  test.each([
    ["Latin-1", [0x63, 0xe9, 0x0a]],
    ["a cut character", [0x61, 0xe4, 0xb8]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["an encoded surrogate", [0xed, 0xa0, 0x80]],
    ["UTF-16 LE with its mark", [0xff, 0xfe, 0x61, 0x00]],
    ["UTF-16 BE with its mark", [0xfe, 0xff, 0x00, 0x61]],
  ])("%s is not UTF-8", (_, bytes) => {
    expect(decodeText(Uint8Array.from(bytes))).toEqual({ ok: false, why: "not_utf8" });
  });

  test("a NUL in the first 8 KB is binary, a later one is text", () => {
    const padding = "a".repeat(8191);
    expect(decodeText(Buffer.from(`${padding}\0`))).toEqual({ ok: false, why: "binary" });
    expect(decodeText(Buffer.from(`${padding}a\0`)).ok).toBe(true);
  });

  test("text that was decoded encodes to the same bytes", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.string({ unit: "binary" }).map((s) => Buffer.from(s)),
        ),
        (bytes) => {
          const decoded = decodeText(bytes);
          if (decoded.ok) expect(encodeText(decoded.text, decoded.bom)).toEqual(Buffer.from(bytes));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
