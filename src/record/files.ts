// Durable, private files: what the record, its blobs and its lock are made of. Used only inside src/record/.
import { constants } from "node:fs";
import { chmod, type FileHandle, lstat, open } from "node:fs/promises";
import { writeAll } from "../util/durable-file.ts";
import { AppError, errnoOf, messageOf } from "../util/errors.ts";

/** Opens for appending, and for reading what is there. */
export const toAppend = constants.O_RDWR | constants.O_APPEND;
export const toRead = constants.O_RDONLY;

/** An `E_RECORD`; the cause's message becomes part of it. */
export function recordError(what: string, cause: unknown, hint?: string): AppError {
  const message = cause === undefined ? what : `${what}: ${messageOf(cause)}`;
  return new AppError("E_RECORD", message, hint === undefined ? { cause } : { cause, hint });
}

/** The error itself when it is an `E_RECORD` already, else an `E_RECORD` of it. */
export function asRecordError(what: string, error: unknown): AppError {
  return error instanceof AppError && error.code === "E_RECORD" ? error : recordError(what, error);
}

/** Refuses a folder that is a link, no folder, or someone else's; makes it private. */
export async function checkFolder(path: string): Promise<void> {
  const stat = await lstat(path);
  if (!stat.isDirectory()) throw new Error(`${path} is not a folder`);
  checkOwner(path, stat.uid);
  if ((stat.mode & 0o077) !== 0) await chmod(path, 0o700);
}

function checkOwner(path: string, uid: number): void {
  if (process.getuid !== undefined && uid !== process.getuid())
    throw new Error(`${path} belongs to another user`);
}

/**
 * Opens an existing file of this user. Refuses links, everything that is not a regular file, and other owners;
 * a file that others may read is made private. `flags` is `toRead` or `toAppend`.
 */
export async function openOwn(path: string, flags: number): Promise<FileHandle> {
  const handle = await openPlain(path, flags);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error(`${path} is not a regular file`);
    checkOwner(path, stat.uid);
    if ((stat.mode & 0o077) !== 0) await handle.chmod(0o600);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openPlain(path: string, flags: number): Promise<FileHandle> {
  try {
    // Without O_NONBLOCK a FIFO would hang here.
    return await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === "ELOOP") throw new Error(`${path} is a symbolic link`, { cause: error });
    throw error;
  }
}

/** Creates a file that must not exist yet (0600) for appending. */
export function createOwn(path: string): Promise<FileHandle> {
  return open(path, toAppend | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
}

/** Creates a file that must not exist yet (0600) with these bytes, durably. */
export async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await createOwn(path);
  try {
    await writeAll(handle, bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
