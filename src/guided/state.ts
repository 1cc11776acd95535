// The guided workflow's state, the facts that move it and what it asks for (design §5). Pure data; src/agent/ acts on it.
import type { CheckResult } from "../protocol/fact.ts";
import type { TaskEnd, Work } from "../protocol/outcome.ts";

/** What a gate asks about. `rounds` is the panel "repair rounds used up". */
type GateKind = "plan" | "patch" | "check" | "command" | "rounds";
export type EffectKind = Exclude<GateKind, "rounds">;

export interface GuidedConfig {
  /** With `--guided`: a plan comes first and used-up rounds are asked about. Debts and checks are the same without. */
  guided: boolean;
  /** Repair rounds per task (N); one more can be granted. */
  rounds: number;
}

/**
 * The tree against this session's changes:
 * clean = not changed by us · dirty = changed, not checked · failed = the required check failed on exactly this tree
 * · failed_before = it failed, but only as it did before our change · checked = it passed on exactly this tree.
 */
export type TreeState = "clean" | "dirty" | "failed" | "failed_before" | "checked";

export interface GuidedState {
  plan: "none" | "approved";
  /** The one pending proposal: `asked` waits for its word, `granted` is being carried out. */
  gate: { kind: GateKind; digest: string; phase: "asked" | "granted" } | null;
  tree: TreeState;
  baseline: "unknown" | "green" | "red";
  /** Repair rounds opened; N + 1 once the extra one was granted. */
  round: number;
  /** The model was already told, on stopping, that the check still fails; the next stop is final. */
  told: boolean;
  /** The check's own run changed the tree once, so it is offered once more. */
  moved: boolean;
  /** After CANCEL with text on used-up rounds: one step for the model to answer, no effects. */
  lastStep: boolean;
  /** The task is ending this way and only its open debt is still offered its check. */
  closing: TaskEnd | null;
  ended: { end: TaskEnd; work: Work } | null;
}

export function initialGuided(tree: TreeState): GuidedState {
  return {
    plan: "none",
    gate: null,
    tree,
    baseline: "unknown",
    round: 0,
    told: false,
    moved: false,
    lastStep: false,
    closing: null,
    ended: null,
  };
}

export type GuidedEvent =
  | { type: "proposed"; kind: EffectKind; digest: string }
  | { type: "decided"; digest: string; verdict: "approve" | "reject" | "deny" | "cancel"; feedback: boolean }
  /** A control word typed where it confirms nothing. */
  | { type: "stray" }
  /** A granted patch was carried out or refused by the world; `changed`: it stands, or a part that could not be put back. */
  | { type: "applied"; digest: string; changed: boolean }
  /** A granted command ended; `changed`: the tree is not the one before it. */
  | { type: "ran"; digest: string; changed: boolean }
  /** A granted check ended. `fresh`: something failed that did not fail in the baseline. `moved`: its run changed the tree. */
  | { type: "checked"; digest: string; result: CheckResult; fresh: boolean; moved: boolean }
  /** The model stopped with a text and no call. */
  | { type: "answered" }
  /** A check was to be offered and the project has none, or it cannot be: `why`. */
  | { type: "no_check"; why?: "could_not_run" | "check_refused" }
  /** A budget is used up or the model failed. */
  | { type: "stopped"; end: "budget" | "model_failed" }
  /** The tree changed without us. */
  | { type: "drifted" }
  | { type: "cancelled" }
  | { type: "crashed" };

export type Directive =
  /** This effect needs an approved plan first. */
  | { type: "plan_first" }
  | { type: "ask"; kind: GateKind; digest: string }
  | { type: "perform"; kind: Exclude<EffectKind, "plan">; digest: string }
  /** The call ends without its effect. `busy`: something else is pending; `last_step`: only an answer is left. */
  | { type: "refuse"; why: "rejected" | "denied" | "busy" | "last_step" | "not_guided" }
  | { type: "offer_check" }
  /** Back to the model; a draft answer is retracted. */
  | { type: "continue"; why: "failed" | "failed_before" | "feedback" | "last_step" }
  | { type: "end" };

export interface Transition {
  state: GuidedState;
  directives: Directive[];
}
