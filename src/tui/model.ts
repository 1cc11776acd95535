// What the live rows show, as one object that the controller writes and the live view reads.
import type { AgentEvent } from "../protocol/event.ts";
import type { PatchContent } from "../protocol/proposal.ts";
import type { ContextUse, UsageTotals } from "../protocol/usage.ts";
import type { GatePanel } from "./gate-panel.ts";
import type { Inspector } from "./inspector.ts";
import type { Pager } from "./pager.ts";
import type { OpenQuestion } from "./question.ts";

/** A request that failed and is sent again. */
export type Retry = Pick<Extract<AgentEvent, { type: "retrying" }>, "attempt" | "of" | "why">;

export interface LiveModel {
  /** Text that the model is streaming; not yet anything. */
  draft: string;
  /** The end of what a running program has printed. */
  output: string;
  /** What goes on while a task runs: a label and when it begins (monotonic ms); until then `retry` says what is waited for. */
  activity: { label: string; since: number; retry?: Retry } | null;
  panel: GatePanel | null;
  question: OpenQuestion | null;
  /** `follows`: the window goes where the selected item is. */
  overlay: { kind: "inspector" | "diff"; pager: Pager; follows: boolean } | null;
  inspector: Inspector;
  /** The patch that was approved last, until its first file is in place. */
  approved: { seq: number; content: PatchContent } | null;
  /** Patches of this session that were applied, for /diff. */
  patches: PatchContent[];
  /** Texts that wait for the next step or the next task. */
  queued: string[];
  /** One line for the user above the composer; "" for none. */
  hint: string;
  footer: {
    place: string;
    model: string;
    permissions: string;
    sandbox: string;
    state: string;
    steps: number;
    context: ContextUse;
    /** Of the whole session. */
    usage: UsageTotals;
  };
}
