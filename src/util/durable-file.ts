// Files that are on disk when the call returns, whole or as they were before. Used by src/record/, src/config/ and src/workspace/.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A draft that is older was left by a killed process: writing takes no such time. */
const staleMs = 60_000;

/** Writes every byte from `start` on, null being the handle's own place: one `write` may take fewer than it was given. */
export async function writeAll(
  handle: FileHandle,
  bytes: Uint8Array,
  start: number | null = null,
): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const place = start === null ? null : start + done;
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, place);
    done += bytesWritten;
  }
}

/** Makes new and renamed entries of a folder durable, where the system can. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return; // a folder cannot be opened there
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Puts these bytes in the place of the file, or makes it, for its user alone (0600). Throws the system's error; the file is
 * then as it was. Drafts that killed processes left beside it are removed.
 */
export async function replaceWhole(file: string, bytes: Uint8Array): Promise<void> {
  await sweepDrafts(file);
  const draft = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await writeAll(handle, bytes, 0);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}

async function sweepDrafts(file: string): Promise<void> {
  const folder = dirname(file);
  const name = basename(file);
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(`${name}.`) || !/^\.[0-9a-f]{12}\.tmp$/.test(entry.slice(name.length))) continue;
    const draft = join(folder, entry);
    const stat = await lstat(draft).catch(() => null);
    if (stat?.isFile() && Date.now() - stat.mtimeMs > staleMs) await rm(draft, { force: true });
  }
}
