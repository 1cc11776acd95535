// Reads a record as far as it can be read: damage costs the damaged lines and a warning, never the session (case M01).
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Blobs } from "../protocol/blobs.ts";
import type { RecordBody, RecordEntry } from "../protocol/record.ts";
import { messageOf } from "../util/errors.ts";
import { openBlobs } from "./blobs.ts";
import { checkFolder, openOwn, recordError, toRead } from "./files.ts";
import { type ParsedLine, parseBlobBody, parseLine } from "./line.ts";

/** A larger record is refused, by readers and by the writer. */
export const maxRecordBytes = 256 * 1024 * 1024;
const newline = 0x0a;

export interface RecordContents {
  /** What could be read, in file order; `n` can have gaps but no value twice. */
  entries: RecordEntry[];
  /** For the user, one line per kind of damage. */
  warnings: string[];
  /** The file ends in a piece of a line: its writer was killed in the middle of it. */
  tornTail: boolean;
  /** Byte offset of the end of the last readable line. */
  lastGood: number;
}

/** A line with its place in the file, and what it holds or why it cannot be read. */
export interface ScannedLine {
  /** Counts from 1. */
  number: number;
  /** Byte offset behind the line and its newline. */
  end: number;
  /** Whether a newline ends it. */
  ended: boolean;
  content: (ParsedLine & { body: RecordBody }) | { problem: string };
}

/** Where the record of the session in `folder` is. */
export function recordPath(folder: string): string {
  return join(folder, "record.jsonl");
}

/**
 * Reads the record of the session in `folder`. Throws an `AppError` `E_RECORD` when there is none, or when it is a link, not a
 * regular file, someone else's, or over 256 MB.
 */
export async function readRecord(folder: string): Promise<RecordContents> {
  const handle = await openRecordFile(folder, toRead);
  try {
    return await summarize(await readBytes(handle, folder), openBlobs(folder));
  } finally {
    await handle.close();
  }
}

/** Opens the record's file with every refusal that `readRecord` promises except the size. */
export async function openRecordFile(folder: string, flags: number): Promise<FileHandle> {
  try {
    await checkFolder(folder);
    return await openOwn(recordPath(folder), flags);
  } catch (error) {
    throw recordError(
      "The session record cannot be opened",
      error,
      "The receipt of each task names its session.",
    );
  }
}

/** The whole file's bytes. */
export async function readBytes(handle: FileHandle, folder: string): Promise<Buffer> {
  const { size } = await handle.stat();
  if (size > maxRecordBytes) {
    throw recordError(
      `The session record is too large: ${size} bytes, at most ${maxRecordBytes}`,
      undefined,
      `Start a new session; ${folder} can be kept or deleted.`,
    );
  }
  return handle.readFile();
}

/** Every line of the file, in order; bodies are fetched from their blobs. */
export async function* scanLines(bytes: Uint8Array, blobs: Blobs): AsyncGenerator<ScannedLine> {
  for (let start = 0, number = 1; start < bytes.byteLength; number += 1) {
    const found = bytes.indexOf(newline, start);
    const ended = found !== -1;
    const stop = ended ? found : bytes.byteLength;
    const end = ended ? stop + 1 : stop;
    yield { number, end, ended, content: await readLine(bytes.subarray(start, stop), blobs) };
    start = end;
  }
}

async function readLine(bytes: Uint8Array, blobs: Blobs): Promise<ScannedLine["content"]> {
  const parsed = parseLine(bytes);
  if (typeof parsed === "string") return { problem: parsed };
  const body = parsed.body ?? (await fetchBody(parsed, blobs));
  return typeof body === "string" ? { problem: body } : { ...parsed, body };
}

async function fetchBody({ line }: ParsedLine, blobs: Blobs): Promise<RecordBody | string> {
  if (!("blob" in line)) return "it has no body";
  try {
    return parseBlobBody(line.type, await blobs.get(line.blob));
  } catch (error) {
    return messageOf(error);
  }
}

/** Folds the lines into entries and warnings. */
export async function summarize(bytes: Uint8Array, blobs: Blobs): Promise<RecordContents> {
  const entries: RecordEntry[] = [];
  const unreadable: string[] = [];
  const altered: string[] = [];
  const repeated: string[] = [];
  const outOfSequence: string[] = [];
  const seen = new Set<number>();
  let lines = 0;
  let lastGood = 0;
  let tornTail = false;
  let expected = 1;
  let lost = 0; // unreadable lines since the last readable one; they explain as many missing numbers
  for await (const { number, end, ended, content } of scanLines(bytes, blobs)) {
    lines = number;
    if ("problem" in content) {
      if (ended) unreadable.push(`line ${number}: ${content.problem}`);
      tornTail = !ended;
      lost += 1;
      continue;
    }
    lastGood = end;
    const { n, at, hash } = content.line;
    if (!content.intact) altered.push(`line ${number}`);
    if (seen.has(n)) {
      repeated.push(`line ${number} is a second number ${n}`);
      continue;
    }
    seen.add(n);
    if (n < expected || n > expected + lost) {
      outOfSequence.push(`line ${number} is number ${n}, not ${expected}`);
    }
    expected = Math.max(expected, n + 1);
    lost = 0;
    entries.push({ n, at, hash, body: content.body });
  }
  const warnings = [
    ...warn(`${unreadable.length} of ${lines} lines of the session record cannot be read`, unreadable),
    ...warn("the session record was changed after it was written", altered),
    ...warn("the session record has numbers twice; the first of each counts", repeated),
    ...warn("the session record's numbers are not in sequence", outOfSequence),
    ...warn("the end of the session record was cut off", tornTail ? [`line ${lines}`] : []),
  ];
  return { entries, warnings, tornTail, lastGood };
}

function warn(what: string, where: readonly string[]): string[] {
  if (where.length === 0) return [];
  const more = where.length > 3 ? `; and ${where.length - 3} more` : "";
  return [`${what} (${where.slice(0, 3).join("; ")}${more})`];
}
