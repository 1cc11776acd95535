// An option counts only as the table has it, whole: an abbreviation is unknown, and what is unknown asks.
import { describe, expect, it } from "vitest";
import { alwaysAsks, seen } from "./shell.ts";

describe("TH08 abbreviated long options", () => {
  it.each([
    "sort --compress-prog=./x big",
    "sort --compress-program=./x big",
    "git grep --open-files-in-page=./x a",
    "git grep -O./x a",
    "sort --outp=OUT a",
    "grep --fil=.env a",
    "rg --pr=./x a",
    "date --se=now",
  ])("%s always asks", (text) => {
    expect(alwaysAsks(text)).toBe(true);
  });

  it("git ls-remote --upload-pa=./x asks as network and project code", () => {
    const { class: name, byDefault, traits } = seen("git ls-remote --upload-pa=./x .");
    expect([name, byDefault]).toEqual(["shell-write", "ask"]);
    expect(traits).toContain("network(git ls-remote)");
  });

  it("the whole option of a reader passes", () => {
    expect(seen("sort --numeric-sort --reverse a").byDefault).toBe("pass");
  });
});
