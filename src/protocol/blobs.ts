// The port to content-addressed bytes kept beside a session's record. Implemented in src/record/blobs.ts.
import type { BlobRef } from "./proposal.ts";

export interface Blobs {
  /** Stores the bytes durably (once per content) and names them. */
  put(bytes: Uint8Array): Promise<BlobRef>;
  /** The bytes, their hash checked. Throws an `AppError` `E_BLOB` when they are gone or damaged. */
  get(ref: BlobRef): Promise<Buffer>;
}
