// A ready agent as its users hold it: the screen, print mode, the demo and tests. Made by src/app.ts.
import type { TaskOutcome } from "../protocol/outcome.ts";
import type { Inbox } from "./inbox.ts";
import type { SettledEffect } from "./settle.ts";

export interface Agent {
  session: string;
  workspace: string;
  model: string;
  /** Effects that a crash had left open, and what became of them. */
  settled: readonly SettledEffect[];
  /** What was wrong with a resumed record. */
  warnings: readonly string[];
  inbox: Inbox;
  /** Carries one user message to its outcome; one at a time. */
  run(text: string, signal: AbortSignal): Promise<TaskOutcome>;
  close(): Promise<void>;
}
