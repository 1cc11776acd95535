// Walks from the open workspace root to a folder or file, component by component and never through a link, so that a
// rename under our feet cannot lead outside (D3). Knows no policy; the path gate asks that first.
import { type BigIntStats, closeSync, constants, fstatSync, fsync, openSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { sep } from "node:path";
import { promisify } from "node:util";
import { errnoOf, messageOf } from "../util/errors.ts";
import { handleOf, type ReadHandle } from "./read-handle.ts";

const sync = promisify(fsync);
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** An open folder of the workspace. Who opened it closes it. */
export interface Dir {
  /** Its workspace path when it was opened. */
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
  /** Whether `child` goes through the open descriptor (Linux); elsewhere it is a plain path, checked before and after. */
  readonly anchored: boolean;
  /** A file-system path to `name` in this very folder, wherever it is moved; "." is the folder itself. */
  child(name: string): string;
  /** Makes its entries durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenFile {
  handle: ReadHandle;
  stat: BigIntStats;
}

/** The component where a walk ended, and why. "special" is a FIFO, a device or a socket. */
export type Stop =
  | { at: string; why: "missing" | "link" | "not_a_folder" | "folder" | "special" | "moved" }
  | { at: string; why: "os"; reason: string };

export type Walked<T> = { ok: true; value: T } | { ok: false; stop: Stop };

/** Opens the root itself; links on the way to it are followed once, here. Throws the system's error. */
export async function openRoot(root: string): Promise<{ dir: Dir; real: string }> {
  const real = await realpath(root);
  const fd = openSync(real, O_RDONLY | O_DIRECTORY);
  try {
    const stat = fstatSync(fd, { bigint: true });
    const through = await lstat(`/proc/self/fd/${fd}/.`, { bigint: true }).catch(() => null);
    return {
      dir: asDir(fd, stat, ".", real, through?.ino === stat.ino && through.dev === stat.dev),
      real,
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opens the folder at a workspace path. */
export async function walkToFolder(root: Dir, path: string): Promise<Walked<Dir>> {
  let dir = root;
  for (const name of path.split("/")) {
    const next = await enter(dir, name);
    if (dir !== root) await dir.close();
    if (!next.ok) return next;
    dir = next.value;
  }
  return { ok: true, value: dir };
}

/** Opens the regular file at a workspace path for reading, without ever waiting on it. */
export async function walkToFile(root: Dir, path: string): Promise<Walked<OpenFile>> {
  const { folder, name } = splitPath(path);
  const parent = await walkToFolder(root, folder);
  if (!parent.ok) return parent;
  try {
    return await openRegular(parent.value, name);
  } finally {
    await parent.value.close();
  }
}

/** Opens the regular file `name` in an open folder. */
export async function openRegular(dir: Dir, name: string): Promise<Walked<OpenFile>> {
  const opened = await openChecked(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (!opened.ok) return opened;
  const { fd, stat } = opened.value;
  if (stat.isFile()) return { ok: true, value: { handle: handleOf(fd), stat } };
  closeSync(fd);
  const why = stat.isDirectory() ? "folder" : "special";
  return { ok: false, stop: { at: joinPath(dir.path, name), why } };
}

/** "a/b/c" is `c` in the folder "a/b"; "c" is in ".". */
export function splitPath(path: string): { folder: string; name: string } {
  const cut = path.lastIndexOf("/");
  return { folder: cut < 0 ? "." : path.slice(0, cut), name: path.slice(cut + 1) };
}

export function joinPath(folder: string, name: string): string {
  if (name === ".") return folder;
  return folder === "." ? name : `${folder}/${name}`;
}

/** The system's own words for an error, without our internal paths. */
export function systemReason(error: unknown): string {
  return messageOf(error).replace(/,.*$/s, "");
}

async function enter(dir: Dir, name: string): Promise<Walked<Dir>> {
  const opened = await openChecked(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
  if (!opened.ok) return opened;
  const { fd, stat } = opened.value;
  return {
    ok: true,
    value: asDir(fd, stat, joinPath(dir.path, name), dir.child(name), dir.anchored),
  };
}

/** Opens and looks without a turn through the thread pool, which would take many times as long. */
async function openChecked(
  dir: Dir,
  name: string,
  flags: number,
): Promise<Walked<{ fd: number; stat: BigIntStats }>> {
  let fd: number;
  try {
    fd = openSync(dir.child(name), flags);
  } catch (error) {
    return { ok: false, stop: await explain(dir, name, joinPath(dir.path, name), error) };
  }
  const checked = await checkOpened(dir, name, fd);
  if (checked.ok) return { ok: true, value: { fd, stat: checked.value } };
  closeSync(fd);
  return checked;
}

/** What was opened as `name`, unless the name leads elsewhere by now. */
async function checkOpened(dir: Dir, name: string, fd: number): Promise<Walked<BigIntStats>> {
  const at = joinPath(dir.path, name);
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (dir.anchored || (await isStillAt(dir.child(name), stat))) return { ok: true, value: stat };
    return { ok: false, stop: { at, why: "moved" } };
  } catch (error) {
    return { ok: false, stop: { at, why: "os", reason: systemReason(error) } };
  }
}

/**
 * The check for systems without paths through descriptors (macOS, Windows): the path must be its own real path and name
 * what was opened. An attacker who swaps a folder twice in between can win; Linux has no such gap.
 */
async function isStillAt(path: string, stat: BigIntStats): Promise<boolean> {
  const real = await realpath(path);
  const named = await lstat(path, { bigint: true });
  const sameName = real.normalize().toLowerCase() === path.normalize().toLowerCase();
  return sameName && named.ino === stat.ino && named.dev === stat.dev;
}

async function explain(dir: Dir, name: string, at: string, error: unknown): Promise<Stop> {
  const reason = systemReason(error);
  switch (errnoOf(error)) {
    case "ENOENT":
      return { at, why: "missing" };
    case "ELOOP":
      return { at, why: "link" };
    case "ENXIO":
      return { at, why: "special" };
    case "ENOTDIR": {
      const found = await lstat(dir.child(name)).catch(() => null);
      return { at, why: found?.isSymbolicLink() ? "link" : "not_a_folder" };
    }
    default:
      return { at, why: "os", reason };
  }
}

function asDir(opened: number, stat: BigIntStats, path: string, real: string, anchored: boolean): Dir {
  // A closed folder's number is -1: a path made too late leads nowhere, never into a reused descriptor.
  let fd = opened;
  return {
    path,
    dev: stat.dev,
    ino: stat.ino,
    anchored,
    child(name) {
      if (anchored) return `/proc/self/fd/${fd}/${name}`;
      return name === "." ? real : `${real}${sep}${name}`;
    },
    async sync() {
      try {
        await sync(fd);
      } catch (error) {
        // Windows has no fsync for folders, some network file systems neither.
        if (!["EPERM", "EINVAL", "ENOTSUP"].includes(errnoOf(error) ?? "")) throw error;
      }
    },
    async close() {
      const open = fd;
      fd = -1;
      if (open >= 0) closeSync(open);
    },
  };
}
