// Content-addressed bytes beside the record: <session>/blobs/<sha256>. Used by the record, the tools and the workspace.
import { randomBytes } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Blobs } from "../protocol/blobs.ts";
import type { BlobRef } from "../protocol/proposal.ts";
import { syncFolder } from "../util/durable-file.ts";
import { AppError, errnoOf, messageOf } from "../util/errors.ts";
import { sha256 } from "../util/hash.ts";
import { makeFolder } from "../util/make-folder.ts";
import { openOwn, toRead, writeNew } from "./files.ts";

const temporary = ".tmp-";

/** The blobs of the session in `folder`. Files 0600; `put` throws an `AppError` `E_BLOB` when it cannot write. */
export function openBlobs(folder: string): Blobs {
  const dir = join(folder, "blobs");

  async function read(ref: BlobRef): Promise<Buffer> {
    if (!/^[0-9a-f]{64}$/.test(ref.hash)) throw new Error("not a hash");
    const handle = await openOwn(join(dir, ref.hash), toRead);
    try {
      const { size } = await handle.stat();
      if (size !== ref.size) throw new Error(`it has ${size} bytes, not ${ref.size}`);
      const bytes = await handle.readFile();
      if (sha256(bytes) !== ref.hash) throw new Error("its content does not match its hash");
      return bytes;
    } finally {
      await handle.close();
    }
  }

  async function holds(ref: BlobRef): Promise<boolean> {
    try {
      await read(ref);
      return true;
    } catch {
      return false; // absent or damaged: in both cases it is written
    }
  }

  return {
    async put(bytes) {
      const ref = { hash: sha256(bytes), size: bytes.byteLength };
      const temp = join(dir, `${temporary}${randomBytes(8).toString("hex")}`);
      try {
        makeFolder(dir);
        if (!(await holds(ref))) {
          await writeNew(temp, bytes);
          await rename(temp, join(dir, ref.hash));
        }
        await syncFolder(dir);
      } catch (error) {
        await rm(temp, { force: true });
        throw new AppError("E_BLOB", `Cannot keep ${ref.size} bytes in ${dir}: ${messageOf(error)}`, {
          cause: error,
          hint: "Free some space on that disk, or make the folder writable.",
        });
      }
      return ref;
    },
    async get(ref) {
      try {
        return await read(ref);
      } catch (error) {
        throw new AppError(
          "E_BLOB",
          `Kept bytes ${ref.hash.slice(0, 8)} are gone or damaged: ${messageOf(error)}`,
          {
            cause: error,
          },
        );
      }
    },
  };
}

/** Removes what a killed `put` left half written. Only for the holder of the session's lock. */
export async function sweepBlobs(folder: string): Promise<void> {
  const dir = join(folder, "blobs");
  try {
    const names = await readdir(dir);
    await Promise.all(names.filter((name) => name.startsWith(temporary)).map((name) => rm(join(dir, name))));
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}
