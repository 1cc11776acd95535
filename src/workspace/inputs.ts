// Files whose content decides what a command does, bound to its proposal by hash (D8). Used by command.ts and checks.ts.
import { lstat, readdir } from "node:fs/promises";
import { isAbsolute, join, posix } from "node:path";
import { parsePath } from "../policy/paths.ts";
import type { Command } from "../protocol/proposal.ts";
import { ok, type Result } from "../protocol/refusal.ts";
import { sha256 } from "../util/hash.ts";
import { homeFolder } from "../util/home-folder.ts";
import type { PathGate } from "./path-gate.ts";
import { joinPath, openRegular, splitPath } from "./path-walk.ts";
import { readHandle } from "./read-handle.ts";

/** Larger files are data rather than code; they are not bound. */
const maxInputBytes = 32 * 1024 * 1024;

/**
 * The hash of a workspace file, or null when there is no regular file of at most 32 MB. It does not ask whether the last
 * name is protected: `.npmrc` decides what npm runs and is never shown. Paths that a model wrote go through the gate first.
 */
export async function hashInput(gate: PathGate, path: string): Promise<string | null> {
  const { folder, name } = splitPath(path);
  const dir = await gate.openDir(folder);
  if (!dir.ok) return null;
  try {
    const opened = await openRegular(dir.value, name);
    if (!opened.ok) return null;
    try {
      const bytes = await readHandle(opened.value.handle, maxInputBytes + 1);
      return bytes.length > maxInputBytes ? null : sha256(bytes);
    } finally {
      await opened.value.handle.close();
    }
  } catch {
    return null;
  } finally {
    await dir.value.close();
  }
}

/** The hashes of those of `paths` that are there, each once, in path order. */
export async function bindInputs(gate: PathGate, paths: Iterable<string>): Promise<Command["inputs"]> {
  const bound: Command["inputs"] = [];
  for (const path of [...new Set(paths)].sort()) {
    const hash = await hashInput(gate, path);
    if (hash !== null) bound.push({ path, hash });
  }
  return bound;
}

/**
 * The workspace paths that a command's words name, seen from the folder `cwd`, existing or not. Refused when a word names
 * something that is there and that the gate keeps closed: a command must not be the way around it.
 */
export async function namedPaths(
  gate: PathGate,
  words: readonly string[],
  cwd: string,
): Promise<Result<string[]>> {
  const paths: string[] = [];
  for (const word of words.flatMap(pathsInWord)) {
    const parsed = parsePath(isAbsolute(word) ? word : posix.join(cwd, word), gate.root, homeFolder());
    if (!parsed.ok) continue;
    const admitted = await gate.resolve(parsed.value);
    if (admitted.ok) paths.push(admitted.value);
    else if (await exists(join(gate.root, parsed.value))) return admitted;
  }
  return ok(paths);
}

/** "--config=a.js" names "a.js"; "-v" and "" name nothing. */
function pathsInWord(word: string): string[] {
  const value = word.slice(word.indexOf("=") + 1);
  return [word.startsWith("-") ? "" : word, value === word ? "" : value].filter((path) => path !== "");
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** The files in a workspace folder whose names match, as workspace paths; none when the folder cannot be read. */
export async function filesMatching(gate: PathGate, folder: string, pattern: RegExp): Promise<string[]> {
  const dir = await gate.openDir(folder);
  if (!dir.ok) return [];
  try {
    const entries = await readdir(dir.value.child("."), { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile() && pattern.test(entry.name));
    return names.map((entry) => joinPath(folder, entry.name)).sort();
  } catch {
    return [];
  } finally {
    await dir.value.close();
  }
}
