// The session record's writer: an entry that `append` returned is on disk, whatever happens next (design §3, D6).
// Created and opened by session.ts.
import type { FileHandle } from "node:fs/promises";
import { mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { type BodyOf, type RecordBody, type RecordEntry, recordBodySchema } from "../protocol/record.ts";
import { syncFolder, writeAll } from "../util/durable-file.ts";
import { errnoOf } from "../util/errors.ts";
import { canonicalJson } from "../util/hash.ts";
import { makeFolder } from "../util/make-folder.ts";
import { mapStrings } from "../util/map-strings.ts";
import { openBlobs, sweepBlobs } from "./blobs.ts";
import { asRecordError, createOwn, recordError, toAppend, writeNew } from "./files.ts";
import { formatLine, hashLine, maxInlineBytes, zeroHash } from "./line.ts";
import {
  maxRecordBytes,
  openRecordFile,
  type RecordContents,
  readBytes,
  recordPath,
  summarize,
} from "./read.ts";

export interface Recorder {
  /**
   * Appends one entry durably; calls are serialised. Rejects with an `AppError` `E_RECORD` when it is not on disk: then
   * the file is as it was before, and the caller performs no effect.
   */
  append(body: RecordBody): Promise<RecordEntry>;
  /** Whether a value can be written as it is: not when a known key's value is in it. */
  keepsWhole(value: unknown): boolean;
  /** Hash of the last entry; 64 zeros when there is none. */
  readonly head: string;
  /** Waits for the appends under way and closes the file. */
  close(): Promise<void>;
}

export interface RecordOptions {
  /** Applied to every string before it is written: known key values never reach the disk. Identity by default. */
  redact?: (text: string) => string;
  clock?: () => Date;
}

/**
 * Starts the record of a new session in `folder`, which must not exist yet. Throws an `AppError` `E_RECORD` or `E_FOLDER`; then nothing
 * is left behind.
 */
export async function createRecord(
  folder: string,
  header: BodyOf<"session">,
  options: RecordOptions = {},
): Promise<Recorder> {
  makeFolder(dirname(folder));
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    throw recordError("The session's folder cannot be made", error);
  }
  try {
    const handle = await createOwn(recordPath(folder));
    const recorder = startRecorder(handle, folder, { next: 1, head: zeroHash, length: 0 }, options);
    try {
      await recorder.append(header);
      await syncFolder(folder);
      await syncFolder(dirname(folder));
      return recorder;
    } catch (error) {
      await recorder.close();
      throw error;
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw asRecordError("The session record cannot be started", error);
  }
}

/**
 * Opens the record of the session in `folder` to go on with it; the caller holds the session's lock. A torn last line is cut
 * off, and the damaged original kept beside it as `record.jsonl.damaged-<time>`. The contents are those before the repair,
 * so that their warnings can be shown. Throws like `readRecord`.
 */
export async function openRecord(
  folder: string,
  options: RecordOptions = {},
): Promise<{ recorder: Recorder; contents: RecordContents }> {
  const handle = await openRecordFile(folder, toAppend);
  try {
    const bytes = await readBytes(handle, folder);
    const contents = await summarize(bytes, openBlobs(folder));
    const length = await repair(handle, folder, bytes, contents, options.clock ?? now);
    await sweepBlobs(folder);
    const last = contents.entries.at(-1);
    const next = contents.entries.reduce((max, { n }) => Math.max(max, n), 0) + 1;
    const recorder = startRecorder(handle, folder, { next, head: last?.hash ?? zeroHash, length }, options);
    return { recorder, contents };
  } catch (error) {
    await handle.close();
    throw asRecordError("The session record cannot be opened", error);
  }
}

function now(): Date {
  return new Date();
}

/** Makes the file end in a newline behind the last line that is kept; returns its length. */
async function repair(
  handle: FileHandle,
  folder: string,
  bytes: Uint8Array,
  contents: RecordContents,
  clock: () => Date,
): Promise<number> {
  let length = bytes.byteLength;
  if (contents.tornTail) {
    await keepAside(`${recordPath(folder)}.damaged-${clock().toISOString().replaceAll(/[-:]/g, "")}`, bytes);
    await syncFolder(folder);
    await handle.truncate(contents.lastGood);
    length = contents.lastGood;
  }
  if (length > 0 && bytes[length - 1] !== 0x0a) {
    // The line is whole and only its newline is missing.
    await writeAll(handle, Buffer.from("\n"));
    length += 1;
  }
  await handle.datasync();
  return length;
}

async function keepAside(path: string, bytes: Uint8Array, attempt = 1): Promise<void> {
  try {
    await writeNew(attempt === 1 ? path : `${path}-${attempt}`, bytes);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    await keepAside(path, bytes, attempt + 1);
  }
}

function startRecorder(
  handle: FileHandle,
  folder: string,
  start: { next: number; head: string; length: number },
  options: RecordOptions,
): Recorder {
  const { redact = (text) => text, clock = now } = options;
  const blobs = openBlobs(folder);
  let { next, head, length } = start;
  let unusable: unknown;
  let queue: Promise<unknown> = Promise.resolve();

  /** Writes at the end of the file or leaves it as it was. */
  async function write(bytes: Buffer): Promise<void> {
    const { size, nlink } = await handle.stat();
    if (nlink === 0) throw new Error("it was deleted");
    if (size !== length) throw new Error("something else wrote to it");
    if (length + bytes.byteLength > maxRecordBytes)
      throw new Error(`it would be over ${maxRecordBytes} bytes`);
    try {
      await writeAll(handle, bytes);
      await handle.datasync();
    } catch (error) {
      await handle.truncate(length).catch((cause: unknown) => {
        unusable = cause;
      });
      throw error;
    }
    length += bytes.byteLength;
  }

  async function record(body: RecordBody): Promise<RecordEntry> {
    try {
      if (unusable !== undefined) throw unusable;
      const { type, ...fields } = body;
      const json = Buffer.from(JSON.stringify(fields));
      const held = json.byteLength > maxInlineBytes ? { blob: await blobs.put(json) } : { body: fields };
      const line = hashLine({ n: next, at: clock().toISOString(), type, prev: head }, held);
      await write(Buffer.from(`${formatLine(line)}\n`));
      next += 1;
      head = line.hash;
      return { n: line.n, at: line.at, hash: line.hash, body };
    } catch (error) {
      throw recordError(
        "The session record could not be written",
        error,
        "Nothing was done that is not recorded.",
      );
    }
  }

  return {
    async append(body) {
      const clean = cleanBody(body, redact);
      const entry = queue.then(() => record(clean));
      queue = entry.catch(() => undefined);
      return entry;
    },
    keepsWhole: (value) => isClean(value, redact),
    get head() {
      return head;
    },
    async close() {
      await queue;
      unusable ??= new Error("it is closed");
      await handle.close();
    },
  };
}

/** The body as it may be written: redacted, and of a shape that can be read back. */
function cleanBody(body: RecordBody, redact: (text: string) => string): RecordBody {
  const parsed = recordBodySchema.safeParse(mapStrings(body, redact));
  if (!parsed.success) throw recordError(`A "${body.type}" entry cannot be recorded`, parsed.error);
  // A proposal is carried out as it was shown; one that cannot be recorded as shown must not be shown.
  if (body.type === "proposal" && !isClean(body, redact)) {
    throw recordError(
      `Proposal ${body.proposal.seq} holds the value of a known key and cannot be recorded`,
      undefined,
    );
  }
  return parsed.data;
}

function isClean(value: unknown, redact: (text: string) => string): boolean {
  return canonicalJson(mapStrings(value, redact)) === canonicalJson(value);
}
