// Nothing is read at bash's start, whatever the environment says.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";
import { tempFolder, trap } from "../workspace/git-fixture.ts";

describe("TH16 code at the shell's start", () => {
  it("BASH_ENV, ENV, exported functions and start-up files run nothing", async () => {
    const marker = join(tempFolder(), "MARKER");
    const script = trap(join(tempFolder(), "trap"), marker);
    for (const [name, value] of Object.entries({
      BASH_ENV: script,
      ENV: script,
      "BASH_FUNC_ls%%": `() { touch ${marker}; }`,
      PROMPT_COMMAND: `touch ${marker}`,
      PS4: `$(touch ${marker})`,
      SHELLOPTS: "xtrace",
      LD_PRELOAD: script,
    }))
      vi.stubEnv(name, value);
    try {
      const t = await testAgent({
        guided: false,
        files: { "there.txt": "x\n", ".bashrc": `touch ${marker}\n` },
        steps: [call("run_shell", { command: "ls; echo ok", reason: "r" }), { text: "Done." }],
      });
      await t.run("go");
      expect(t.results()[0]).toContain("there.txt\nok");
    } finally {
      vi.unstubAllEnvs();
    }
    expect(existsSync(marker)).toBe(false);
  });
});
