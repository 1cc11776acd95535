// What the paths in a command really are: the half of its classification that only the files can tell (TH42–TH44, K01).
// Used by the tools that propose commands; the pure half is src/policy/commands/.
import { lstat, readdir } from "node:fs/promises";
import { posix } from "node:path";
import { once, one, type Touch, type Use } from "../policy/commands/use.ts";
import { actedOnBy } from "../policy/self-acting.ts";
import type { Trait } from "../protocol/proposal.ts";
import type { PathGate } from "./path-gate.ts";
import { joinPath, splitPath } from "./path-walk.ts";

/** Folders with more entries than this below them are not looked through. */
const maxEntries = 3000;

type Kind = "missing" | "closed" | "link" | "shared" | "file" | "folder" | "special";

const fine: Readonly<Record<Touch["how"], readonly Kind[]>> = {
  file: ["missing", "file", "shared"],
  tree: ["missing", "file", "shared"],
  names: ["missing", "file", "shared", "folder", "special"],
  folder: ["missing", "folder"],
  glob: ["missing"],
  // What is written into a file with two names is written into both (TH43).
  write: ["missing", "file", "folder"],
  copied: ["missing", "file", "shared"],
  placed: ["missing", "file", "folder"],
};

/**
 * A command's traits with what its paths really are, seen from the workspace folder `cwd`: opaque where one is or leads over a
 * link, is protected or hidden, or where a folder that is read whole holds such a file.
 */
export async function traitsOnDisk(gate: PathGate, { traits, touches }: Use, cwd: string): Promise<Trait[]> {
  const all = [...traits];
  for (const touch of touches) {
    const because = await closedBy(gate, touch, posix.join(cwd, touch.path));
    if (because !== null) all.push(one("opaque", because));
  }
  return once(all);
}

/** The word, or the path below it, that stands in the way; null when there is none. */
async function closedBy(gate: PathGate, { word, how }: Touch, path: string): Promise<string | null> {
  if (how === "glob") return globClosedBy(gate, word, path);
  const kind = await kindOf(gate, path);
  if (kind === "folder" && (how === "tree" || how === "copied")) {
    return treeClosedBy(gate, word, path, how === "copied");
  }
  return fine[how].includes(kind) ? null : word;
}

async function kindOf(gate: PathGate, path: string): Promise<Kind> {
  if (!(await gate.resolve(path)).ok) return "closed";
  const { folder, name } = splitPath(path);
  const dir = await gate.openDir(path === "." ? "." : folder);
  if (!dir.ok) return dir.refusal.outcome === "blocked" ? "closed" : "missing";
  try {
    const stat = await lstat(dir.value.child(path === "." ? "." : name));
    if (stat.isSymbolicLink()) return "link";
    if (stat.isDirectory()) return "folder";
    if (!stat.isFile()) return "special";
    return stat.nlink > 1 ? "shared" : "file";
  } catch {
    return "missing";
  } finally {
    await dir.value.close();
  }
}

async function globClosedBy(gate: PathGate, word: string, path: string): Promise<string | null> {
  const { folder, name } = splitPath(path);
  const [head = "", tail = ""] = name.split("*");
  if ((await kindOf(gate, folder)) === "missing") return null;
  const entries = await entriesOf(gate, folder);
  if (entries === null) return word;
  for (const entry of entries) {
    if (!entry.name.startsWith(head) || !entry.name.endsWith(tail) || entry.name.startsWith(".")) continue;
    const found = joinPath(folder, entry.name);
    if (!entry.isFile() || !(await gate.visible(found, false))) return found;
  }
  return null;
}

/** Links inside are not followed by what reads a folder whole. `elsewhere`: a copy of what other programs act on is such a file too. */
async function treeClosedBy(
  gate: PathGate,
  word: string,
  path: string,
  elsewhere: boolean,
): Promise<string | null> {
  const folders = [path];
  let seen = 0;
  for (const folder of folders) {
    const entries = await entriesOf(gate, folder);
    seen += entries?.length ?? 0;
    if (entries === null || seen > maxEntries) return word;
    for (const entry of entries) {
      const found = joinPath(folder, entry.name);
      if (!(await gate.visible(found, entry.isDirectory()))) return found;
      if (elsewhere && (actedOnBy(found) !== null || entry.isSymbolicLink())) return found;
      if (entry.isDirectory()) folders.push(found);
    }
  }
  return null;
}

async function entriesOf(gate: PathGate, folder: string) {
  const dir = await gate.openDir(folder);
  if (!dir.ok) return null;
  try {
    return await readdir(dir.value.child("."), { withFileTypes: true });
  } catch {
    return null;
  } finally {
    await dir.value.close();
  }
}
