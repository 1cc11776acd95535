// Reads an open file with a limit, whatever its size was said to be. Used by the path gate and by all that reads without asking it.
import type { FileHandle } from "node:fs/promises";

const chunkBytes = 256 * 1024;

/** The first `limit` bytes of the file, fewer when it ends before. Throws the system's error. */
export async function readHandle(handle: FileHandle, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < limit) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, limit - total));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, total);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
  return Buffer.concat(chunks, total);
}
