// A ready agent as its users hold it: the screen, print mode, the demo and tests. Made by src/app.ts.
import type { TaskOutcome } from "../protocol/outcome.ts";
import type { ContextUse, UsageTotals } from "../protocol/usage.ts";
import type { Inbox } from "./inbox.ts";
import type { Permissions } from "./permissions.ts";
import type { SettledEffect } from "./settle.ts";

export interface Agent {
  session: string;
  workspace: string;
  model: string;
  /** The host that the conversation goes to; null when it stays on this machine. */
  host: string | null;
  /** Effects that a crash had left open, and what became of them. */
  settled: readonly SettledEffect[];
  /** What was wrong with a resumed record. */
  warnings: readonly string[];
  /** Instruction files whose text the model gets, with its length and how much was cut off, in characters. */
  instructions: readonly { source: string; length: number; cut: number }[];
  inbox: Inbox;
  /** Whether approved programs are confined. */
  sandbox: "bubblewrap" | "none";
  /** Its mode may be changed at any time; it counts from the next proposal on. */
  permissions: Permissions;
  context(): ContextUse;
  /** What the session has used so far. */
  usage(): UsageTotals;
  /** Carries one user message to its outcome; one at a time. */
  run(text: string, signal: AbortSignal): Promise<TaskOutcome>;
  close(): Promise<void>;
}
