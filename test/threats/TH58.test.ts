// A working folder that the model names is one of the workspace or none; it never becomes a root of anything.
import { mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectRefused, runCase } from "../cases/support.ts";
import { call, testAgent } from "../helpers/agent.ts";
import { tempFolder, write } from "../workspace/git-fixture.ts";

describe("TH58 a working folder that the model chooses", () => {
  it.each(["/home", "/", "..", "~", "src/../..", "$HOME"])(
    "%s is refused for every kind of command",
    async (cwd) => {
      for (const [tool, input] of [
        ["run_command", { argv: ["ls"] }],
        ["run_shell", { command: "ls" }],
      ] as const)
        expectRefused(
          await runCase({ guided: false, steps: [call(tool, { ...input, cwd, reason: "r" })] }),
          "blocked",
        );
    },
  );

  it("a folder that was swapped with a link after it was shown is not run in", async () => {
    const outside = tempFolder();
    write(outside, { secret: "OUTSIDE\n" });
    const t = await testAgent({
      guided: false,
      files: { "d/f": "x\n" },
      answer: () => {
        renameSync(join(t.root, "d"), join(t.root, "e"));
        symlinkSync(outside, join(t.root, "d"));
        return "approve";
      },
      steps: [call("run_command", { argv: ["touch", "PWNED"], cwd: "d", reason: "r" }), { text: "Done." }],
    });
    await t.run("go");
    expect(t.results()[0]).toMatch(/d is a symbolic link|d changed since/);
    expect(readdirSync(outside)).toEqual(["secret"]);
  });

  it("another folder in its place is another folder", async () => {
    const t = await testAgent({
      guided: false,
      files: { "d/f": "x\n" },
      answer: () => {
        renameSync(join(t.root, "d"), join(t.root, "e"));
        mkdirSync(join(t.root, "d"));
        return "approve";
      },
      steps: [call("run_command", { argv: ["touch", "PWNED"], cwd: "d", reason: "r" }), { text: "Done." }],
    });
    await t.run("go");
    expect(t.results()[0]).toContain("the folder d changed since it was shown");
  });
});
