// What the live rows show, as one object that the controller writes and the live view reads.
import type { PatchContent } from "../protocol/proposal.ts";
import type { GatePanel } from "./gate-panel.ts";
import type { Inspector } from "./inspector.ts";
import type { Pager } from "./pager.ts";

export interface LiveModel {
  /** Text that the model is streaming; not yet anything. */
  draft: string;
  /** The end of what a running program has printed. */
  output: string;
  /** What goes on while a task runs: a label and when it began (monotonic ms). */
  activity: { label: string; since: number } | null;
  panel: GatePanel | null;
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
  footer: { place: string; model: string; state: string; steps: number; tokens: number | null };
}
