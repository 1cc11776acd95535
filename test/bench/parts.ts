// The parts that `npm run bench` measures, ready to be called many times. Bundled by scripts/bench.mjs.
import { classifyShell } from "../../src/policy/shell.ts";
import { createRecord } from "../../src/record/append.ts";
import { bindCommand, runCommand } from "../../src/workspace/command.ts";
import { childEnvironment } from "../../src/workspace/environment.ts";
import { openGit } from "../../src/workspace/git.ts";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import { confinementFor, probeSandbox, type Sandbox } from "../../src/workspace/sandbox.ts";
import { labelledCommands } from "../policy/labelled-commands.ts";

export function labelledTexts(): string[] {
  return Object.values(labelledCommands).flat();
}

export function classify(text: string): void {
  classifyShell(text);
}

export function openGate(folder: string): Promise<PathGate> {
  return openPathGate(folder);
}

export async function openFile(gate: PathGate, path: string): Promise<void> {
  const file = await gate.openFile(path);
  if (!file.ok) throw new Error(file.refusal.message);
  await file.value.handle.close();
}

export async function gitStatus(folder: string): Promise<() => Promise<void>> {
  const gate = await openPathGate(folder);
  return async () => {
    const git = await openGit(gate);
    const status = await git?.status(new AbortController().signal);
    if (!status?.ok) throw new Error("no status");
  };
}

/** Runs a program that does nothing, once as it is and once in the sandbox; the second is null where there is none. */
export async function doNothing(
  folder: string,
): Promise<{ plain(): Promise<void>; confined: (() => Promise<void>) | null }> {
  const gate = await openPathGate(folder);
  const env = childEnvironment(process.env, gate.root);
  const bound = await bindCommand(gate, { argv: ["true"], cwd: ".", timeoutMs: 10_000, env });
  if (!bound.ok) throw new Error(bound.refusal.message);
  const runIn = (sandbox: Sandbox) => async (): Promise<void> => {
    const surroundings = { env, sandbox, confinement: confinementFor(sandbox, []) };
    const ran = await runCommand(gate, bound.value, surroundings, new AbortController().signal);
    if (!ran.ok || ran.value.exit !== 0) throw new Error("it did not run");
  };
  const sandbox = await probeSandbox("auto", env["PATH"] ?? "", []);
  return {
    plain: runIn({ kind: "none", why: "measured without" }),
    confined: sandbox.kind === "none" ? null : runIn(sandbox),
  };
}

export async function appender(folder: string): Promise<() => Promise<void>> {
  const header = {
    type: "session",
    id: "bench",
    version: "0",
    workspace: "/",
    profile: "p",
    model: "m",
  } as const;
  const record = await createRecord(folder, header);
  return async () => {
    await record.append({ type: "fact", fact: { type: "drift", paths: ["a.txt"], by: "other" } });
  };
}
