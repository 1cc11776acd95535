// Reads an open file with a limit, whatever its size was said to be. Used by the path gate and by all that reads without asking it.
import { closeSync, read } from "node:fs";
import { promisify } from "node:util";

const readAt = promisify(read);
const chunkBytes = 256 * 1024;

/** A file that is open for reading; node's own FileHandle is one too. Who opened it closes it. */
export interface ReadHandle {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

/** Takes over an open descriptor. */
export function handleOf(opened: number): ReadHandle {
  // As for folders: once closed it is no descriptor, never somebody else's.
  let fd = opened;
  return {
    read: (buffer, offset, length, position) => readAt(fd, buffer, offset, length, position),
    async close() {
      const open = fd;
      fd = -1;
      if (open >= 0) closeSync(open);
    },
  };
}

/** The first `limit` bytes of the file, fewer when it ends before. Throws the system's error. */
export async function readHandle(handle: ReadHandle, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of piecesOf(handle, limit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The same piece by piece, none of which is used again. */
export async function* piecesOf(handle: ReadHandle, limit: number): AsyncGenerator<Buffer> {
  for (let total = 0; total < limit; ) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, limit - total));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, total);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
    total += bytesRead;
  }
}
