// No sandbox is a state with a reason, shown on every panel; with --sandbox require nothing runs then.

import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { permit } from "../../src/policy/rules.ts";
import { probeSandbox } from "../../src/workspace/sandbox.ts";
import { call, testAgent } from "../helpers/agent.ts";
import { panel } from "../view/helpers.ts";
import { tempFolder, write } from "../workspace/git-fixture.ts";

const node = call("run_command", { argv: ["node", "-e", "1"], reason: "r" });

describe("TH79 no sandbox on this machine", () => {
  it("not installed, or not working: the reason is told", async () => {
    expect(await probeSandbox("auto", "/nowhere", [])).toEqual({
      kind: "none",
      why: "bubblewrap is not installed",
    });
    const bin = tempFolder();
    write(bin, {
      bwrap:
        "#!/bin/sh\n[ \"$1\" = --help ] && echo --disable-userns && exit 0\necho 'bwrap: No permissions' >&2\nexit 1\n",
    });
    chmodSync(join(bin, "bwrap"), 0o755);
    expect(await probeSandbox("auto", bin, [])).toMatchObject({
      kind: "none",
      why: expect.stringContaining("does not work here"),
    });
  });

  it("project code asks in every mode, confined or not", () => {
    const request = {
      tool: "run_command",
      kind: "effect",
      traits: ["runs-project-code"],
      found: [],
      programs: [["node", "a"]],
      paths: [],
      trees: [],
    } as const;
    const situation = {
      mode: "trusted",
      rules: [],
      always: new Map(),
      guided: false,
      tainted: false,
    } as const;
    expect(permit(request, situation).verdict).toBe("ask");
  });

  it("auto runs without one and says so, require refuses to begin", async () => {
    vi.stubEnv("PATH", tempFolder());
    try {
      const t = await testAgent({
        guided: false,
        sandbox: "auto",
        answer: () => "reject",
        steps: [call("run_shell", { command: "rm x", reason: "r" }), { text: "Done." }],
      });
      await t.run("go");
      const content = t.proposals("command")[0]?.content;
      expect(content && panel(content)).toContain("sandbox: none, bubblewrap is not installed");
      await expect(testAgent({ sandbox: "require", steps: [node] })).rejects.toMatchObject({
        code: expect.stringMatching(/^E_/),
        message: expect.stringContaining("bubblewrap is not installed"),
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
