// A command line is read as bash's and run by bash, whatever shell the user has.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";
import { tempFolder, trap } from "../workspace/git-fixture.ts";
import { inBash, seen } from "./shell.ts";

describe("TH21 another shell's grammar", () => {
  it.each(["ls >! f", "ls >| f", "=ls", "ls *(e:'rm x':)"])("%s asks", (text) => {
    expect(seen(text).byDefault).toBe("ask");
  });

  it("to bash `>! f` writes to a file named !, and so it is shown", async () => {
    expect(await inBash("ls >! f")).toEqual(["ls"]);
    expect(seen("ls >! f").traits).toContain("writes(!)");
  });

  it("SHELL is not used", async () => {
    const marker = join(tempFolder(), "MARKER");
    vi.stubEnv("SHELL", trap(join(tempFolder(), "zsh"), marker));
    try {
      const t = await testAgent({
        guided: false,
        steps: [call("run_shell", { command: "echo $BASH_VERSION$0", reason: "r" }), { text: "Done." }],
      });
      writeFileSync(join(t.root, "a"), "");
      await t.run("go");
      expect(t.proposals("command")[0]?.content).toMatchObject({
        commands: [
          { argv: ["/bin/bash", "--noprofile", "--norc", "-p", "-c", "--", "echo $BASH_VERSION$0"] },
        ],
      });
      expect(t.results()[0]).toMatch(/\d+\.\d+.*bash/);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
