// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
// A program's name counts only where it is written as it is called.
import { describe, expect, it } from "vitest";
import { alwaysAsks, inBash, seen } from "./shell.ts";

describe("TH02 quoting tricks and $IFS", () => {
  it.each(["rg${IFS}--pre=./x${IFS}a", "r''m x", "$'\\x72m' x", "\\rm x", '"rm" x', "r\\m x", "$0 x"])(
    "%s always asks",
    (text) => {
      expect(alwaysAsks(text)).toBe(true);
    },
  );

  it.each(["r''m x", "$'\\x72m' x", "\\rm x", '"rm" x'])("%s is an rm to bash, and to us", async (text) => {
    expect(await inBash(text)).toEqual(["rm"]);
    expect(seen(text).class).toBe("destructive");
  });

  it("quotes around operands hide nothing, so they pass", () => {
    expect(seen("cat 'a' \"b\"").byDefault).toBe("pass");
  });
});
