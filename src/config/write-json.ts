// Writes a JSON file of the user's, whole or not at all. Used for settings and profiles.
import { randomBytes } from "node:crypto";
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError, errnoOf } from "../util/errors.ts";

/**
 * Replaces the file, or what it links to, at once and for its user alone (0600, new folders 0700). Throws an `AppError` with
 * `code` when that fails; the old file is then as it was.
 */
export async function writeJson(file: string, data: unknown, code: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await replace(await targetOf(file), `${JSON.stringify(data, null, 2)}\n`);
  } catch (error) {
    throw new AppError(code, `cannot write ${file} (${errnoOf(error) ?? "unknown error"})`, { cause: error });
  }
}

async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function targetOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return file;
    throw error;
  }
}
