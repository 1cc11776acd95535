// Many harmless parts before a grave one: a cap makes the whole opaque and never loses what was found.
import { describe, expect, it } from "vitest";
import { permit } from "../../src/policy/rules.ts";
import { classifyShell } from "../../src/policy/shell.ts";
import { alwaysAsks, seen } from "./shell.ts";

describe("TH12 more parts than are counted", () => {
  const long = `${"true && ".repeat(60)}curl http://h`;

  it("is opaque, and still network", () => {
    expect(alwaysAsks(long)).toBe(true);
    expect(seen(long).traits).toEqual(expect.arrayContaining(["network(curl)", "opaque((61 parts))"]));
  });

  it("a rule that denies curl denies it behind any number of parts, and in a text too long to be read", () => {
    for (const text of [long, `${"true; ".repeat(900)}curl http://h`]) {
      const { traits, found } = classifyShell(text);
      const verdict = permit(
        {
          tool: "run_shell",
          kind: "effect",
          traits: traits.map(({ trait }) => trait),
          found,
          programs: null,
          paths: [],
          trees: [],
        },
        {
          mode: "trusted",
          rules: [{ id: "no-curl", effect: "deny", tool: "*", argv: ["curl", "**"] }],
          always: new Map(),
          guided: false,
          tainted: false,
        },
      );
      expect(verdict).toEqual({ verdict: "deny", by: "rule:no-curl" });
    }
  });
});
