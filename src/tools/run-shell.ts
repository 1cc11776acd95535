// run_shell: one command line, read by bash exactly as it is written. The panel shows its parts one by one, then the text.
import { access } from "node:fs/promises";
import { posix } from "node:path";
import * as z from "zod";
import { classifyShell, type ShellReading } from "../policy/shell.ts";
import { refuse } from "../protocol/refusal.ts";
import { bindCommand, checkWords } from "../workspace/command.ts";
import { traitsOnDisk } from "../workspace/command-reach.ts";
import { packageScripts } from "../workspace/package-scripts.ts";
import type { PathGate } from "../workspace/path-gate.ts";
import { confinementFor } from "../workspace/sandbox.ts";
import type { Tool } from "./contract.ts";
import type { CommandSettings } from "./run-command.ts";

const input = z.strictObject({
  command: z.string().describe("for bash; pipes, && and redirects work; no input, no background"),
  cwd: z.string().optional(),
  reason: z.string(),
});

/** Never the user's own shell, and nothing of theirs is read at its start (TH16, TH21). */
const shells: readonly (readonly [string, ...string[]])[] = [
  ["/bin/bash", "--noprofile", "--norc", "-p", "-c", "--"],
  ["/bin/sh", "-c", "--"],
];

export function runShellTool({
  timeoutMs,
  environment,
  sandbox,
}: CommandSettings): Tool<z.infer<typeof input>> {
  return {
    name: "run_shell",
    description:
      "Run a command line in bash after the user's RUN; waits for the calls before it. Plain reads may pass without asking. Use run_command for a single program.",
    input,
    effect: "command",
    limits: `${timeoutMs / 1000} s`,
    label: ({ command }) => `shell ${command}`,
    prepare: async ({ command, cwd = ".", reason }, { gate }) => {
      const shell = await firstShell();
      if (shell === null) {
        return {
          kind: "refused",
          refusal: refuse("error", "There is no bash or sh on this system. Use run_command.").refusal,
        };
      }
      if (command.trim() === "") {
        return { kind: "refused", refusal: refuse("invalid", "The command is empty.").refusal };
      }
      const sound = checkWords([...shell, command]);
      // Reading a text of any size would take as long as it likes.
      if (!sound.ok) return { kind: "refused", refusal: sound.refusal };
      const reading = classifyShell(command);
      const bound = await bindCommand(gate, {
        argv: [...shell, command],
        cwd,
        timeoutMs,
        // Only to find the shell, in the folders that hold no other one of its name.
        env: { PATH: "/bin:/usr/bin" },
        ...(await insideOf(gate, reading, cwd)),
      });
      if (!bound.ok) return { kind: "refused", refusal: bound.refusal };
      const traits = await traitsOnDisk(gate, reading.use, bound.value.cwd);
      return {
        kind: "effect",
        content: {
          kind: "command",
          reason,
          shell: command,
          commands: [bound.value],
          traits,
          environment: Object.keys(environment).sort(),
          sandbox: confinementFor(sandbox, traits),
        },
      };
    },
  };
}

async function firstShell(): Promise<readonly [string, ...string[]] | null> {
  for (const shell of shells) {
    const there = await access(shell[0]).then(
      () => true,
      () => false,
    );
    if (there) return shell;
  }
  return null;
}

/** The files that the parts name, to be bound, and the bodies of the package scripts that they run. */
async function insideOf(gate: PathGate, { parts }: ShellReading, cwd: string) {
  const inputs: string[] = [];
  const scripts: { name: string; body: string }[] = [];
  for (const part of parts) {
    if (part.argv === null || part.cwd === null) continue;
    const folder = posix.join(cwd, part.cwd);
    const words = part.argv.filter((word) => !word.startsWith("-") && !posix.isAbsolute(word));
    inputs.push(...words.map((word) => posix.join(folder, word)).filter((path) => !path.startsWith("..")));
    // What cannot be read here fails when it runs; it is no reason not to ask.
    const found = await packageScripts(gate, part.argv, folder);
    if (!found.ok) continue;
    inputs.push(...found.value.inputs);
    scripts.push(...found.value.scripts);
  }
  return { inputs, scripts };
}
