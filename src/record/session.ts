// A session opened for work: its lock, its record and its blobs, new or gone on with. Used by src/app.ts.
import { join } from "node:path";
import type { Blobs } from "../protocol/blobs.ts";
import type { BodyOf, RecordBody, RecordEntry } from "../protocol/record.ts";
import { AppError } from "../util/errors.ts";
import { createRecord, openRecord, type Recorder } from "./append.ts";
import { openBlobs } from "./blobs.ts";
import { lockSession, type SessionLock } from "./lock.ts";
import { latestSession, newSessionId, sessionNamed } from "./sessions.ts";

/** Which session to work in: a new one, the latest of this workspace, or a named one. */
export type SessionChoice = { kind: "new" } | { kind: "latest" } | { kind: "resume"; id: string };

/** The session's record: what was, and the one way to add to it. */
export interface SessionRecord {
  readonly id: string;
  readonly entries: readonly RecordEntry[];
  /** Hash of the last entry. */
  readonly head: string;
  append(body: RecordBody): Promise<void>;
  /** Whether a value can be recorded as it is: not when a known key's value is in it. */
  keepsWhole(value: unknown): boolean;
}

export interface OpenSession {
  record: SessionRecord;
  blobs: Blobs;
  /** What was wrong with the record of a session that is gone on with. */
  warnings: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens the chosen session under `dir`. Throws `E_SESSION` when it is not there or belongs to another workspace, `E_LOCKED`
 * when another MiniCode has it, `E_RECORD` when its record cannot be used.
 */
export async function openSession(
  dir: string,
  choice: SessionChoice,
  header: Omit<BodyOf<"session">, "type" | "id">,
  redact: (text: string) => string,
): Promise<OpenSession> {
  if (choice.kind === "new") {
    const id = newSessionId();
    const folder = join(dir, id);
    const recorder = await createRecord(folder, { type: "session", id, ...header }, { redact });
    try {
      return opened(id, folder, recorder, [], await lockSession(id, folder), []);
    } catch (error) {
      await recorder.close();
      throw error;
    }
  }
  const { id, folder } = await chosen(dir, choice, header.workspace);
  const lock = await lockSession(id, folder).catch((error: unknown) => {
    throw error instanceof AppError ? error : noSession(id, error);
  });
  try {
    const { recorder, contents } = await openRecord(folder, { redact });
    const first = contents.entries[0]?.body;
    if (first?.type === "session" && first.workspace !== header.workspace) {
      await recorder.close();
      throw new AppError("E_SESSION", `session ${id} belongs to ${first.workspace}`, {
        hint: `Go on with it there: minicode --workspace ${first.workspace} --resume ${id}`,
      });
    }
    return opened(id, folder, recorder, contents.entries, lock, contents.warnings);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function chosen(
  dir: string,
  choice: Exclude<SessionChoice, { kind: "new" }>,
  workspace: string,
): Promise<{ id: string; folder: string }> {
  if (choice.kind === "resume") return sessionNamed(dir, choice.id);
  const latest = await latestSession(dir, workspace);
  if (latest) return latest;
  throw new AppError("E_SESSION", "this folder has no earlier session", {
    hint: "Start one without --continue.",
  });
}

function noSession(id: string, cause: unknown): AppError {
  return new AppError("E_SESSION", `there is no session ${id}`, {
    cause,
    hint: "The receipt of each task names its session.",
  });
}

function opened(
  id: string,
  folder: string,
  recorder: Recorder,
  before: readonly RecordEntry[],
  lock: SessionLock,
  warnings: readonly string[],
): OpenSession {
  const entries = [...before];
  return {
    record: {
      id,
      entries,
      get head() {
        return recorder.head;
      },
      append: async (body) => {
        entries.push(await recorder.append(body));
      },
      keepsWhole: recorder.keepsWhole,
    },
    blobs: openBlobs(folder),
    warnings,
    close: async () => {
      await recorder.close();
      await lock.release();
    },
  };
}
