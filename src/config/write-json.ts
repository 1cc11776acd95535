// Writes a JSON file of the user's, whole or not at all. Used for settings and profiles.
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceWhole } from "../util/durable-file.ts";
import { AppError, errnoOf } from "../util/errors.ts";
import { makeFolder } from "../util/make-folder.ts";

/**
 * Replaces the file, or what it links to, at once and for its user alone (0600, new folders 0700). Throws an `AppError` with
 * `code` (or `E_FOLDER`) when that fails; the old file is then as it was.
 */
export async function writeJson(file: string, data: unknown, code: string): Promise<void> {
  makeFolder(dirname(file));
  try {
    await replaceWhole(await targetOf(file), Buffer.from(`${JSON.stringify(data, null, 2)}\n`));
  } catch (error) {
    throw new AppError(code, `cannot write ${file} (${errnoOf(error) ?? "unknown error"})`, { cause: error });
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
