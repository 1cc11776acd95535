// Blobs in a plain folder, without the record's durability: for tests, and for child processes that share the folder.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Blobs } from "../../src/protocol/blobs.ts";
import { AppError } from "../../src/util/errors.ts";
import { sha256 } from "../../src/util/hash.ts";

export function folderBlobs(folder: string): Blobs {
  mkdirSync(folder, { recursive: true });
  return {
    async put(bytes) {
      const ref = { hash: sha256(bytes), size: bytes.byteLength };
      writeFileSync(join(folder, ref.hash), bytes);
      return ref;
    },
    async get(ref) {
      try {
        const bytes = readFileSync(join(folder, ref.hash));
        if (sha256(bytes) === ref.hash) return bytes;
      } catch {
        // Absent is as bad as damaged.
      }
      throw new AppError("E_BLOB", `Kept bytes ${ref.hash.slice(0, 8)} are gone or damaged`);
    },
  };
}
