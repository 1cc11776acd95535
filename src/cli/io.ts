// The process as the commands see it: streams, environment, folder. src/main.ts passes the real one.
import { errnoOf } from "../util/errors.ts";

export interface Io {
  stdin: NodeJS.ReadableStream & { fd: number; isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
  cwd(): string;
}

type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };

/** Writes and waits until the bytes are out, so that a slow reader gets everything. A reader that has gone is not an error. */
export function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error && !isReaderGone(error)) reject(error);
      else resolve();
    });
  });
}

/** Whether the one who reads what we write has gone: `| head` has seen enough, or the terminal was closed. */
export function isReaderGone(error: unknown): boolean {
  const code = errnoOf(error);
  return code === "EPIPE" || code === "EIO" || code === "ERR_STREAM_DESTROYED";
}

/** Whether to colour what goes to this stream (NO_COLOR, FORCE_COLOR, TERM=dumb, no terminal). */
export function wantsColor(stream: Output, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  const force = env["FORCE_COLOR"];
  if (force !== undefined) return force !== "0" && force !== "false";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}
