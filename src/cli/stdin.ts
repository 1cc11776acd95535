// Text that was piped in: read to its end and appended to the prompt.
import { fstatSync } from "node:fs";
import type { Io } from "./io.ts";

const LONG_WAIT_MS = 3_000;

/** The piped text, or "" when standard input is a terminal, a device such as /dev/null, or closed. */
export async function readPipedText({ stdin, stderr }: Io): Promise<string> {
  if (stdin.isTTY || !holdsData(stdin.fd)) return "";
  const hint = setTimeout(() => {
    stderr.write(
      "minicode: waiting for the end of standard input (start with </dev/null if there is none)\n",
    );
  }, LONG_WAIT_MS);
  hint.unref();
  try {
    const parts: Buffer[] = [];
    for await (const part of stdin) parts.push(Buffer.from(part));
    return Buffer.concat(parts).toString("utf8");
  } finally {
    clearTimeout(hint);
  }
}

function holdsData(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false;
  }
}
