// The tree (design §2) as one hash: what a check ran on, and what changed under it. Used by world.ts.

import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../util/hash.ts";
import { findFiles } from "./find.ts";
import { openGit } from "./git.ts";
import type { PathGate } from "./path-gate.ts";
import { piecesOf } from "./read-handle.ts";

export interface Tree {
  hash: string;
  /** What each workspace path contributed: its kind with a content hash, or with its identity where content is not read. */
  files: ReadonlyMap<string, string>;
}

/** Without git: more files than this are not looked at. */
const maxFiles = 20_000;
/** Larger files count by identity (inode, size, times) alone. */
const maxHashedBytes = 64n * 1024n * 1024n;
/** A file that changed this shortly before it was read can change again with the same time stamp. */
const raceWindowMs = 100;
const atOnce = 64;

interface Known {
  identity: string;
  value: string;
}

/** What is known of a workspace's files, for as long as its gate is in use. */
interface Memory {
  known: Map<string, Known>;
  /** What git's index says of files that were unchanged at the first look: their content is never read while they stay so. */
  indexed: ReadonlyMap<string, string>;
}
const memories = new WeakMap<PathGate, Memory>();

/**
 * The tree as it is on disk. With git: the tracked files and those that this session `made`. Without: the visible files that
 * no .gitignore hides, and `made`. Protected and hidden files are never read: they count by identity, or as git's index has
 * them while they are unchanged since the first look. A file whose identity has not changed since the last call is not read again.
 */
export async function treeOf(gate: PathGate, made: readonly string[]): Promise<Tree> {
  const paths = [...new Set([...(await projectFiles(gate)), ...made])].sort();
  const memory = memories.get(gate) ?? (await firstLook(gate, paths));
  memories.set(gate, memory);
  const files = new Map<string, string>();
  for (let i = 0; i < paths.length; i += atOnce) {
    const some = paths.slice(i, i + atOnce);
    const values = await Promise.all(some.map((path) => contribution(gate, path, memory)));
    for (const [j, path] of some.entries()) {
      const value = values[j];
      if (value) files.set(path, value);
    }
  }
  const hash = createHash("sha256");
  for (const [path, value] of files) hash.update(`${path}\0${value}\n`);
  return { hash: hash.digest("hex"), files };
}

/** Looks at identities first and asks git then: a change in between shows as a changed identity at the next look. */
async function firstLook(gate: PathGate, paths: readonly string[]): Promise<Memory> {
  const known = new Map<string, Known>();
  const git = await openGit(gate);
  if (git === null) return { known, indexed: new Map() };
  const stats = await Promise.all(
    paths.map((path) => lstat(join(gate.root, path), { bigint: true }).catch(() => null)),
  );
  const unchanged = await git.unchangedFiles(new AbortController().signal);
  const indexed = unchanged.ok ? unchanged.value : new Map<string, string>();
  for (const [i, path] of paths.entries()) {
    const stat = stats[i];
    const value = indexed.get(path);
    if (value === undefined || !stat?.isFile() || !isSettled(stat)) continue;
    if (await gate.visible(path, false)) known.set(path, { identity: identityOf(stat), value });
  }
  return { known, indexed };
}

async function projectFiles(gate: PathGate): Promise<string[]> {
  const signal = new AbortController().signal;
  const tracked = await (await openGit(gate))?.trackedFiles(signal);
  if (tracked?.ok) return tracked.value;
  const found = await findFiles(gate, ".", undefined, signal);
  return found.ok ? found.value.paths.slice(0, maxFiles) : [];
}

/** Null when there is no such file. */
async function contribution(
  gate: PathGate,
  path: string,
  { known, indexed }: Memory,
): Promise<string | null> {
  const full = join(gate.root, path);
  const stat = await lstat(full, { bigint: true }).catch(() => null);
  if (stat === null || stat.isDirectory()) return null;
  if (stat.isSymbolicLink()) return `link ${sha256(await readlink(full).catch(() => ""))}`;
  const identity = identityOf(stat);
  const earlier = known.get(path);
  if (earlier?.identity === identity) return earlier.value;

  const read = await hashOf(gate, path, indexed.get(path));
  if (read === null) return `identity ${identity}`;
  const value = `${(read.stat.mode & 0o111n) === 0n ? "file" : "program"} ${read.hash}`;
  if (isSettled(read.stat)) known.set(path, { identity: identityOf(read.stat), value });
  else known.delete(path);
  return value;
}

/** Null when the gate does not open it, or it is too large. */
async function hashOf(
  gate: PathGate,
  path: string,
  indexed: string | undefined,
): Promise<{ hash: string; stat: BigIntStats } | null> {
  const opened = await gate.openFile(path);
  if (!opened.ok) return null;
  const { handle, stat } = opened.value;
  try {
    if (stat.size > maxHashedBytes) return null;
    const hash = createHash("sha256");
    const object = indexed?.split(" ")[1] ?? "";
    const asObject = createHash(object.length === 64 ? "sha256" : "sha1").update(`blob ${stat.size}\0`);
    for await (const chunk of piecesOf(handle, Number(maxHashedBytes) + 1)) {
      hash.update(chunk);
      asObject.update(chunk);
    }
    // A file that is again as the index has it counts as it did at the first look.
    return { hash: asObject.digest("hex") === object ? object : hash.digest("hex"), stat };
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

function isSettled(stat: BigIntStats): boolean {
  return Date.now() - Number(stat.ctimeMs) > raceWindowMs;
}

function identityOf(stat: BigIntStats): string {
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs, stat.mode].join(":");
}
