// Questions that are answered with a line each: what set-up talks through. Within a session the composer's next line is the
// answer (made by start.ts); on a plain terminal it is src/cli/dialogue.ts.
import { exactLine } from "../view/exact.ts";
import { type Row, span } from "../view/row.ts";

export interface Dialogue {
  say(rows: readonly Row[]): void;
  /** Columns that a row may have. */
  width(): number;
  /** The user's next line without blanks around it, which may be empty; null when they leave. One question at a time. */
  ask(): Promise<string | null>;
  /** Aborts when they leave. */
  signal: AbortSignal;
}

export interface SessionDialogue {
  /** Lets `job` ask; one at a time. */
  run<T>(job: (dialogue: Dialogue) => Promise<T>): Promise<T>;
  /** Whether a job is asking. */
  active(): boolean;
  /** Gives a line to the question that waits; false when none does. */
  answer(line: string): boolean;
  /** The user has enough; false when no job is asking, or they had left already. */
  leave(): boolean;
}

export function createSessionDialogue({ say, width }: Pick<Dialogue, "say" | "width">): SessionDialogue {
  let left: AbortController | null = null;
  let waiting: ((line: string | null) => void) | null = null;
  return {
    run: async (job) => {
      const end = new AbortController();
      left = end;
      const ask = (): Promise<string | null> =>
        new Promise((resolve) => {
          if (end.signal.aborted) resolve(null);
          else waiting = resolve;
        });
      try {
        return await job({ say, width, ask, signal: end.signal });
      } finally {
        left = null;
        waiting = null;
      }
    },
    active: () => left !== null,
    answer: (line) => {
      const give = waiting;
      waiting = null;
      if (give === null) return false;
      say([[span("❯ ", "accent"), ...exactLine(line)]]);
      give(line.trim());
      return true;
    },
    leave: () => {
      if (left === null || left.signal.aborted) return false;
      left.abort();
      waiting?.(null);
      waiting = null;
      return true;
    },
  };
}
