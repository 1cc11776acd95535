// Where a part runs is folded from the `cd` before it: a relative path means what it means there.
// limit: a command line that writes to a protected place is not refused but always asks, with the place named; the sandbox keeps .git read-only.
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";
import { alwaysAsks, seen } from "./shell.ts";

describe("TH13 cd, then a relative write", () => {
  it.each([
    "cd .git && echo x > config",
    "cd src/../.git; echo x > hooks/y",
    "cd $x && cat a",
    "cd - && cat a",
    "cd .. && cat a",
  ])("%s always asks", (text) => {
    expect(alwaysAsks(text)).toBe(true);
  });

  it("names the protected place", () => {
    expect(seen("cd .git && echo x > config").traits).toContain("opaque(.git)");
    expect(seen("cd src && cat a")).toMatchObject({ class: "read-only", byDefault: "pass" });
  });

  it("a run_shell that starts in .git is refused without a question", async () => {
    const t = await testAgent({
      guided: false,
      permissions: "trusted",
      files: { ".git/config": "[core]\n" },
      steps: [call("run_shell", { command: "echo x > config", cwd: ".git", reason: "r" }), { text: "Done." }],
    });
    await t.run("go");
    expect(t.proposals()).toEqual([]);
    expect(t.results()[0]).toContain(".git is protected");
    expect(t.read(".git/config")).toBe("[core]\n");
  });
});
