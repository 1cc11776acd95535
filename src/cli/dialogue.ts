// Questions on a plain terminal, a line for each answer. Used by setup.ts, and where the first screen leads to it.
import { createInterface } from "node:readline";
import type { Dialogue } from "../tui/dialogue.ts";
import { rowsToText } from "../view/plain.ts";
import { type Io, wantsColor } from "./io.ts";

const PROMPT = "❯ ";
const DEFAULT_COLUMNS = 80;

/** Lets `job` ask on `io`'s terminal, which is its own again afterwards. Ctrl+C, Ctrl+D and the end of the input leave. */
export async function withDialogue<T>(io: Io, job: (dialogue: Dialogue) => Promise<T>): Promise<T> {
  const lines = createInterface({ input: io.stdin, output: io.stdout, prompt: PROMPT });
  const left = new AbortController();
  let waiting: ((line: string | null) => void) | null = null;
  const give = (line: string | null): void => {
    const answer = waiting;
    waiting = null;
    answer?.(line);
  };
  // A line that nobody has asked for is no answer to the question that comes next.
  lines.on("line", (line) => give(line.trim()));
  lines.on("SIGINT", () => lines.close());
  lines.on("close", () => {
    left.abort();
    give(null);
  });
  const color = wantsColor(io.stdout, io.env);
  const width = (): number => io.stdout.columns ?? DEFAULT_COLUMNS;
  try {
    return await job({
      width,
      say: (rows) => {
        const wrap = { width: width(), measure: (text: string) => text.length };
        io.stdout.write(`${rowsToText(rows, { color, wrap })}\n`);
      },
      ask: () =>
        new Promise((resolve) => {
          if (left.signal.aborted) {
            resolve(null);
            return;
          }
          waiting = resolve;
          lines.prompt();
        }),
      signal: left.signal,
    });
  } finally {
    lines.close();
  }
}
