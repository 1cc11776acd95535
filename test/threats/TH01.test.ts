// What other readers take for a blank is a letter to bash: a text with anything but printable ASCII, TAB and LF is not read at all.
import { describe, expect, it } from "vitest";
import { alwaysAsks, inBash, seen } from "./shell.ts";

describe("TH01 white space that is none in bash", () => {
  it.each(["ls\rrm -rf x", "pwd\u000b^", "cat\f", "ls\u00a0-la", "ls\u2028rm x", "ls\0"])(
    "%j always asks",
    (text) => {
      expect(alwaysAsks(text)).toBe(true);
      expect(seen(text).traits.some((trait) => trait.startsWith("opaque("))).toBe(true);
    },
  );

  it("bash takes the CR for a part of the name, and a deny rule still sees the rm", async () => {
    expect(await inBash("ls\rrm -rf x")).toEqual(["ls\rrm"]);
    expect(seen("ls\rrm -rf x").traits).toContain("destructive(rm)");
  });
});
