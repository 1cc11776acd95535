// The one stream that every screen, printer and grader subscribes to (design §3).
import type { Fact } from "./fact.ts";
import type { CallOutcome, ToolCall } from "./message.ts";
import type { Usage } from "./model.ts";
import type { TaskOutcome } from "./outcome.ts";
import type { Decision, Proposal } from "./proposal.ts";
import type { Receipt } from "./receipt.ts";
import type { Mode } from "./record.ts";
import type { UsageSums } from "./usage.ts";

export type AgentEvent =
  | { type: "task-started"; text: string; mode: Mode; guided: boolean; session: string }
  | { type: "step-started"; step: number; of: number }
  /** The request failed in a way that may pass; it is sent again after `waitMs`. `attempt` counts from 2. */
  | { type: "retrying"; attempt: number; of: number; waitMs: number; why: string }
  /** A piece of a draft; it becomes the answer or is retracted. */
  | { type: "text"; text: string }
  | { type: "draft-retracted"; text: string; reason: "calls" | "check" | "cancelled" | "failed" }
  | { type: "answer"; text: string }
  | { type: "call-started"; call: ToolCall; label: string }
  /** A running program's output, as it comes; `seq` is its proposal. */
  | { type: "output"; seq: number; text: string }
  | { type: "call-ended"; callId: string; name: string; outcome: CallOutcome; content: string }
  | { type: "proposal"; proposal: Proposal }
  | { type: "decision"; decision: Decision; proposal: Proposal }
  | { type: "fact"; fact: Fact }
  /** Something MiniCode has to say to the user that is nobody's answer. */
  | { type: "note"; text: string }
  /** A request was answered: its own counts, what it cost in US dollars (null: not known), and the sums with it. */
  | ({ type: "usage"; usage: Usage; costUsd: number | null } & UsageSums)
  | { type: "task-ended"; outcome: TaskOutcome; receipt: Receipt };

/** A plain subscriber; what it throws is its own affair and never stops the task. */
export type EventSink = (event: AgentEvent) => void;
