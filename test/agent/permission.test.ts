// What never reaches the gate: commands that the mode or the guided workflow rules out.
import { expect, it } from "vitest";
import { blockReason } from "../../src/agent/permission.ts";
import { classifyArgv } from "../../src/policy/command.ts";
import type { CommandContent } from "../../src/protocol/proposal.ts";
import { call, testAgent } from "../helpers/agent.ts";

const command = (argv: string[]): CommandContent => ({
  kind: "command",
  reason: "",
  commands: [],
  traits: classifyArgv(argv),
  environment: [],
  sandbox: { kind: "none", why: "it is switched off" },
});
const guided = { mode: "edit", guided: true } as const;
const free = { mode: "edit", guided: false } as const;
const check = { origin: "manifest", label: "npm test", baseline: false } as const;

it.each([
  [["rm", "-rf", "src"], "destructive"],
  [["git", "commit", "-m", "x"], "git-writing"],
  [["bash", "-c", "ls"], "unreadable"],
  [["ls"], null],
  [["npm", "run", "build"], null],
])("guided, %j: %s", (argv, why) => {
  const reason = blockReason(command(argv), guided);
  if (why === null) expect(reason).toBeNull();
  else expect(reason).toContain(`Guided tasks do not run ${why} commands`);
  expect(blockReason(command(argv), free)).toBeNull();
});

it("the check is asked even where a command of its kind is barred, but never outside mode edit", () => {
  const opaque = { ...command(["bash", "-c", "ls"]), check };
  expect(blockReason(opaque, guided)).toBeNull();
  for (const mode of ["read", "propose"] as const) {
    expect(blockReason(opaque, { mode, guided: false })).toContain("may not run anything");
  }
});

it("plans and patches are never barred", () => {
  const plan = { kind: "plan", summary: "", steps: [], files: [], origin: "call", added: [], dropped: [] };
  expect(blockReason({ ...plan, kind: "plan", origin: "call" }, guided)).toBeNull();
  const patch = { kind: "patch", reason: "", files: [], outsideScope: [] } as const;
  expect(blockReason({ ...patch, files: [], outsideScope: [] }, free)).toBeNull();
});

it("a barred command is answered without plan or panel", async () => {
  const t = await testAgent({
    steps: [
      call("run_command", { argv: ["rm", "-rf", "x"], reason: "r" }),
      {
        when: { toolOutcome: "blocked", lastContains: "say in your answer what the user should run" },
        text: "ok",
      },
    ],
  });
  expect(await t.run("go")).toEqual({ end: "answered", work: { state: "none" } });
  expect(t.proposals()).toEqual([]);
});
