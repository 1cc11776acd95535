// How many operands a reader reads is part of its table: one more is a file that it writes.
import { describe, expect, it } from "vitest";
import { alwaysAsks, seen } from "./shell.ts";

describe("TH09 readers that write an operand", () => {
  it.each([
    "uniq f OUT",
    "xxd f OUT",
    "xxd -r f OUT",
    "sort -o OUT f",
    "sort f -oOUT",
    "tree -o OUT",
    "cut -f1 f >OUT.key",
  ])("%s always asks", (text) => {
    expect(alwaysAsks(text)).toBe(true);
  });

  it("a redirection writes, and asks by default", () => {
    expect(seen("uniq f > OUT")).toMatchObject({ class: "workspace-write", byDefault: "ask" });
  });

  it.each(["uniq f", "xxd f", "sort f g"])("%s only reads", (text) => {
    expect(seen(text)).toMatchObject({ class: "read-only", byDefault: "pass" });
  });
});
