// Making a protected file is refused like changing one; one that other programs act on asks in every mode, new or not.
// limit: a program of the project that was let run can write them in the sandbox; a manifest's scripts run when the user next installs
import { describe, expect, it } from "vitest";
import { actedOnBy } from "../../src/policy/self-acting.ts";
import { classifyShell } from "../../src/policy/shell.ts";
import { call, testAgent } from "../helpers/agent.ts";

const protectedPaths = [
  ".minicode/settings.json",
  ".npmrc",
  ".git/hooks/pre-commit",
  ".env",
  "a/.ssh/id_rsa",
  ".yarnrc.yml",
];
const acted = [
  ".vscode/tasks.json",
  ".mcp.json",
  ".husky/pre-commit",
  ".cursor/mcp.json",
  ".agent/settings.json",
  "packages/a/.devcontainer/devcontainer.json",
  ".github/workflows/ci.yml",
  ".RVMRC",
  "AGENTS.md",
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

  it.each(acted)(
    "%s asks in mode trusted, whether it is there or not, and the panel says why",
    async (path) => {
      const edit = call("apply_patch", {
        changes: [{ path, edits: [{ old: "old", new: "x" }] }],
        reason: "r",
      });
      for (const [files, change] of [
        [{}, create(path)],
        [{ [path]: "old\n" }, edit],
      ] as const) {
        const t = await testAgent({
          guided: false,
          permissions: "trusted",
          files,
          answer: () => "reject",
          steps: [call("read_file", { path }), change, { text: "Done." }],
        });
        await t.run("go");
        const [proposal] = t.proposals("patch");
        expect(proposal?.content).toMatchObject({ files: [{ path, notes: [actedOnBy(path)] }] });
        expect(t.results()[1]).toContain("rejected");
      }
    },
  );

  it.each([
    "echo x > .husky/pre-commit",
    "cp a.json .vscode/tasks.json",
    "mkdir .github/workflows/x",
    "tee .rvmrc",
    "cp -r payload .husky",
    "mv payload .github",
    "mv d/.vscode .",
    "cp tasks.json a/.vscode",
    "mkdir node_modules/.bin",
  ])("the command line %s is never let through by a mode", (text) => {
    expect(classifyShell(text).traits.map(({ trait }) => trait)).toContain("opaque");
  });

  it.each([
    "src/husky/pre-commit.ts",
    "vscode/tasks.json",
    "docs/agents.html",
    "a.rvmrc",
    "workflows/ci.yml",
    "src/bin/x",
    "mcp.json",
  ])("%s is a file like any other", (path) => {
    expect(actedOnBy(path)).toBeNull();
  });
});
