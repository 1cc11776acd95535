// run_command: one program with its arguments, no shell. The panel shows the exact argv, the program and the folder.
import * as z from "zod";
import { useOfArgv } from "../policy/command.ts";
import { bindCommand } from "../workspace/command.ts";
import { traitsOnDisk } from "../workspace/command-reach.ts";
import { confinementFor, type Sandbox } from "../workspace/sandbox.ts";
import type { Tool } from "./contract.ts";

const input = z.strictObject({
  argv: z.array(z.string()).min(1).describe("program and arguments; no shell, pipes or globs"),
  cwd: z.string().optional(),
  reason: z.string(),
});

export interface CommandSettings {
  timeoutMs: number;
  environment: Readonly<Record<string, string>>;
  sandbox: Sandbox;
}

export function runCommandTool({
  timeoutMs,
  environment,
  sandbox,
}: CommandSettings): Tool<z.infer<typeof input>> {
  return {
    name: "run_command",
    description:
      "Run one program after the user's RUN; waits for the calls before it. Answers exit code, time and output.",
    input,
    effect: "command",
    limits: `${timeoutMs / 1000} s`,
    label: ({ argv }) => `run ${argv.join(" ")}`,
    prepare: async ({ argv, cwd = ".", reason }, context) => {
      const bound = await bindCommand(context.gate, { argv, cwd, timeoutMs, env: { ...environment } });
      if (!bound.ok) return { kind: "refused", refusal: bound.refusal };
      const traits = await traitsOnDisk(context.gate, useOfArgv(argv), bound.value.cwd);
      return {
        kind: "effect",
        content: {
          kind: "command",
          reason,
          commands: [bound.value],
          traits,
          environment: Object.keys(environment).sort(),
          sandbox: confinementFor(sandbox, traits),
        },
      };
    },
  };
}
