import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeOutput, liveText, outputBuffer, wholeCharacters } from "../../src/workspace/output.ts";

/** Bytes with many multi-byte sequences, some of them broken. */
const bytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => Buffer.from(text)),
      fc
        .constantFrom("e2", "e280", "f09f98", "c3", "80", "ff", "f8", "c080", "eda080")
        .map((hex) => Buffer.from(hex, "hex")),
    ),
    { maxLength: 20 },
  )
  .map((parts) => Buffer.concat(parts));

function cutAt(whole: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(whole.subarray(at, at + size));
    at += size;
  }
  return [...pieces, whole.subarray(at)];
}

const sizes = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 });

describe("wholeCharacters", () => {
  test("pieces decode to what the whole decodes to, wherever it is cut", () => {
    fc.assert(
      fc.property(bytes, sizes, (whole, cuts) => {
        const characters = wholeCharacters();
        const pieces = [...cutAt(whole, cuts).map((piece) => characters.push(piece)), characters.end()];
        expect(Buffer.concat(pieces)).toEqual(whole);
        expect(pieces.map(decodeOutput).join("")).toBe(decodeOutput(whole));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("outputBuffer", () => {
  test("keeps everything up to its size", () => {
    fc.assert(
      fc.property(bytes, sizes, (whole, cuts) => {
        const buffer = outputBuffer(whole.length, 1);
        for (const piece of cutAt(whole, cuts)) buffer.push(piece);
        expect(buffer.bytes()).toEqual(whole);
        expect(buffer.total).toBe(whole.length);
      }),
    );
  });

  test("past its size keeps start and end, and says how much it left out", () => {
    fc.assert(
      fc.property(
        fc
          .uint8Array({ minLength: 11, maxLength: 200 })
          .map((data) => Buffer.from(data.map((byte) => byte & 0x7f))),
        fc.array(fc.integer({ min: 0, max: 40 })),
        (whole, cuts) => {
          const buffer = outputBuffer(4, 6);
          for (const piece of cutAt(whole, cuts)) buffer.push(piece);
          const note = `\n[… ${whole.length - 10} bytes left out …]\n`;
          expect(buffer.total).toBe(whole.length);
          const expected = Buffer.concat([whole.subarray(0, 4), Buffer.from(note), whole.subarray(-6)]);
          expect(buffer.bytes()).toEqual(whole.length > 10 ? expected : whole);
        },
      ),
    );
  });

  test("cuts between code points", () => {
    const buffer = outputBuffer(4, 4);
    buffer.push(Buffer.from("ab漢字字漢yz"));
    expect(buffer.bytes().toString()).toBe("ab\n[… 12 bytes left out …]\nyz");
  });
});

describe("liveText", () => {
  test("hands on everything at a readable pace", () => {
    const shown: string[] = [];
    const live = liveText((text) => shown.push(text));
    live.push(Buffer.from("a"));
    live.push(Buffer.from("b\n"));
    live.end();
    live.end();
    expect(shown).toEqual(["ab\n"]);
  });

  test("drops the older part of a flood, by whole lines", () => {
    const shown: string[] = [];
    const live = liveText((text) => shown.push(text));
    for (let i = 0; i < 20_000; i++) live.push(Buffer.from(`line ${i}\n`));
    live.end();
    const text = shown.join("");
    expect(text.length).toBeLessThan(70_000);
    expect(text).toMatch(/^\[…\]\nline \d+\n/);
    expect(text).toMatch(/\nline 19999\n$/);
  });
});
