// K02: a program gets neither the agent's key nor anybody else's. What it can read of MiniCode's own process: K02.e2e.ts.
import { describe, expect, it, onTestFinished } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { rowsToText } from "../../src/view/plain.ts";
import { proposalRows } from "../../src/view/proposal.ts";
import { call, project } from "../helpers/agent.ts";
import { sandboxes } from "../helpers/sandboxes.ts";
import { outputs, runCase, sentText } from "./support.ts";

const script = 'printenv | grep -c 5519; [ -n "$PATH" ] && [ -n "$HOME" ] && echo ok';

/** For this test alone. */
function withVariables(variables: Record<string, string>): void {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  onTestFinished(() => {
    for (const name of Object.keys(variables)) {
      const old = before[name];
      if (old === undefined) delete process.env[name];
      else process.env[name] = old;
    }
  });
}

describe.each(sandboxes)("with sandbox %s", (sandbox) => {
  it("K02: no key of ours is in a program's environment, and what it needs is", async () => {
    withVariables({ OPENAI_API_KEY: "sk-test-ENV-5519", MINICODE_OPENAI_API_KEY: "sk-own-ENV-5519" });
    const c = await runCase({
      files: project({ "test.sh": script, "package.json": '{"name":"p","scripts":{"test":"bash test.sh"}}' }),
      guided: false,
      sandbox,
      steps: [call("run_shell", { command: script, reason: "r" }), call("run_check", {})],
    });
    expect(outputs(c)[0]).toBe("0\nok\n");
    expect(outputs(c)[1]).toMatch(/^0\nok\n/m);
    expect(sentText(c)).not.toContain("ENV-5519");
  });

  it("K02: the panel says whether a program could read the rest", async () => {
    const c = await runCase({
      guided: false,
      sandbox,
      steps: [call("run_command", { argv: ["touch", "x"], reason: "r" })],
    });
    const [proposal] = c.proposals("command");
    if (proposal === undefined) throw new Error("nothing was proposed");
    const panel = rowsToText(proposalRows(proposal, en), { color: false });
    expect(panel.includes("read this process's environment")).toBe(sandbox === "off");
  });
});
