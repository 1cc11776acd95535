// The sessions on disk: their names, and what each is, read from its first line only. Used by session.ts and src/cli/.
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { BodyOf } from "../protocol/record.ts";
import { AppError, errnoOf, messageOf } from "../util/errors.ts";
import { openBlobs } from "./blobs.ts";
import { toRead } from "./files.ts";
import { openRecordFile, scanLines } from "./read.ts";

const idPattern = /^\d{8}-\d{6}-[0-9a-f]{6}$/;

export interface SessionInfo {
  id: string;
  folder: string;
  /** When its record was last written. */
  usedAt: Date;
  /** The record's header; null when the session is broken. */
  header: BodyOf<"session"> | null;
  /** Why it is broken; null when it is not. */
  broken: string | null;
}

/** A new session's id from the time (UTC) and 24 random bits, e.g. `20261130-231500-1a2b3c`. */
export function newSessionId(
  clock: () => Date = () => new Date(),
  random: (size: number) => Buffer = randomBytes,
): string {
  const [day, time] = clock().toISOString().replaceAll(/[-:]/g, "").split(/[T.]/);
  return `${day}-${time}-${random(3).toString("hex")}`;
}

const WHERE = "The receipt of each task names its session.";

/**
 * The session that `word` names: its id, or the beginning of only one session's. Throws an `AppError` `E_SESSION` for any other
 * word: it may come from the command line. A whole id is taken as it is, whether or not there is such a session.
 */
export async function sessionNamed(dir: string, word: string): Promise<{ id: string; folder: string }> {
  if (idPattern.test(word)) return { id: word, folder: join(dir, word) };
  if (!/^\d[0-9a-f-]*$/.test(word))
    throw new AppError("E_SESSION", `"${word}" is not a session id.`, { hint: WHERE });
  const ids = (await idsIn(dir)).filter((id) => id.startsWith(word)).sort();
  const [id, ...others] = ids;
  if (id === undefined) throw new AppError("E_SESSION", `there is no session ${word}`, { hint: WHERE });
  if (others.length === 0) return { id, folder: join(dir, id) };
  const some = ids.slice(-5);
  throw new AppError("E_SESSION", `${ids.length} sessions begin with ${word}`, {
    hint: `Give more of the id: ${ids.length > some.length ? "…, " : ""}${some.join(", ")}.`,
  });
}

/** All sessions in `dir`, the one used last first; what is not a session's folder is left out. */
export async function listSessions(dir: string): Promise<SessionInfo[]> {
  const sessions: SessionInfo[] = [];
  for (const id of await idsIn(dir)) sessions.push(await describe(join(dir, id), id));
  return sessions.sort((a, b) => b.usedAt.getTime() - a.usedAt.getTime() || (a.id < b.id ? 1 : -1));
}

/** The session used last, of this workspace when one is named; broken ones do not count. */
export async function latestSession(dir: string, workspace?: string): Promise<SessionInfo | null> {
  const sessions = await listSessions(dir);
  return (
    sessions.find(
      ({ header }) => header !== null && (workspace === undefined || header.workspace === workspace),
    ) ?? null
  );
}

async function idsIn(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).filter((name) => idPattern.test(name));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw new AppError("E_SESSION", `The sessions in ${dir} cannot be listed: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function describe(folder: string, id: string): Promise<SessionInfo> {
  let usedAt = new Date(0);
  try {
    const handle = await openRecordFile(folder, toRead);
    try {
      usedAt = (await handle.stat()).mtime;
      const start = Buffer.alloc(16 * 1024); // a line holds at most 2 KB of body
      const { bytesRead } = await handle.read(start, 0, start.byteLength, 0);
      return { id, folder, usedAt, ...(await readHeader(start.subarray(0, bytesRead), folder)) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { id, folder, usedAt, header: null, broken: messageOf(error) };
  }
}

async function readHeader(
  start: Uint8Array,
  folder: string,
): Promise<Pick<SessionInfo, "header" | "broken">> {
  for await (const { content } of scanLines(start, openBlobs(folder))) {
    if ("problem" in content)
      return { header: null, broken: `its first line cannot be read: ${content.problem}` };
    if (content.body.type !== "session") return { header: null, broken: "its first line is not the header" };
    return { header: content.body, broken: null };
  }
  return { header: null, broken: "its record is empty" };
}
