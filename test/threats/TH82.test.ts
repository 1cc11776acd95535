// The 8-bit forms of control sequences are known as well as the 7-bit ones.
import { describe, expect, it } from "vitest";
import { safeText } from "../../src/policy/safe-text.ts";
import { leaks } from "./hostile-text.ts";

describe("TH82 8-bit control characters", () => {
  it.each([
    ["\u009b31mred", "red"],
    ["\u009d52;c;x\u009cafter", "after"],
    ["\u0090q\u009cafter", "after"],
    ["\u0085\u008d\u0084x", "x"],
    ["\u009b2J\u009bHx", "x"],
  ])("%j is gone", (text, rest) => {
    expect(leaks(text)).toEqual([]);
    expect(safeText(text)).toBe(rest);
  });

  it("all of C1, alone and before text", () => {
    for (let code = 0x80; code <= 0x9f; code++) expect(leaks(`a${String.fromCharCode(code)}b`)).toEqual([]);
  });
});
