// Making a protected file is refused like changing one; making any other asks like changing one.
// limit: in mode trusted the settings of other tools (.vscode, .husky, .mcp.json) are written like any file, with the diff shown.
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";

const protectedPaths = [
  ".minicode/settings.json",
  ".npmrc",
  ".git/hooks/pre-commit",
  ".env",
  "a/.ssh/id_rsa",
  ".yarnrc.yml",
];
const plain = [
  ".vscode/tasks.json",
  ".mcp.json",
  ".husky/pre-commit",
  ".cursor/mcp.json",
  ".agent/settings.json",
];
const create = (path: string) => call("apply_patch", { changes: [{ path, content: "x\n" }], reason: "r" });

describe("TH46 a configuration file that is not there yet", () => {
  it.each(protectedPaths)("%s cannot be made, in any mode", async (path) => {
    const t = await testAgent({
      guided: false,
      permissions: "trusted",
      steps: [create(path), { text: "Done." }],
    });
    await t.run("go");
    expect(t.results()[0]).toContain("is protected");
    expect(t.proposals()).toEqual([]);
  });

  it.each(plain)("%s asks, whether it is there or not", async (path) => {
    const edit = call("apply_patch", { changes: [{ path, edits: [{ old: "old", new: "x" }] }], reason: "r" });
    for (const [files, change] of [
      [{}, create(path)],
      [{ [path]: "old\n" }, edit],
    ] as const) {
      const t = await testAgent({
        guided: false,
        files,
        answer: () => "reject",
        steps: [call("read_file", { path }), change, { text: "Done." }],
      });
      await t.run("go");
      expect(t.proposals("patch")).toHaveLength(1);
      expect(t.results()[1]).toContain("rejected");
    }
  });
});
