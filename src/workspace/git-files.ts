// Reads git's own files without ever waiting on one, following a link or believing what it finds. Used by git-*.ts.
import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { AppError, errnoOf } from "../util/errors.ts";
import { readHandle } from "./read-handle.ts";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** The error for a repository that MiniCode will not open; git.ts turns it into a refusal. `what` begins the sentence. */
export function unusable(what: string): AppError {
  return new AppError("E_GIT", `MiniCode does not read this repository: ${what}.`);
}

/** The kind of thing at a path, links not followed; null when there is nothing. */
export async function kindAt(path: string): Promise<"folder" | "file" | "other" | null> {
  try {
    const stat = await lstat(path);
    return stat.isDirectory() ? "folder" : stat.isFile() ? "file" : "other";
  } catch (error) {
    if (isMissing(error)) return null;
    throw unusable(`${path} cannot be looked at`);
  }
}

/** A regular file's bytes and its mtime in whole seconds, or null when there is no file. Throws `unusable`. */
export async function readPlain(
  path: string,
  maxBytes: number,
): Promise<{ bytes: Buffer; mtimeSeconds: number } | null> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return null;
    throw unusable(errnoOf(error) === "ELOOP" ? `${path} is a link` : `${path} cannot be opened`);
  }
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) return null;
    if (!stat.isFile()) throw unusable(`${path} is not a regular file`);
    const bytes = await readHandle(handle, maxBytes + 1);
    if (bytes.length > maxBytes) throw unusable(`${path} is larger than ${maxBytes} bytes`);
    return { bytes, mtimeSeconds: Math.floor(stat.mtimeMs / 1000) };
  } finally {
    await handle.close();
  }
}

/** The text of a small git file without the line end, or null when there is none. */
export async function readLine(path: string): Promise<string | null> {
  const file = await readPlain(path, 4096);
  return file === null ? null : file.bytes.toString().replace(/[\r\n]+$/, "");
}

/** Throws unless every folder on the way from `base` to `relative` is a real folder or missing. */
export async function requireNoLinks(base: string, relative: string): Promise<void> {
  let path = base;
  for (const part of relative.split("/")) {
    path = join(path, part);
    if ((await kindAt(path)) === "other") throw unusable(`${path} is a link or a special file`);
  }
}

/** Throws when a folder has anything but real files and folders directly in it. */
export async function requirePlainEntries(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw unusable(`${folder} cannot be listed`);
  });
  const odd = entries.find((entry) => !entry.isFile() && !entry.isDirectory());
  if (odd !== undefined) throw unusable(`${join(folder, odd.name)} is a link or a special file`);
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "");
}
