// What would take a parser long is not parsed at all.
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";
import { alwaysAsks } from "./shell.ts";

describe("TH17 texts that make a parser slow", () => {
  it.each<[string, string]>([
    ["20,000 brackets", "(".repeat(20_000)],
    ["20,001 back-ticks", "`".repeat(20_001)],
    ["4,000 brackets", "(".repeat(4_000)],
    ["2,000 substitutions", "$(".repeat(2_000)],
    ["4,000 quotes", "'\"".repeat(2_000)],
    ["4,000 braces", "{".repeat(4_000)],
    ["1,300 here-documents", "<<a".repeat(1_300)],
  ])("%s always ask, soon", { timeout: 5_000 }, (_, text) => {
    // Ten of them within the time limit of one test.
    for (let i = 0; i < 10; i++) expect(alwaysAsks(text)).toBe(true);
  });

  it("a command line of a megabyte is refused, unread", { timeout: 5_000 }, async () => {
    const t = await testAgent({
      guided: false,
      steps: [call("run_shell", { command: "ls ".repeat(350_000), reason: "r" }), { text: "Done." }],
    });
    await t.run("go");
    expect(t.proposals()).toEqual([]);
    expect(t.results()[0]).toContain("too long");
  });
});
