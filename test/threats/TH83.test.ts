// What would overwrite a line is a visible sign, and both texts are there.
import { describe, expect, it } from "vitest";
import { exactText, safeText } from "../../src/policy/safe-text.ts";
import { leaks, shown } from "./hostile-text.ts";

describe("TH83 text that overwrites itself", () => {
  it.each([
    ["rm -rf /\rls      ", "rm -rf /␍ls      "],
    ["rm x\b\b\b\bls x", "rm x␈␈␈␈ls x"],
    ["a\u000bb\u000cc", "a␋b␌c"],
    ["safe\u0000evil", "safe␀evil"],
    ["x\u007f", "x␡"],
  ])("%j", (text, visible) => {
    expect(leaks(text)).toEqual([]);
    expect(safeText(text)).toBe(visible);
    expect(exactText(text)).toBe(visible);
    expect(shown(text)["panel"]).toContain(visible.split("␍")[0]);
  });

  it.each(["rm a\u202etxt.b", "rm a\u200bb", "rm a\u2066b", "rm \u{e0061}"])(
    "%j shows what reorders or hides",
    (text) => {
      expect(exactText(text)).toMatch(/\\u\{[0-9A-F]+\}/);
    },
  );
});
