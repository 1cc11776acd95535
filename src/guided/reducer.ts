// The guided workflow as a pure function: facts in, directives out (design §5). Total: every event is legal in every state.
// test/guided/proof.test.ts walks every reachable state and proves the rules that this file must keep.
import type { TaskEnd, UnverifiedWhy, Work } from "../protocol/outcome.ts";
import type { Directive, GuidedConfig, GuidedEvent, GuidedState, Transition } from "./state.ts";

export function reduceGuided(state: GuidedState, event: GuidedEvent, config: GuidedConfig): Transition {
  if (state.ended) return stay(state);
  switch (event.type) {
    case "stray":
      return stay(state);
    case "cancelled":
      return end(cutOff(state), "cancelled");
    case "crashed":
      return end(cutOff(state), "internal_error");
    case "stopped":
      return close({ ...state, gate: null }, event.end);
    case "answered":
      return close({ ...state, gate: null }, "answered");
    case "no_check":
      return state.closing && !state.gate ? end(state, state.closing, event.why ?? "no_check") : stay(state);
    case "drifted":
      return stay(state.tree === "clean" ? state : { ...state, tree: "dirty" });
    case "proposed":
      return propose(state, event, config);
    case "decided":
      return decide(state, event, config);
    case "applied":
      if (!granted(state, "patch", event.digest)) return stay(state);
      return stay({ ...state, gate: null, ...(event.changed ? { tree: "dirty", moved: false } : {}) });
    case "ran":
      if (!granted(state, "command", event.digest)) return stay(state);
      return stay({ ...state, gate: null, ...(event.changed ? { tree: "dirty", moved: false } : {}) });
    case "checked":
      if (!granted(state, "check", event.digest)) return stay(state);
      return checked({ ...state, gate: null }, event, config);
  }
}

function propose(
  state: GuidedState,
  { kind, digest }: Extract<GuidedEvent, { type: "proposed" }>,
  config: GuidedConfig,
): Transition {
  if (state.gate) return to(state, { type: "refuse", why: "busy" });
  if (state.lastStep) return to(state, { type: "refuse", why: "last_step" });
  if (state.closing && kind !== "check") return to(state, { type: "refuse", why: "busy" });
  if (kind === "plan" && !config.guided) return to(state, { type: "refuse", why: "not_guided" });
  // A check changes nothing that its own RUN does not show, so it may come before the plan: it is the baseline.
  if (config.guided && state.plan === "none" && (kind === "patch" || kind === "command")) {
    return to(state, { type: "plan_first" });
  }
  return to({ ...state, gate: { kind, digest, phase: "asked" } }, { type: "ask", kind, digest });
}

function decide(
  state: GuidedState,
  event: Extract<GuidedEvent, { type: "decided" }>,
  config: GuidedConfig,
): Transition {
  const { gate } = state;
  if (gate?.phase !== "asked" || gate.digest !== event.digest) return stay(state);
  if (event.verdict === "cancel") return end(state, "cancelled");
  const open = { ...state, gate: null };
  if (event.verdict === "approve") {
    if (gate.kind === "plan") return stay({ ...open, plan: "approved" });
    if (gate.kind === "rounds") {
      return to({ ...open, closing: null, round: config.rounds + 1 }, { type: "continue", why: "failed" });
    }
    return to(
      { ...state, gate: { ...gate, phase: "granted" } },
      { type: "perform", kind: gate.kind, digest: gate.digest },
    );
  }
  const refused: Directive = { type: "refuse", why: event.verdict === "deny" ? "denied" : "rejected" };
  switch (gate.kind) {
    case "plan":
      return event.feedback ? to(open, refused) : close(open, "rejected");
    case "patch":
    case "command":
      return to(open, refused);
    case "check":
      if (!state.closing) return to(open, refused);
      if (event.feedback && state.closing === "answered") {
        return to({ ...open, closing: null }, { type: "continue", why: "feedback" });
      }
      return end(open, state.closing, "check_refused");
    case "rounds":
      if (event.feedback) {
        return to({ ...open, closing: null, lastStep: true }, { type: "continue", why: "last_step" });
      }
      return end(open, "answered");
  }
}

function checked(
  state: GuidedState,
  { result, fresh, moved, digest }: Extract<GuidedEvent, { type: "checked" }>,
  config: GuidedConfig,
): Transition {
  const { closing } = state;
  if (result === "passed") {
    if (moved) {
      const again: GuidedState = { ...state, tree: "dirty", moved: true };
      if (!closing) return stay(again);
      return state.moved ? end(again, closing, "check_changes_files") : to(again, { type: "offer_check" });
    }
    const passed: GuidedState =
      state.tree === "clean" ? { ...state, baseline: "green" } : { ...state, tree: "checked" };
    return closing ? end(passed, closing) : stay(passed);
  }
  const after: GuidedState = moved ? { ...state, tree: "dirty" } : state;
  if (result !== "failed") {
    // Only the user's cancel ends a check that is run while the task is ending.
    return closing ? end(after, result === "cancelled" ? "cancelled" : closing, result) : stay(after);
  }
  if (after.tree === "clean") return stay({ ...after, baseline: "red" });
  if (!fresh) {
    const before: GuidedState = { ...after, tree: "failed_before" };
    return closing ? close({ ...before, closing: null }, closing) : stay(before);
  }
  return failed({ ...after, tree: "failed" }, digest, config);
}

/** A check failed after our change, with something that did not fail before: open a round, ask for one more, or stop. */
function failed(state: GuidedState, digest: string, config: GuidedConfig): Transition {
  const { closing } = state;
  if (closing && closing !== "answered") return end(state, closing);
  // Without --guided the model's own runs are free: only its stops count, so no task is lost that a bare loop would solve.
  if (!closing && !config.guided) return stay(state);
  if (state.round < config.rounds) {
    const opened = { ...state, closing: null, round: state.round + 1 };
    return closing ? to(opened, { type: "continue", why: "failed" }) : stay(opened);
  }
  if (config.guided && state.round === config.rounds) {
    return to(
      { ...state, closing: "answered", gate: { kind: "rounds", digest, phase: "asked" } },
      { type: "ask", kind: "rounds", digest },
    );
  }
  return end(state, "answered");
}

/** The task is to end this way; an open debt is offered its check once, a known failure is said once. */
function close(state: GuidedState, how: TaskEnd): Transition {
  if (state.closing || state.lastStep) return end(state, state.closing ?? how);
  if (state.tree === "dirty") return to({ ...state, closing: how }, { type: "offer_check" });
  const failing = state.tree === "failed" || state.tree === "failed_before";
  if (failing && how === "answered" && !state.told) {
    return to(
      { ...state, told: true },
      { type: "continue", why: state.tree === "failed" ? "failed" : "failed_before" },
    );
  }
  return end(state, how);
}

function end(state: GuidedState, how: TaskEnd, why: UnverifiedWhy = "not_offered"): Transition {
  return to(
    { ...state, gate: null, closing: null, ended: { end: how, work: workOf(state, why) } },
    { type: "end" },
  );
}

function workOf(state: GuidedState, why: UnverifiedWhy): Work {
  switch (state.tree) {
    case "clean":
      return { state: "none" };
    case "checked":
      return { state: "verified" };
    case "failed":
      return { state: "check_failed" };
    case "failed_before":
      return { state: "unverified", why: "failing_before" };
    case "dirty":
      return { state: "unverified", why };
  }
}

function granted(state: GuidedState, kind: "patch" | "command" | "check", digest: string): boolean {
  return state.gate?.phase === "granted" && state.gate.kind === kind && state.gate.digest === digest;
}

/** What was begun and has no end may have changed anything; a check is no debt of its own. */
function cutOff(state: GuidedState): GuidedState {
  const { gate, tree } = state;
  if (gate?.phase !== "granted" || (gate.kind === "check" && tree === "clean")) return state;
  return { ...state, tree: "dirty" };
}

function stay(state: GuidedState): Transition {
  return { state, directives: [] };
}

function to(state: GuidedState, ...directives: Directive[]): Transition {
  return { state, directives };
}
