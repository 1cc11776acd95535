// From a command's first word to the real file that will be executed. Used by command.ts and checks.ts.
import { constants } from "node:fs";
import { access, lstat, realpath } from "node:fs/promises";
import { basename, delimiter, isAbsolute, join, posix, relative, sep } from "node:path";
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { isInside } from "./environment.ts";
import type { PathGate } from "./path-gate.ts";

interface Program {
  /** Absolute real path. */
  program: string;
  /** Device, inode, size and modification time. */
  programId: string;
}

/**
 * Finds the program that `name` means in the workspace folder `cwd`: a bare name through `searchPath`, a name with "/"
 * as a workspace file that the gate admits. Links are followed to the file that will run, which is what is bound.
 */
export async function findProgram(
  gate: PathGate,
  name: string,
  cwd: string,
  searchPath: string,
): Promise<Result<Program>> {
  const found = /[/\\]/.test(name)
    ? await byPath(gate, name, cwd, searchPath)
    : await byName(gate, name, cwd, searchPath);
  if (!found.ok) return found;
  const real = found.value;
  if (isInside(gate.root, real)) {
    const admitted = await gate.resolve(real);
    if (!admitted.ok) return admitted;
  }
  const programId = await programIdOf(real);
  return programId === null ? refuse("error", `${real} is not a file.`) : ok({ program: real, programId });
}

/** The identity that a program's file has now; null when there is no regular file (any more). */
export async function programIdOf(program: string): Promise<string | null> {
  const stat = await lstat(program, { bigint: true }).catch(() => null);
  return stat?.isFile() ? `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}` : null;
}

/** The real file that a bare name means, or null. */
export async function onPath(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(delimiter)) {
    for (const file of fileNames(name)) {
      const real = await executable(join(folder, file));
      if (folder !== "" && real !== null) return real;
    }
  }
  return null;
}

/**
 * Windows cannot start `npm.cmd` without a shell; npm's own script is run by node instead, and shown so. Elsewhere the
 * words stay as they are.
 */
export async function withoutBatchFile(
  argv: readonly string[],
  searchPath: string,
): Promise<readonly string[]> {
  const [name, ...rest] = argv;
  if (process.platform !== "win32" || (name !== "npm" && name !== "npx")) return argv;
  const node = await onPath("node", searchPath);
  if (node === null) return argv;
  return ["node", join(node, "..", "node_modules", "npm", "bin", `${name}-cli.js`), ...rest];
}

async function byName(
  gate: PathGate,
  name: string,
  cwd: string,
  searchPath: string,
): Promise<Result<string>> {
  const real = await onPath(name, searchPath);
  if (real !== null) return ok(real);
  if (/\s/.test(name)) {
    return refuse("invalid", `"${name}" is taken as one program name. Give each argument as its own string.`);
  }
  for (const folder of ["node_modules/.bin", ".venv/bin", "venv/bin"]) {
    const local = posix.join(cwd, folder, name);
    if ((await executable(join(gate.root, local))) !== null) {
      return refuse("error", `There is no program ${name} in PATH. Use ${posix.join(folder, name)} instead.`);
    }
  }
  return refuse("error", `There is no program ${name} in PATH.`);
}

async function byPath(
  gate: PathGate,
  name: string,
  cwd: string,
  searchPath: string,
): Promise<Result<string>> {
  const admitted = await gate.resolve(isAbsolute(name) ? name : posix.join(cwd, name));
  if (!admitted.ok) {
    const real = isAbsolute(name) ? await executable(name) : null;
    const sameOnPath = real !== null && (await onPath(basename(name), searchPath)) === real;
    return sameOnPath ? ok(real) : admitted;
  }
  const path = join(gate.root, admitted.value);
  const real = await executable(path);
  if (real !== null) return ok(real);
  const stat = await lstat(path).catch(() => null);
  if (stat === null) return refuse("error", `There is no such program: ${admitted.value}.`);
  if (stat.isDirectory()) return refuse("error", `${admitted.value} is a folder, not a program.`);
  return refuse("error", `${admitted.value} is not executable. Name the interpreter first, then the file.`);
}

/** The real path of an executable regular file, or null. */
async function executable(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    await access(real, constants.X_OK);
    return (await lstat(real)).isFile() ? real : null;
  } catch {
    return null;
  }
}

function fileNames(name: string): string[] {
  if (process.platform !== "win32" || /\.(?:exe|com)$/i.test(name)) return [name];
  return [`${name}.exe`, `${name}.com`];
}

/** The workspace path of an absolute real path inside the root. */
export function workspacePath(gate: PathGate, real: string): string {
  return relative(gate.root, real).split(sep).join("/");
}
