// What the user types while a task runs: delivered to the model at the next step boundary. Filled by the screen, drained by the loop.

export interface Inbox {
  push(text: string): void;
  /** What is not delivered yet, oldest first. */
  waiting(): readonly string[];
  /** Takes everything out, oldest first. */
  drain(): string[];
  /** Puts messages back in front that were drained and not delivered. */
  restore(texts: readonly string[]): void;
}

export function createInbox(): Inbox {
  let waiting: string[] = [];
  return {
    push: (text) => {
      waiting.push(text);
    },
    waiting: () => waiting,
    drain: () => {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    restore: (texts) => {
      waiting = [...texts, ...waiting];
    },
  };
}
