// One line of record.jsonl: how it is written, hashed and read back. Used by append, read and verify.
import * as z from "zod";
import { type BlobRef, blobRefSchema } from "../protocol/proposal.ts";
import { type RecordBody, recordBodySchema } from "../protocol/record.ts";
import { digestOf } from "../util/hash.ts";

/** `prev` of the first line. */
export const zeroHash = "0".repeat(64);
/** A body whose JSON has more bytes than this is kept as a blob. */
export const maxInlineBytes = 2048;

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
const placeSchema = z.strictObject({
  n: z.number().int().positive(),
  at: z.iso.datetime(),
  type: z.string(),
  prev: hashSchema,
  hash: hashSchema,
});
const lineSchema = z.union([
  placeSchema.extend({ body: z.record(z.string(), z.unknown()) }),
  placeSchema.extend({ blob: blobRefSchema }),
]);
/** A line as data; `body` is the entry's body without its `type`, which the line itself has. */
export type Line = z.infer<typeof lineSchema>;
type Unhashed = Omit<z.infer<typeof placeSchema>, "hash">;

/** A line that could be parsed. `body` is null when it is in the blob that the line names. */
export interface ParsedLine {
  line: Line;
  body: RecordBody | null;
  /** The line's hash is the hash of its content. */
  intact: boolean;
  /** The bytes are exactly those that MiniCode writes for this content. */
  exact: boolean;
}

/** Completes a line with its hash: sha-256 of the canonical JSON of all the rest. */
export function hashLine(place: Unhashed, held: { body: Record<string, unknown> } | { blob: BlobRef }): Line {
  return { ...place, ...held, hash: digestOf({ ...place, ...held }) };
}

/** The line's text, without the newline that ends it. */
export function formatLine(line: Line): string {
  const { n, at, type, prev, hash } = line;
  const held = "body" in line ? { body: line.body } : { blob: line.blob };
  return JSON.stringify({ n, at, type, ...held, prev, hash });
}

/** Reads a line's bytes (no newline); a string says why they are no line of a record. */
export function parseLine(bytes: Uint8Array): ParsedLine | string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "not UTF-8";
  }
  // A crash can leave a block of zero bytes in front of a good line; valid JSON holds none.
  const json = text.replaceAll("\0", "");
  if (json === "") return text === "" ? "empty" : "only zero bytes";
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return "not JSON";
  }
  const parsed = lineSchema.safeParse(data);
  if (!parsed.success) return "not a line that this version knows";
  const line = parsed.data;
  // Validated before it is hashed: hashing recurses, and only known shapes have a bounded depth.
  const body = "body" in line ? parseBody(line.type, line.body) : null;
  if (typeof body === "string") return body;
  const { hash, ...content } = line;
  return { line, body, intact: digestOf(content) === hash, exact: formatLine(line) === text };
}

/** Reads an entry's body from its parts; a string says why it is none. */
function parseBody(type: string, fields: Record<string, unknown>): RecordBody | string {
  const parsed = recordBodySchema.safeParse({ ...fields, type });
  return parsed.success ? parsed.data : `not a "${type}" entry that this version knows`;
}

/** The body of a line whose body is a blob's bytes; a string says why it is none. */
export function parseBlobBody(type: string, bytes: Uint8Array): RecordBody | string {
  try {
    const fields = z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
    return parseBody(type, fields);
  } catch {
    return "its blob is not JSON";
  }
}
