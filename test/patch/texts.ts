// Arbitrary file texts with everything that is easily lost: CRLF mixes, lone CRs, marks, no last newline.
import fc from "fast-check";

const pieces = [
  "a",
  "b",
  "if (x) {",
  "  ",
  "\t",
  "}",
  "é",
  "e\u0301",
  "中文",
  "😀",
  "\r",
  "\uFEFF",
  "\u2028",
  "$&",
  "\\",
  "-",
  "+",
];
const patchLike = ["-- a/x", "++ b/x", "@@ -1 +1 @@", "\\ No newline at end of file", "diff --git a/x b/x"];
const line = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("", "a", "b", "c", "}", ...patchLike) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((some) => some.join("")),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: "grapheme", maxLength: 6 }).map((some) => some.replaceAll("\0", "")),
  },
);

/** Text of few kinds of lines, so that sides of a pair have much in common, with any mix of endings. */
export const anyText = fc
  .tuple(fc.array(fc.tuple(line, fc.constantFrom("\n", "\n", "\n", "\r\n")), { maxLength: 30 }), line)
  .map(([lines, last]) => lines.map(([text, ending]) => text + ending).join("") + last);
