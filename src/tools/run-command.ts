// run_command: one program with its arguments, no shell. The panel shows the exact argv, the program and the folder.
import * as z from "zod";
import { classifyArgv } from "../policy/command.ts";
import { bindCommand } from "../workspace/command.ts";
import type { Tool } from "./contract.ts";

const input = z.strictObject({
  argv: z.array(z.string()).min(1).describe("program and arguments; no shell, pipes or globs"),
  cwd: z.string().optional(),
  reason: z.string(),
});

export interface CommandSettings {
  timeoutMs: number;
  environment: Readonly<Record<string, string>>;
}

export function runCommandTool({ timeoutMs, environment }: CommandSettings): Tool<z.infer<typeof input>> {
  return {
    name: "run_command",
    description:
      "Run one program after the user's RUN; waits for the calls before it. Answers exit code, time and output.",
    input,
    effect: "command",
    label: ({ argv }) => `run ${argv.join(" ")}`,
    prepare: async ({ argv, cwd = ".", reason }, context) => {
      const bound = await bindCommand(context.gate, { argv, cwd, timeoutMs, env: { ...environment } });
      if (!bound.ok) return { kind: "refused", refusal: bound.refusal };
      return {
        kind: "effect",
        content: {
          kind: "command",
          reason,
          commands: [bound.value],
          traits: classifyArgv(argv),
          environment: Object.keys(environment).sort(),
          sandbox: "none",
        },
      };
    },
  };
}
