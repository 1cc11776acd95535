// Runs a program of our own choice (git, ripgrep) to read something: fixed argv, no shell, no input, bounded in time.
// Used by git-program.ts and ripgrep.ts. What the model or the user wants to run goes through process.ts.
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { messageOf } from "../util/errors.ts";

export interface Program {
  /** Absolute path. */
  program: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface ProgramEnd {
  /** "enough": its reader had seen enough; "failed": it could not be started, `stderr` says why. */
  how: "exited" | "timeout" | "cancelled" | "enough" | "failed";
  /** Null when a signal ended it. */
  exit: number | null;
  /** The first 16 KB. */
  stderr: string;
}

const stderrLimit = 16 * 1024;
/** A pipe that is still held this long after the program's end is closed. */
const pipeGraceMs = 500;

/** Hands stdout over piece by piece; a reader that returns false ends the program. Never rejects. */
export function stream(program: Program, onStdout: (chunk: Buffer) => boolean): Promise<ProgramEnd> {
  if (program.signal.aborted) return Promise.resolve({ how: "cancelled", exit: null, stderr: "" });
  return new Promise((done) => {
    let child: ChildProcessByStdio<null, Readable, Readable>;
    try {
      child = spawn(program.program, program.args, {
        cwd: program.cwd,
        env: program.env,
        stdio: ["ignore", "pipe", "pipe"],
        detached: process.platform !== "win32",
        windowsHide: true,
      });
    } catch (error) {
      // Arguments that are too long or hold a NUL are refused before anything starts.
      done({ how: "failed", exit: null, stderr: messageOf(error) });
      return;
    }
    let how: ProgramEnd["how"] = "exited";
    let stderr = "";
    let grace: NodeJS.Timeout | undefined;

    function stop(why: ProgramEnd["how"]): void {
      if (how === "exited") how = why;
      killGroup(child);
    }

    const limit = setTimeout(stop, program.timeoutMs, "timeout");
    const onAbort = (): void => stop("cancelled");
    program.signal.addEventListener("abort", onAbort, { once: true });

    function settle(exit: number | null): void {
      clearTimeout(limit);
      clearTimeout(grace);
      program.signal.removeEventListener("abort", onAbort);
      done({ how, exit, stderr });
    }

    child.stdout.on("data", (chunk: Buffer) => {
      if (how === "exited" && !onStdout(chunk)) stop("enough");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < stderrLimit) stderr = (stderr + chunk.toString()).slice(0, stderrLimit);
    });
    child.on("exit", () => {
      grace = setTimeout(() => {
        killGroup(child);
        child.stdout.destroy();
        child.stderr.destroy();
      }, pipeGraceMs);
    });
    child.on("error", (error) => {
      how = "failed";
      stderr = messageOf(error);
      settle(null);
    });
    child.on("close", settle);
  });
}

/** Collects stdout up to `maxBytes`; `how` is "enough" when there was more. */
export async function capture(program: Program, maxBytes: number): Promise<ProgramEnd & { stdout: Buffer }> {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  const end = await stream(program, (chunk) => {
    chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
    return room >= 0;
  });
  return { ...end, stdout: Buffer.concat(chunks) };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill();
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}
