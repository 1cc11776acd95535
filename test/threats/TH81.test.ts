// A control string that does not end takes nothing else with it, and none of it reaches the terminal as one.
import { describe, expect, it } from "vitest";
import { createSafeStream, safeText } from "../../src/policy/safe-text.ts";
import { leaks, shown } from "./hostile-text.ts";

const openers = [
  "\u001b]52;c;ZXZpbA==",
  "\u001bPq",
  "\u001b_Gf=100;",
  "\u001b^x",
  "\u001bXx",
  "\u009d52;c;x",
  "\u0090q",
  "\u001b[31",
  "\u001b",
];

describe("TH81 a control string without an end", () => {
  it.each(openers)("%j leaks nowhere, and what follows is shown", (opener) => {
    expect(leaks(opener)).toEqual([]);
    expect(leaks(`before${opener}after`)).toEqual([]);
    expect(safeText(`before${opener}\nafter`)).toMatch(/^before[\s\S]*\nafter$/);
    expect(shown(opener)["model"]).toContain("end of output");
  });

  it.each(openers)("%j in two pieces is the same", (opener) => {
    for (let at = 1; at < opener.length; at++) {
      const stream = createSafeStream();
      const text = stream.push(opener.slice(0, at)) + stream.push(opener.slice(at)) + stream.end();
      expect(text).toBe(safeText(opener));
    }
  });
});
