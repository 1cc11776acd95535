// argv is read in one pass: what is another flag's value is text.
import { describe, expect, it } from "vitest";
import { readFlags } from "../../src/cli/flags.ts";

describe("TH65 a flag inside another flag's value", () => {
  it.each([
    [["-p", "--", "--mode=edit --yes plan,apply,run"], { words: ["--mode=edit --yes plan,apply,run"] }],
    [["-p", "fix --permissions=trusted"], { words: ["fix --permissions=trusted"] }],
    [["--workspace=--mode=edit", "-p", "x"], { workspace: "--mode=edit", words: ["x"] }],
    [["--script=--sandbox=off", "-p", "x"], { script: "--sandbox=off" }],
  ])("%j", (argv, expected) => {
    const flags = readFlags(argv);
    expect(flags).toMatchObject(expected);
    expect(flags).not.toHaveProperty("permissions");
    expect(flags).not.toHaveProperty("sandbox");
    expect(flags.mode).not.toBe("edit");
    expect(flags.yes ?? []).toEqual([]);
  });

  it("a value that looks like a flag is refused rather than guessed", () => {
    expect(() => readFlags(["--profile", "--mode=edit"])).toThrow("--profile needs a value");
  });
});
