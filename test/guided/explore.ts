// Walks every state of a reducer against an independent monitor, and reports the first broken rule. Used by proof.test.ts.

import {
  type Directive,
  type EffectKind,
  type GuidedConfig,
  type GuidedEvent,
  type GuidedState,
  initialGuided,
  type Transition,
} from "../../src/guided/state.ts";
import type { CheckResult } from "../../src/protocol/fact.ts";

export type Reducer = (state: GuidedState, event: GuidedEvent, config: GuidedConfig) => Transition;

const digests = ["A", "B"];
const effects: EffectKind[] = ["plan", "patch", "check", "command"];
const results: CheckResult[] = ["passed", "failed", "could_not_run", "timed_out", "cancelled"];
const both = [true, false];

export const allEvents: GuidedEvent[] = [
  { type: "stray" },
  { type: "answered" },
  { type: "no_check" },
  { type: "no_check", why: "could_not_run" },
  { type: "drifted" },
  { type: "cancelled" },
  { type: "crashed" },
  { type: "stopped", end: "budget" },
  { type: "stopped", end: "model_failed" },
  ...digests.flatMap((digest): GuidedEvent[] => [
    ...effects.map((kind): GuidedEvent => ({ type: "proposed", kind, digest })),
    ...(["approve", "reject", "deny", "cancel"] as const).flatMap((verdict) =>
      both.map((feedback): GuidedEvent => ({ type: "decided", digest, verdict, feedback })),
    ),
    ...both.map((changed): GuidedEvent => ({ type: "applied", digest, changed })),
    ...both.map((changed): GuidedEvent => ({ type: "ran", digest, changed })),
    ...results.flatMap((result) =>
      both.flatMap((fresh) =>
        both.map((moved): GuidedEvent => ({ type: "checked", digest, result, fresh, moved })),
      ),
    ),
  ]),
];

/** What an outside observer knows: which word was given for what, and whether the required check holds on the present tree. */
interface Monitor {
  asked: string | null;
  approved: string | null;
  performing: string | null;
  planApproved: boolean;
  touched: boolean;
  passed: boolean;
}

export interface Exploration {
  states: number;
  edges: number;
  violations: string[];
  /** Every reducer state that was reached, with its transitions, for the reachability rules. */
  graph: Map<
    string,
    { state: GuidedState; next: { event: GuidedEvent; to: string; directives: Directive[] }[] }
  >;
}

/** Breadth-first over reducer state × monitor; stops after the first 5 violations. */
export function explore(reduce: Reducer, config: GuidedConfig): Exploration {
  const violations: string[] = [];
  const graph: Exploration["graph"] = new Map();
  const seen = new Set<string>();
  const queue: { state: GuidedState; monitor: Monitor }[] = [];
  let edges = 0;
  const visit = (state: GuidedState, monitor: Monitor): void => {
    const key = JSON.stringify([state, monitor]);
    if (seen.has(key)) return;
    seen.add(key);
    queue.push({ state, monitor });
  };
  const fresh = { asked: null, approved: null, performing: null, planApproved: false, passed: false };
  visit(initialGuided("clean"), { ...fresh, touched: false });
  visit(initialGuided("dirty"), { ...fresh, touched: true });
  for (let item = queue.shift(); item && violations.length < 5; item = queue.shift()) {
    const key = JSON.stringify(item.state);
    const node = graph.get(key) ?? { state: item.state, next: [] };
    const first = !graph.has(key);
    graph.set(key, node);
    for (const event of allEvents) {
      const { state, directives } = reduce(item.state, event, config);
      edges++;
      if (first) node.next.push({ event, to: JSON.stringify(state), directives });
      const monitor = observe(item.monitor, event, directives, config, (rule) => {
        violations.push(
          `${rule}\n  state ${key}\n  event ${JSON.stringify(event)}\n  gave ${JSON.stringify(directives)}`,
        );
      });
      if (event.type === "stray" && (directives.length > 0 || JSON.stringify(state) !== key)) {
        violations.push(`a stray word changed something in ${key}`);
      }
      if (
        state.ended?.work.state === "verified" &&
        !item.state.ended &&
        !(monitor.passed && monitor.touched)
      ) {
        violations.push(`verified without a pass on the present tree: ${key} ${JSON.stringify(event)}`);
      }
      visit(state, monitor);
    }
  }
  return { states: graph.size, edges, violations, graph };
}

function observe(
  before: Monitor,
  event: GuidedEvent,
  directives: readonly Directive[],
  config: GuidedConfig,
  violated: (rule: string) => void,
): Monitor {
  const m = { ...before };
  switch (event.type) {
    case "decided":
      if (event.verdict === "approve" && m.asked?.endsWith(`:${event.digest}`)) {
        m.approved = m.asked;
        if (m.asked.startsWith("plan:")) m.planApproved = true;
      }
      if (m.asked?.endsWith(`:${event.digest}`)) m.asked = null;
      break;
    case "applied":
      if (m.performing !== `patch:${event.digest}`) break;
      m.performing = null;
      if (event.changed) Object.assign(m, { touched: true, passed: false });
      break;
    case "ran":
      if (m.performing !== `command:${event.digest}`) break;
      m.performing = null;
      if (event.changed) Object.assign(m, { touched: true, passed: false });
      break;
    case "checked":
      if (m.performing !== `check:${event.digest}`) break;
      m.performing = null;
      if (event.moved) Object.assign(m, { touched: true, passed: false });
      else if (event.result === "passed") m.passed = true;
      else if (event.result === "failed") m.passed = false;
      break;
    case "drifted":
      m.passed = false;
      break;
    case "cancelled":
    case "crashed":
      // What is cut off in the middle may have changed anything.
      if (m.performing !== null) m.passed = false;
      break;
    case "answered":
    case "stopped":
      // The gate, if any, is gone: a word for it means nothing any more.
      m.asked = null;
      m.performing = null;
      break;
    default:
      break;
  }
  for (const d of directives) {
    if (d.type === "ask") m.asked = `${d.kind}:${d.digest}`;
    if (d.type !== "perform") continue;
    if (m.approved !== `${d.kind}:${d.digest}`) violated(`${d.kind} performed without its word`);
    if (config.guided && d.kind !== "check" && !m.planApproved)
      violated(`${d.kind} performed without a plan`);
    m.approved = null;
    m.performing = `${d.kind}:${d.digest}`;
  }
  return m;
}
