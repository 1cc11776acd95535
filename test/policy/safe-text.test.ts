import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSafeStream, exactPieces, exactText, safeLine, safeText } from "../../src/policy/safe-text.ts";
import { forbiddenIn } from "./forbidden.ts";

const family = "👨‍👩‍👧";
const kiss = "👩🏽‍❤️‍💋‍👩🏽";

describe("safeText", () => {
  it.each([
    ["plain text", "a\n\tb ~", "a\n\tb ~"],
    ["colours", "\u001b[1;31mred\u001b[0m", "red"],
    ["clear screen and home", "a\u001b[2J\u001b[Hb", "ab"],
    ["cursor and window queries", "a\u001b[6n\u001b[21tb", "ab"],
    ["bracketed paste off", "a\u001b[?2004lb", "ab"],
    ["terminal reset", "a\u001bcb", "ab"],
    ["charset", "a\u001b(Bb", "ab"],
    ["title, ended by BEL", "a\u001b]0;pwn\u0007b", "ab"],
    ["clipboard, ended by ST", "a\u001b]52;c;SGk=\u001b\\b", "ab"],
    ["link", "\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\", "text"],
    ["DCS, SOS, PM, APC", "a\u001bPq\u001b\\b\u001bXq\u001b\\c\u001b^q\u001b\\d\u001b_Gq\u001b\\e", "abcde"],
    ["8-bit CSI", "a\u009b31mb", "ab"],
    ["8-bit OSC and DCS", "a\u009d52;c;x\u009cb\u0090q\u009cc", "abc"],
    ["other C1", "a\u0085\u0084b", "ab"],
    ["unfinished OSC: the text is still shown", "a\u001b]0;x and more", "a0;x and more"],
    ["unfinished OSC ends with its line", "a\u001b]0;x\nnext", "a0;x\nnext"],
    ["unfinished CSI", "a\u001b[31\nb", "a31\nb"],
    ["unfinished escape", "a\u001b", "a"],
    ["one sequence inside another", "\u001bPtmux;\u001b\u001b]52;c;x\u0007\u001b\\a", "tmux;a"],
    ["lone CR", "safe\revil", "safe␍evil"],
    ["CR LF", "a\r\nb\r\r\n", "a\nb␍\n"],
    ["backspace, NUL, BEL, DEL", "a\b\0\u0007\u007f", "a␈␀␇␡"],
    ["bidi", "rm a\u202etxt.b", "rm a\\u{202E}txt.b"],
    ["zero width", "rm a\u200bb\ufeff", "rm a\\u{200B}b\\u{FEFF}"],
    ["tags", "a\u{e0041}", "a\\u{E0041}"],
    ["line and paragraph separators", "a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
    ["interlinear", "\ufff9a\ufffb", "\\u{FFF9}a\\u{FFFB}"],
    ["Hangul filler", "a\u3164", "a\\u{3164}"],
    ["lone surrogates", "a\ud800b\udc00", "a\\u{D800}b\\u{DC00}"],
    ["private use", "\ue0b0", "\\u{E0B0}"],
    ["CJK", "漢字　テスト 한국어", "漢字　テスト 한국어"],
    ["emoji", `${family}🇩🇪❤️👍🏽${kiss}1️⃣`, `${family}🇩🇪❤️👍🏽${kiss}1️⃣`],
    [
      "a joiner or selector that joins nothing",
      "a\u200db 1\ufe0f2 👨\u200d",
      "a\\u{200D}b 1\\u{FE0F}2 👨\\u{200D}",
    ],
    ["a second selector", "❤\ufe0f\ufe0f", "❤\ufe0f\\u{FE0F}"],
    ["marks", "e\u0301 กำ नमस्ते", "e\u0301 กำ नमस्ते"],
    ["a mark on nothing", "\u0301a\n\u0301", "\\u{301}a\n\\u{301}"],
    ["too many marks", `a${"\u0301".repeat(10)}`, `a${"\u0301".repeat(8)}\\u{301}\\u{301}`],
  ])("T01, TH81-TH85: %s", (_name, input, output) => {
    expect(safeText(input)).toBe(output);
  });

  it("shows a long chain of joined pictures in parts", () => {
    expect(safeText(`👩${"\u200d👩".repeat(10)}`)).toBe(`👩${"\u200d👩".repeat(8)}\\u{200D}👩\u200d👩`);
  });
});

it("safeLine keeps one line", () => {
  expect(safeLine("a\r\nb\tc\n")).toBe("a␊b c␊");
});

describe("exactText", () => {
  it.each([
    ["escape sequences", "\u001b[31m\u009b1m\u001b]0;x\u0007", "␛[31m\\u{9B}1m␛]0;x␇"],
    ["line endings", "a\r\nb\rc\td", "a␍\nb␍c\td"],
    ["hidden characters", "a\u202eb\u200b\u00ad", "a\\u{202E}b\\u{200B}\\u{AD}"],
    ["what passes for a space", "a\u00a0b\u2003c\u2800d　e", "a\\u{A0}b\\u{2003}c\\u{2800}d　e"],
    ["emoji, marks, CJK", `${kiss} e\u0301 漢字`, `${kiss} e\u0301 漢字`],
  ])("shows %s", (_name, input, output) => {
    expect(exactText(input)).toBe(output);
  });

  it("tells a visible form from the same characters in the text", () => {
    expect(exactPieces("\\u{202E}\u202ea")).toEqual([
      { text: "\\u{202E}", hidden: false },
      { text: "\\u{202E}", hidden: true },
      { text: "a", hidden: false },
    ]);
  });
});

const part = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)) },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ..."\u001b|\u001b[|\u001b]0;|\u001bP|\u001b\\|\u009b|\u009d|\u009c|\u0007|31m|52;c;x|\r|\n|\t|\b|a|1|#|;|[".split(
        "|",
      ),
      ..."\u200d|\u200c|\ufe0f|\ufe0e|\u20e3|👩|🏽|❤|🇩|\u0301|\u0301\u0301\u0301\u0301\u0301|\u202e|\u00a0|漢|\ud83d|\udc69".split(
        "|",
      ),
    ),
  },
);
const hostile = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(""));

describe.each([
  ["safeText", safeText],
  ["exactText", exactText],
])("%s, for any text", (_name, clean) => {
  it("has nothing forbidden", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(forbiddenIn(clean(text))).toBeNull();
      }),
      { numRuns: 1000 },
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(clean(clean(text))).toBe(clean(text));
      }),
      { numRuns: 1000 },
    );
  });
});

it("exactText loses nothing: two texts look the same only where one spells a visible form out", () => {
  const speaking = hostile.filter((text) => !/[\\\u2400-\u2421]/.test(text));
  const back = (shown: string) =>
    shown
      .replace(/[\u2400-\u241f]/g, (symbol) => String.fromCharCode(symbol.charCodeAt(0) - 0x2400))
      .replaceAll("\u2421", "\u007f")
      .replace(/\\u\{([0-9A-F]+)\}/g, (_form, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  fc.assert(
    fc.property(speaking, (text) => {
      expect(back(exactText(text))).toBe(text);
    }),
    { numRuns: 1000 },
  );
});

it("the stream gives safeText, however the text is cut", () => {
  fc.assert(
    fc.property(hostile, fc.array(fc.nat(4), { minLength: 1, maxLength: 20 }), (text, sizes) => {
      const stream = createSafeStream();
      let shown = "";
      for (let at = 0, i = 0; at < text.length; i++) {
        const size = (sizes[i % sizes.length] ?? 0) + (i % 2);
        shown += stream.push(text.slice(at, at + size));
        at += size;
      }
      expect(shown + stream.end()).toBe(safeText(text));
    }),
    { numRuns: 1000 },
  );
});

it.each([
  "\u001b]0;",
  "\u001b[1",
  "\u001b",
  "\u009d",
  "\r",
  "e\u0301",
  "👩\u200d",
  "\ud83d",
  "漢",
  "\u200b",
  "\u001b]x\u001b",
  "x\u001b]",
])("takes a megabyte of %j in one pass", (unit) => {
  const text = `a${unit.repeat(Math.ceil(2 ** 20 / unit.length))}`;
  expect(safeText(text).startsWith("a")).toBe(true);
});
