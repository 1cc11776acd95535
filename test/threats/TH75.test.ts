// Output is kept up to a limit at both ends, however much comes; what is missing is said.
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";

/** Memory that a run may take while output floods in: what is kept, several times over. */
const memoryBytes = 250 * 1024 * 1024;

describe("TH75 a flood of output", () => {
  it.each([
    ["endless lines", "timeout 2 yes", /\d/],
    ["random bytes", "head -c 100000000 /dev/urandom", /left out|bytes/],
    ["one line of 100 MB", "head -c 100000000 /dev/zero | tr '\\0' a", /left out|bytes/],
  ])("%s", { timeout: 60_000 }, async (_, command, said) => {
    const before = process.memoryUsage().rss;
    const t = await testAgent({
      guided: false,
      steps: [call("run_shell", { command, reason: "r" }), { text: "Done." }],
    });
    await t.run("go");
    const result = t.results()[0] ?? "";
    expect(Buffer.byteLength(result)).toBeLessThan(200_000);
    expect(result).toMatch(said);
    expect(result).not.toMatch(/[\0\u001b]/);
    expect(process.memoryUsage().rss - before).toBeLessThan(memoryBytes);
  });
});
