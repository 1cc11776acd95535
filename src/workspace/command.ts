// Binds a program run to everything that decides what it does, checks that again, and runs it (D8).
// Used by the tools that propose commands and by what performs them.
import { join } from "node:path";
import type { Command, Confinement } from "../protocol/proposal.ts";
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { isInside } from "./environment.ts";
import { findRepository } from "./git-repository.ts";
import { attempt } from "./git-session.ts";
import { bindInputs, hashInput, namedPaths } from "./inputs.ts";
import { packageScripts } from "./package-scripts.ts";
import type { Dir, PathGate } from "./path-gate.ts";
import { type ProcessEnd, runProcess } from "./process.ts";
import { findProgram, programIdOf, withoutBatchFile, workspacePath } from "./program.ts";
import { type Sandbox, wrapped } from "./sandbox.ts";

const maxWords = 64;
const maxCharacters = 8000;

export interface CommandRequest {
  argv: readonly string[];
  /** Workspace folder, as the model wrote it. */
  cwd: string;
  timeoutMs: number;
  /** The environment the program will get; its PATH finds the program. */
  env: Readonly<Record<string, string>>;
  /** Further workspace files to bind, and bodies to show. */
  inputs?: readonly string[];
  scripts?: Command["scripts"];
}

/**
 * The command as it can be shown and approved. Bound are the folder, the program's file, every workspace file that a word
 * names, and for npm, pnpm and yarn the manifest with the scripts that will run.
 */
export async function bindCommand(gate: PathGate, request: CommandRequest): Promise<Result<Command>> {
  const sound = checkWords(request.argv);
  if (!sound.ok) return sound;
  const searchPath = request.env["PATH"] ?? "";
  const argv = await withoutBatchFile(request.argv, searchPath);
  const [name = "", ...words] = argv;

  const dir = await gate.openDir(request.cwd);
  if (!dir.ok) return dir;
  const cwd = dir.value.path;
  const cwdId = idOf(dir.value);
  await dir.value.close();

  const program = await findProgram(gate, name, cwd, searchPath);
  if (!program.ok) return program;
  const named = await namedPaths(gate, words, cwd);
  if (!named.ok) return named;
  const scripts = await packageScripts(gate, request.argv, cwd);
  if (!scripts.ok) return scripts;

  const { program: file } = program.value;
  const own = isInside(gate.root, file) ? [workspacePath(gate, file)] : [];
  return ok({
    argv: [...argv],
    cwd,
    cwdId,
    ...program.value,
    timeoutMs: request.timeoutMs,
    inputs: await bindInputs(gate, [
      ...own,
      ...named.value,
      ...scripts.value.inputs,
      ...(request.inputs ?? []),
    ]),
    scripts: [...scripts.value.scripts, ...(request.scripts ?? [])],
  });
}

/** Whether everything that the command was bound to is still the same. */
export async function verifyCommand(gate: PathGate, command: Command): Promise<Result<void>> {
  const dir = await gate.openDir(command.cwd);
  if (!dir.ok) return dir;
  try {
    return await verifyIn(gate, dir.value, command);
  } finally {
    await dir.value.close();
  }
}

/** Where a program runs: what it gets of the environment, and how it is held. */
export interface Surroundings {
  env: Readonly<Record<string, string>>;
  sandbox: Sandbox;
  /** As the proposal showed it. */
  confinement: Confinement;
}

/** Verifies the command and runs it in that same open folder; a cancelled or failed run is a result too. */
export async function runCommand(
  gate: PathGate,
  command: Command,
  { env, sandbox, confinement }: Surroundings,
  signal: AbortSignal,
  onOutput?: (text: string) => void,
): Promise<Result<ProcessEnd>> {
  const dir = await gate.openDir(command.cwd);
  if (!dir.ok) return dir;
  try {
    const verified = await verifyIn(gate, dir.value, command);
    if (!verified.ok) return verified;
    if (confinement.kind !== sandbox.kind)
      return refuse("error", "The sandbox is not what was shown. Call again.");
    const [argv0 = command.program, ...args] = command.argv;
    const { program, argv, timeoutMs } = command;
    const inside = { env, timeoutMs, signal, cwd: dir.value.child(".") };
    const { root } = gate;
    const cwd = join(root, command.cwd);
    const options =
      sandbox.kind === "none" || confinement.kind === "none"
        ? { ...inside, program, args, argv0 }
        : {
            ...inside,
            ...wrapped(sandbox, confinement, {
              root,
              cwd,
              program,
              argv,
              gitFolder: confinement.git === "writable" ? await gitFolderOutside(root) : null,
            }),
            program: sandbox.program,
            confined: true,
          };
    const end = await runProcess(onOutput === undefined ? options : { ...options, onOutput });
    return ok(confinement.kind === "none" ? end : withoutStart(end));
  } finally {
    await dir.value.close();
  }
}

/** What kept the sandbox from starting the program reads like the program's own failure; it is told as what it is. */
function withoutStart(end: ProcessEnd): ProcessEnd {
  const said = end.outputBytes < 1_000 ? end.output.toString().trim() : "";
  return end.exit === 1 && /^bwrap: .+$/.test(said) ? { ...end, exit: null, spawnError: said } : end;
}

/** Git's own folder where it lies outside of the workspace: of a linked worktree, or of a repository around it. */
async function gitFolderOutside(root: string): Promise<string | null> {
  const found = await attempt(async () => ok(await findRepository(root)));
  if (!found.ok || found.value === null || found.value.proveByConfig) return null;
  const { commonDir } = found.value;
  return isInside(root, commonDir) ? null : commonDir;
}

/** Whether the words are a command that can be shown: named, of a bounded size and without NUL. */
export function checkWords(argv: readonly string[]): Result<void> {
  if (argv[0] === undefined || argv[0] === "") return refuse("invalid", "The command names no program.");
  const characters = argv.reduce((sum, word) => sum + word.length, 0);
  if (argv.length > maxWords || characters > maxCharacters) {
    return refuse(
      "invalid",
      `The command is too long (${argv.length} words, ${characters} characters; at most ${maxWords} and ` +
        `${maxCharacters}). Put the content into a file and name that.`,
    );
  }
  if (argv.some((word) => word.includes("\0"))) {
    return refuse("invalid", "A word of the command has a NUL character in it.");
  }
  return ok(undefined);
}

async function verifyIn(gate: PathGate, dir: Dir, command: Command): Promise<Result<void>> {
  if (idOf(dir) !== command.cwdId) return changed(`the folder ${command.cwd}`);
  if ((await programIdOf(command.program)) !== command.programId) return changed(command.program);
  for (const { path, hash } of command.inputs) {
    if ((await hashInput(gate, path)) !== hash) return changed(path);
  }
  return ok(undefined);
}

function changed(what: string): Result<never> {
  return refuse(
    "error",
    `${what} changed since it was shown. Nothing was run; call again to have it shown anew.`,
  );
}

function idOf(dir: Dir): string {
  return `${dir.dev}:${dir.ino}`;
}
