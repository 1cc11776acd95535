// Of find only the tests that read are known; each action that writes, removes or runs asks.
import { describe, expect, it } from "vitest";
import { alwaysAsks, seen } from "./shell.ts";

describe("TH19 find that does more than find", () => {
  it.each([
    "find f -fprintf OUT x",
    "find f -fprint OUT",
    "find f -fprint0 OUT",
    "find f -fls OUT",
    "find f -exec ./x {} \\;",
    "find f -exec rm {} +",
    "find f -execdir ./x {} \\;",
    "find f -ok ./x {} \\;",
    "find f -okdir ./x {} \\;",
    "find f -delete",
    "find f -files0-from a",
    "find -H / -name x",
  ])("%s always asks", (text) => {
    expect(alwaysAsks(text)).toBe(true);
  });

  it("removing is destructive", () => {
    expect(seen("find f -delete").class).toBe("destructive");
    expect(seen("find f -exec rm {} +").class).toBe("destructive");
    expect(seen("find src -type f -name '*.ts' -print").byDefault).toBe("pass");
  });
});
