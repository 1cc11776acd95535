// `npm test` of a project, through a whole agent: what its panel shows and what it leaves. Used by the threats to the test command.
import type { Command } from "../../src/protocol/proposal.ts";
import { call, type TestAgent, testAgent } from "../helpers/agent.ts";
import { panel } from "../view/helpers.ts";

export interface Tested {
  t: TestAgent;
  /** What was bound to the run, and its panel. */
  command: Command;
  panel: string;
  /** What the model got. */
  result: string;
}

export async function npmTest(
  files: Record<string, string>,
  before?: (t: TestAgent) => void,
): Promise<Tested> {
  const t = await testAgent({
    guided: false,
    files,
    steps: [call("run_command", { argv: ["npm", "test"], reason: "r" }), { text: "Done." }],
  });
  before?.(t);
  await t.run("go");
  const content = t.proposals("command")[0]?.content;
  const command = content?.kind === "command" ? content.commands[0] : undefined;
  if (content === undefined || command === undefined) throw new Error("nothing was proposed");
  return { t, command, panel: panel(content), result: t.results()[0] ?? "" };
}
