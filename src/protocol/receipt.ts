// What the close-out receipt says, as data. Folded from the record by src/record/receipt.ts, drawn by src/view/receipt.ts.
import type { CheckResult } from "./fact.ts";
import type { TaskOutcome } from "./outcome.ts";
import type { CheckOrigin, Decision, ProposalKind } from "./proposal.ts";
import type { UsageSums } from "./usage.ts";

export interface ReceiptCheck {
  label: string;
  origin: CheckOrigin;
  result: CheckResult;
  /** Exit code of the last program that ran; null when none ended by itself. */
  exit: number | null;
  failing: string[];
  baseline: boolean;
}

export interface Receipt {
  outcome: TaskOutcome;
  /** Files this task changed, with the lines added and removed over the whole task. */
  files: { path: string; change: "created" | "edited" | "deleted"; added: number; removed: number }[];
  checks: ReceiptCheck[];
  /** Whether the tree is still the one the last passing required check ran on; null when there is none. */
  treeIsChecked: boolean | null;
  /** The approved plan's scope, and changed files outside it; null without a plan. */
  scope: { files: string[]; outside: string[] } | null;
  drift: string[];
  /** Hosts that pages came from, each once. */
  fetched: string[];
  /** Proposals that were not carried out, and by whose word. */
  refusals: { kind: ProposalKind; verdict: "reject" | "deny" | "cancel"; by: Decision["by"] }[];
  /** Approved patches and commands that could not be carried out, where none was later. */
  failed: ProposalKind[];
  git: { branch: string; changed: string[] } | null;
  /** What the answer says beyond the facts, in one line; null when it does not. */
  overclaim: string | null;
  steps: number;
  usage: UsageSums;
  session: string;
  /** The record's last hash when the receipt was made. */
  chainHead: string;
}
