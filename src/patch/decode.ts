// File bytes to text and back without losing one. Used by the edits and diffs here, and by whoever reads files.

/** How far into a file a NUL byte makes it binary. */
const sniffLength = 8192;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export type Decoded = { ok: true; text: string; bom: boolean } | { ok: false; why: "binary" | "not_utf8" };

/**
 * Reads bytes as UTF-8 text. The text keeps its own line endings and never holds the file's byte order mark; `bom`
 * says that there was one. UTF-16 with its mark is `not_utf8`; any other NUL in the first 8 KB is `binary`.
 * `encodeText` of the result gives exactly these bytes again.
 */
export function decodeText(bytes: Uint8Array): Decoded {
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) return { ok: false, why: "not_utf8" };
  if (bytes.subarray(0, sniffLength).includes(0)) return { ok: false, why: "binary" };
  const bom = startsWith(bytes, 0xef, 0xbb, 0xbf);
  try {
    return { ok: true, text: utf8.decode(bom ? bytes.subarray(3) : bytes), bom };
  } catch {
    return { ok: false, why: "not_utf8" };
  }
}

/** The bytes of a text, with a byte order mark in front if the file had one. Lone surrogates are the caller's to refuse. */
export function encodeText(text: string, bom: boolean): Buffer {
  return Buffer.from(bom ? `\uFEFF${text}` : text, "utf8");
}

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}
