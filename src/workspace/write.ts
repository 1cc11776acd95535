// Durable single-file steps, all or nothing each (D6): stage into a temporary file beside the target, then replace, create
// or remove under the target's name. Used by src/workspace/patch-bench.ts; every path goes through an open `Dir`.
import { randomBytes } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, link, lstat, open, readdir, rename, unlink } from "node:fs/promises";
import { writeAll } from "../util/durable-file.ts";
import { errnoOf } from "../util/errors.ts";
import type { Dir } from "./path-walk.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const tempName = /^\.minicode-[0-9a-f]{16}\.tmp$/;
const permissionBits = 0o777;

/** Bytes that are on disk under a temporary name in `dir`, waiting to be published. */
export interface Staged {
  readonly dir: Dir;
  readonly temp: string;
}

/** Thrown when the target is not the file that was looked at any more; nothing was changed. */
export class TargetChanged extends Error {}

/**
 * Writes a temporary file with exactly these bytes and permission bits (never setuid or setgid) and makes it durable.
 * `owner` is kept where the system allows it. On any failure the temporary file is gone and the system's error is thrown.
 */
export async function stageFile(
  dir: Dir,
  bytes: Uint8Array,
  mode: number,
  owner: { uid: bigint; gid: bigint } | null,
): Promise<Staged> {
  const staged = { dir, temp: `.minicode-${randomBytes(8).toString("hex")}.tmp` };
  const handle = await open(dir.child(staged.temp), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await writeAll(handle, bytes, 0);
    if (owner !== null) await keepOwner(handle, owner);
    await handle.chmod(mode & permissionBits);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await discard(staged);
    throw error;
  }
  await handle.close();
  return staged;
}

/** Puts the staged file in the place of `name`, which must still be the file that `seen` describes. Other hard links keep the old bytes. */
export async function replaceFile(staged: Staged, name: string, seen: BigIntStats): Promise<void> {
  await requireUnchanged(staged.dir, name, seen);
  await rename(staged.dir.child(staged.temp), staged.dir.child(name));
  await staged.dir.sync();
}

/** Gives the staged file its name, which nothing may have yet. */
export async function createFile(staged: Staged, name: string): Promise<void> {
  const { dir, temp } = staged;
  try {
    await link(dir.child(temp), dir.child(name));
  } catch (error) {
    const code = errnoOf(error) ?? "";
    if (code === "EEXIST") throw new TargetChanged();
    if (!["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"].includes(code)) throw error;
    return createWithoutLinks(staged, name);
  }
  await unlink(dir.child(temp));
  await dir.sync();
}

/** Removes `name`, which must still be the file that `seen` describes. */
export async function removeFile(dir: Dir, name: string, seen: BigIntStats): Promise<void> {
  await requireUnchanged(dir, name, seen);
  await unlink(dir.child(name));
  await dir.sync();
}

/** Removes the temporary file if it is still there; never throws. */
export async function discard(staged: Staged): Promise<void> {
  await unlink(staged.dir.child(staged.temp)).catch(() => undefined);
}

/** Removes temporary files that a killed MiniCode left in this folder. */
export async function sweepFolder(dir: Dir): Promise<void> {
  for (const entry of await readdir(dir.child("."), { withFileTypes: true })) {
    if (entry.isFile() && tempName.test(entry.name)) await discard({ dir, temp: entry.name });
  }
}

/** For file systems without hard links: an empty file reserves the name, so that nobody else's bytes are ever replaced. */
async function createWithoutLinks(staged: Staged, name: string): Promise<void> {
  const { dir } = staged;
  let reserved: BigIntStats;
  try {
    const handle = await open(dir.child(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      reserved = await handle.stat({ bigint: true });
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw new TargetChanged();
    throw error;
  }
  await replaceFile(staged, name, reserved);
}

async function keepOwner(handle: FileHandle, owner: { uid: bigint; gid: bigint }): Promise<void> {
  const now = await handle.stat({ bigint: true });
  if (now.uid === owner.uid && now.gid === owner.gid) return;
  try {
    await handle.chown(Number(owner.uid), Number(owner.gid));
  } catch (error) {
    if (errnoOf(error) !== "EPERM") throw error;
  }
}

async function requireUnchanged(dir: Dir, name: string, seen: BigIntStats): Promise<void> {
  const now = await lstat(dir.child(name), { bigint: true }).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") throw new TargetChanged();
    throw error;
  });
  const same =
    now.dev === seen.dev &&
    now.ino === seen.ino &&
    now.size === seen.size &&
    now.mtimeNs === seen.mtimeNs &&
    now.ctimeNs === seen.ctimeNs;
  if (!same) throw new TargetChanged();
}
