// The proof of design §5: every event in every reachable state, and mutants of the reducer that the proof must catch.
import { describe, expect, it } from "vitest";
import { reduceGuided } from "../../src/guided/reducer.ts";
import type { GuidedConfig, GuidedEvent } from "../../src/guided/state.ts";
import { allEvents, type Exploration, explore, type Reducer } from "./explore.ts";

const configs: GuidedConfig[] = [
  { guided: true, rounds: 2 },
  { guided: false, rounds: 2 },
];

/** Fewest outside events from a state to an outcome when the first is `first`; proposing an offered check is our own reaction. */
function eventsToEnd({ graph }: Exploration, from: string, first: (e: GuidedEvent) => boolean): number {
  let layer = new Set<string>();
  const start = graph.get(from);
  if (!start || start.state.ended) return 0;
  for (const n of start.next) if (first(n.event)) layer.add(n.to);
  for (let count = 1; count <= 6; count++) {
    const next = new Set<string>();
    for (const key of expandOffers(graph, layer)) {
      const node = graph.get(key);
      if (!node || node.state.ended) return count;
      for (const n of node.next) next.add(n.to);
    }
    layer = next;
  }
  return Number.POSITIVE_INFINITY;
}

function expandOffers(graph: Exploration["graph"], keys: ReadonlySet<string>): Set<string> {
  const out = new Set(keys);
  for (const key of keys) {
    const node = graph.get(key);
    if (!node?.state.closing || node.state.gate) continue;
    for (const n of node.next) if (n.event.type === "proposed" && n.event.kind === "check") out.add(n.to);
  }
  return out;
}

describe.each(configs)("the guided reducer, $guided, $rounds rounds", (config) => {
  const found = explore(reduceGuided, config);

  it("keeps every rule in every reachable state", () => {
    expect(found.violations).toEqual([]);
    console.info(
      `guided=${config.guided}: ${found.states} states, ${found.edges} edges, ${allEvents.length} events`,
    );
    expect(found.states).toBeGreaterThan(200);
  });

  it.each([
    ["answer", (e: GuidedEvent) => e.type === "answered"],
    ["cancel", (e: GuidedEvent) => e.type === "cancelled"],
    ["budget", (e: GuidedEvent) => e.type === "stopped" && e.end === "budget"],
    ["crash", (e: GuidedEvent) => e.type === "crashed"],
  ] as const)("reaches an outcome within 3 events of %s from every state", (_name, first) => {
    const late = [...found.graph.keys()].filter((key) => eventsToEnd(found, key, first) > 3);
    expect(late).toEqual([]);
  });

  it("never asks for more than one thing, and ends only once", () => {
    const wrong = [...found.graph].filter(([key, { state, next }]) =>
      next.some((n) => n.directives.length > 1 || (state.ended && n.to !== key)),
    );
    expect(wrong).toEqual([]);
  });

  it("opens at most one extra round", () => {
    for (const { state } of found.graph.values()) {
      expect(state.round).toBeLessThanOrEqual(config.rounds + (config.guided ? 1 : 0));
    }
  });
});

const mutants: [string, Reducer][] = [
  [
    "a word confirms whatever is pending",
    (s, e, c) => reduceGuided(s, e.type === "decided" ? { ...e, digest: s.gate?.digest ?? e.digest } : e, c),
  ],
  [
    "an applied patch leaves the tree checked",
    (s, e, c) => {
      const t = reduceGuided(s, e, c);
      return e.type === "applied" && s.tree === "checked"
        ? { ...t, state: { ...t.state, tree: "checked" } }
        : t;
    },
  ],
  [
    "a stray word counts as CONTINUE",
    (s, e, c) =>
      e.type === "stray" && s.gate
        ? reduceGuided(s, { type: "decided", digest: s.gate.digest, verdict: "approve", feedback: false }, c)
        : reduceGuided(s, e, c),
  ],
  ["the plan is assumed", (s, e, c) => reduceGuided({ ...s, plan: "approved" }, e, c)],
  [
    "a check that could not run passes",
    (s, e, c) =>
      reduceGuided(
        s,
        e.type === "checked" && e.result === "could_not_run" ? { ...e, result: "passed" } : e,
        c,
      ),
  ],
  [
    "drift is ignored",
    (s, e, c) => (e.type === "drifted" ? { state: s, directives: [] } : reduceGuided(s, e, c)),
  ],
  [
    "an effect that was cut off leaves the tree checked",
    (s, e, c) => reduceGuided(e.type === "crashed" ? { ...s, gate: null } : s, e, c),
  ],
  [
    "a rejected patch is applied",
    (s, e, c) =>
      reduceGuided(s, e.type === "decided" && e.verdict === "reject" ? { ...e, verdict: "approve" } : e, c),
  ],
];

describe("the proof catches a broken rule", () => {
  it.each(mutants)("%s", (_name, mutant) => {
    expect(explore(mutant, { guided: true, rounds: 2 }).violations.length).toBeGreaterThan(0);
  });
});
