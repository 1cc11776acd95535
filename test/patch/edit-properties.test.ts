import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "../../src/patch/edit.ts";
import { anyText } from "./texts.ts";

const settings = { numRuns: 1000, seed: 7 };
const textWithoutCr = anyText.map((text) => text.replaceAll("\r", ""));
const replacementWithoutCr = fc.oneof(textWithoutCr, fc.constantFrom("", "$&", "x\ny\r\nz"));
// A CR before a CRLF would read as the end of another CRLF once the ending is LF, and mislead the oracle.
const replacement = fc.oneof(
  anyText.map((text) => text.replace(/\r+\r\n/g, "\r\n")),
  fc.constantFrom("", "$&", "$$", "$`", "$1", "x\ny\r\nz"),
);

/** Without a CR or mark that an edit could bring next to a line break or to the beginning, where it reads as another thing. */
const plainText = anyText.map((text) => text.replace(/\r(?!\n)|\r(?=\r)|\uFEFF/g, ""));

/** A text, and a part of it that does not cut a character or a CRLF. */
const partOf = (texts: fc.Arbitrary<string>) =>
  fc
    .tuple(texts, fc.nat(), fc.nat())
    .map(([text, from, length]) => {
      const units = text.replace(/^\uFEFF+/, "").match(/\r\n|[\s\S]/gu) ?? [];
      const start = from % (units.length + 1);
      const end = start + (length % 8);
      const cut = (i: number, j?: number): string => units.slice(i, j).join("");
      return { before: cut(0, start), part: cut(start, end), after: cut(end) };
    })
    .filter(({ part }) => part !== "");

const lf = (text: string): string => text.replaceAll("\r\n", "\n");

/** How often a part occurs, by trying every place: slow and plain. */
function occurrences(text: string, part: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) if (text.startsWith(part, i)) count++;
  return count;
}

test("one edit agrees with slicing, byte for byte outside the match", () => {
  fc.assert(
    fc.property(partOf(anyText), replacement, fc.boolean(), (text, next, bom) => {
      const { before, part, after } = text;
      const mark = bom ? "\uFEFF" : "";
      const file = Buffer.from(mark + before + part + after);
      const copy = Buffer.from(file);
      const result = applyEdits(file, [{ old: part.includes("\r\r\n") ? part : lf(part), new: next }]);
      expect(file).toEqual(copy);
      const count = occurrences(lf(before + part + after), lf(part));
      if (count > 1 || lf(part) === lf(next)) {
        expect(result.ok).toBe(false);
        return;
      }
      if (!result.ok) throw new Error(result.refusal.message);
      const edited = result.value.toString();
      expect(edited.startsWith(mark + before)).toBe(true);
      expect(edited.endsWith(after)).toBe(true);
      const inserted = edited.slice((mark + before).length, edited.length - after.length);
      expect(lf(inserted)).toBe(lf(next));
    }),
    settings,
  );
});

test("in a file with one kind of line ending every written line has it", () => {
  fc.assert(
    fc.property(
      partOf(textWithoutCr),
      replacementWithoutCr,
      fc.constantFrom("\n", "\r\n"),
      ({ before, part, after }, next, ending) => {
        const whole = (text: string): string => lf(text).replaceAll("\n", ending);
        const file = whole(`first\n${before}${part}${after}`);
        const result = applyEdits(Buffer.from(file), [{ old: part, new: next }]);
        if (!result.ok) return;
        const [left, right] = [whole(`first\n${before}`), whole(after)];
        expect(result.value.toString()).toBe(left + whole(next) + right);
      },
    ),
    settings,
  );
});

test("`all` agrees with splitting and joining", () => {
  fc.assert(
    fc.property(partOf(textWithoutCr), replacementWithoutCr, ({ before, part, after }, next) => {
      const file = lf(before + part + after);
      const expected = file.split(lf(part)).join(lf(next));
      const result = applyEdits(Buffer.from(file), [{ old: part, new: lf(next), all: true }]);
      expect(result.ok ? result.value.toString() : file).toBe(expected);
    }),
    settings,
  );
});

test("several edits are one edit after the other, or none", () => {
  const edit = fc.record({ old: plainText, new: plainText, all: fc.boolean() });
  const short = fc.record({
    old: fc.constantFrom("a", "b", "c", "}", "a\n", "\n"),
    new: fc.constantFrom("a", "b", "", "x\ny", "$&"),
    all: fc.boolean(),
  });
  fc.assert(
    fc.property(plainText, fc.array(fc.oneof(short, short, edit), { maxLength: 4 }), (text, edits) => {
      const file = Buffer.from(text);
      const together = applyEdits(file, edits);
      let one: Buffer | null = file;
      for (const next of edits) {
        const step: ReturnType<typeof applyEdits> | null = one && applyEdits(one, [next]);
        one = step?.ok ? step.value : null;
      }
      if (together.ok) expect(together.value).toEqual(one);
      else expect(one === null || one.equals(file)).toBe(true);
      expect(file).toEqual(Buffer.from(text));
    }),
    settings,
  );
});
