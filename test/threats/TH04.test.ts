// Subscripts are arithmetic, and arithmetic runs substitutions: the builtins that evaluate their operands are never harmless.
import { describe, expect, it } from "vitest";
import { alwaysAsks, inBash } from "./shell.ts";

describe("TH04 arithmetic subscripts", () => {
  it("run code in bash", async () => {
    expect(await inBash("echo $((a[$(rm x)]))")).toContain("rm");
  });

  it.each([
    "echo $((a[$(rm x)]))",
    "[ -v 'a[$(rm x)]' ]",
    "test -v 'a[$(rm x)]'",
    "[[ -v 'a[$(rm x)]' ]]",
    "printf -v 'a[$(rm x)]' y",
    "read 'a[$(rm x)]' <<<1",
    "let 'a[$(rm x)]=1'",
    "declare 'a[$(rm x)]=1'",
    "unset 'a[$(rm x)]'",
    "(( a[$(rm x)] ))",
  ])("%s always asks", (text) => {
    expect(alwaysAsks(text)).toBe(true);
  });
});
