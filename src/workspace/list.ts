// One folder's entries as a model or a user wants to see them. Used by the list_dir tool.
import { lstat, readdir, readlink } from "node:fs/promises";
import { ok, type Result } from "../protocol/refusal.ts";
import { gitignoreOf } from "./gitignore.ts";
import type { Dir, PathGate } from "./path-gate.ts";
import { joinPath } from "./path-walk.ts";

export type Entry =
  | { kind: "folder"; name: string }
  | { kind: "file"; name: string; bytes: number }
  | { kind: "link"; name: string; target: string }
  /** A pipe, a device, a socket, or something that went away while it was looked at. */
  | { kind: "other"; name: string };

export interface Listing {
  path: string;
  /** Folders first, then by name; the first 200. */
  entries: Entry[];
  /** How many entries there are beyond those. */
  more: number;
  /** How many are protected or hidden by .minicodeignore. */
  hidden: number;
  /** Names that .gitignore hides, and node_modules; folders end in "/". */
  ignored: string[];
}

const maxEntries = 200;

/** The folder's own entries; links are shown, not followed. An ignored folder that is named is listed whole. */
export async function listFolder(gate: PathGate, input: string): Promise<Result<Listing>> {
  const opened = await gate.openDir(input);
  if (!opened.ok) return opened;
  const dir = opened.value;
  try {
    return ok(await listDir(gate, dir));
  } finally {
    await dir.close();
  }
}

async function listDir(gate: PathGate, dir: Dir): Promise<Listing> {
  const gitignore = gitignoreOf(gate);
  const all = dir.path.split("/").includes("node_modules") || (await gitignore.ignores(dir.path, true));
  const shown: { name: string; isFolder: boolean }[] = [];
  const ignored: string[] = [];
  let hidden = 0;
  for (const entry of await readdir(dir.child("."), { withFileTypes: true })) {
    const { name } = entry;
    const isFolder = entry.isDirectory();
    const path = joinPath(dir.path, name);
    if (!(await gate.visible(path, isFolder))) hidden++;
    else if (!all && (name === "node_modules" || (await gitignore.ignores(path, isFolder)))) {
      ignored.push(isFolder ? `${name}/` : name);
    } else shown.push({ name, isFolder });
  }
  shown.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.name < b.name ? -1 : 1));
  const entries = await Promise.all(shown.slice(0, maxEntries).map(({ name }) => entryAt(dir, name)));
  return { path: dir.path, entries, more: shown.length - entries.length, hidden, ignored: ignored.sort() };
}

async function entryAt(dir: Dir, name: string): Promise<Entry> {
  try {
    const stat = await lstat(dir.child(name));
    if (stat.isDirectory()) return { kind: "folder", name };
    if (stat.isFile()) return { kind: "file", name, bytes: stat.size };
    if (stat.isSymbolicLink()) return { kind: "link", name, target: await readlink(dir.child(name)) };
  } catch {
    // It went away in the meantime.
  }
  return { kind: "other", name };
}
