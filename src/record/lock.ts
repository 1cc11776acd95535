// One MiniCode per session: a lock that the system itself releases when its holder dies (D6, TH105). Taken by session.ts.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { AppError, errnoOf } from "../util/errors.ts";
import { recordError, writeNew } from "./files.ts";

export interface SessionLock {
  release(): Promise<void>;
}

/**
 * Locks the session `id` in `folder`, which must exist. Throws an `AppError` `E_LOCKED` when another process holds it, at
 * once, and the system's `ENOENT` when there is no such folder. Does not keep this process alive.
 */
export function lockSession(id: string, folder: string): Promise<SessionLock> {
  return process.platform === "linux" ? lockBySocket(id, folder) : lockByFile(id, folder);
}

function locked(id: string, cause: unknown): AppError {
  return new AppError("E_LOCKED", `Session ${id} is open in another MiniCode.`, {
    hint: "End that one first, or start a new session.",
    cause,
  });
}

/** An abstract socket has no file: no clock, no stale lock, gone with its process even at kill -9. */
async function lockBySocket(id: string, folder: string): Promise<SessionLock> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const server = createServer((socket) => socket.destroy());
  // The folder's identity keeps equal ids in different data folders apart.
  const name = `\0minicode-${process.getuid?.()}-${id}-${dev}-${ino}`;
  await new Promise<void>((resolve, reject) => {
    server.on("error", (error) => {
      reject(
        errnoOf(error) === "EADDRINUSE"
          ? locked(id, error)
          : recordError("The session cannot be locked", error),
      );
    });
    server.listen(name, resolve);
  });
  server.unref();
  return {
    release: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The lock where there are no abstract sockets: a file that names its process. Exported for its test. */
export async function lockByFile(id: string, folder: string): Promise<SessionLock> {
  const path = join(folder, "lock");
  const mine = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeNew(
      mine,
      Buffer.from(JSON.stringify({ pid: process.pid, started: await startOf(process.pid) })),
    );
    while (!(await publish(mine, path))) {
      if (!(await removeStale(path, mine))) throw locked(id, undefined);
    }
  } finally {
    await rm(mine, { force: true });
  }
  return { release: () => rm(path, { force: true }) };
}

/** Gives the whole file its second name, or says that another has it: a lock file without its process would look stale. */
async function publish(mine: string, path: string): Promise<boolean> {
  try {
    await link(mine, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock file when the process that it names is gone; false when it is not. */
async function removeStale(path: string, mine: string): Promise<boolean> {
  const text = await readFile(path, "utf8").catch(() => "");
  if (await isAlive(text)) return false;
  // Another process may have found it stale too and hold a new one by now: look at what was really moved.
  const aside = `${mine}.stale`;
  try {
    await rename(path, aside);
  } catch (error) {
    return errnoOf(error) === "ENOENT";
  }
  if ((await readFile(aside, "utf8")) !== text) {
    await rename(aside, path);
    return false;
  }
  await rm(aside);
  return true;
}

async function isAlive(text: string): Promise<boolean> {
  const [, pid, started] = /^\{"pid":(\d+),"started":"([^"]*)"\}$/.exec(text) ?? [];
  if (pid === undefined) return false; // not a lock that we wrote
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (errnoOf(error) === "ESRCH") return false;
  }
  return (await startOf(Number(pid))) === started;
}

/** When a process started, as `ps` says it; empty where there is no `ps`, and then the number alone must do. */
async function startOf(pid: number): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], {
      env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
    });
    return stdout.trim();
  } catch {
    return "";
  }
}
