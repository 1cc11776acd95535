// One task while it runs: its guided state, plan, tree and memory of calls. Shared by the loop, the dispatcher and the corridor.
import { reduceGuided } from "../guided/reducer.ts";
import { type Directive, type GuidedEvent, type GuidedState, initialGuided } from "../guided/state.ts";
import type { Fact } from "../protocol/fact.ts";
import type { TaskEnd } from "../protocol/outcome.ts";
import type { PlanContent, Warning } from "../protocol/proposal.ts";
import { factsOf } from "../record/facts.ts";
import { debt, madeFiles, nextSeq, seenFiles } from "../record/restore.ts";
import type { FileChange, ToolContext } from "../tools/contract.ts";
import { layered, overlayOf } from "../tools/overlay.ts";
import { type Budgets, startBudgets } from "./budgets.ts";
import type { AgentPorts, TaskOptions, Tree } from "./ports.ts";

export interface TaskRun {
  readonly ports: AgentPorts;
  readonly options: TaskOptions;
  readonly budgets: Budgets;
  /** Aborts on the user's cancel and when the time is used up; while closing out, on the user's cancel alone. */
  signal: AbortSignal;
  readonly userSignal: AbortSignal;
  guided: GuidedState;
  plan: PlanContent | null;
  tree: Tree;
  /** Names that failed before the first change; null while no baseline was run. */
  baseline: readonly string[] | null;
  /** Names that failed in the latest check. */
  failing: readonly string[];
  /** Proposals the user rejected in this task, by what makes them the same again, with what the user said. */
  rejected: Map<string, string>;
  /** What the user wrote with the latest decision. */
  feedback: string;
  /** What was shown in mode `propose` so far: reads and further patches of this task build on it. */
  proposed: readonly FileChange[];
  signatures: string[];
  /** Results of reads by signature: the call that returned them and the result's hash. */
  reads: Map<string, { callId: string; hash: string }>;
  steps: number;
  /** Set when the task must stop after the present call: why, and how it ends. */
  stop: { end: Extract<TaskEnd, "budget" | "model_failed">; detail: string; retryable?: boolean } | null;
  /** Whether some effect was denied because nobody could be asked. */
  unattended: boolean;
  /** Text that gives orders to agents, as this task's calls brought it in. */
  warnings: Warning[];
}

export async function startTask(
  ports: AgentPorts,
  options: TaskOptions,
  userSignal: AbortSignal,
): Promise<TaskRun> {
  const { entries } = ports.record;
  const tree = await ports.world.tree(madeFiles(entries));
  const owed = debt(entries);
  const budgets = startBudgets(options);
  return {
    ports,
    options,
    budgets,
    signal: AbortSignal.any([userSignal, budgets.signal]),
    userSignal,
    guided: initialGuided(owed.dirty && owed.lastPassTree !== tree.hash ? "dirty" : "clean"),
    plan: null,
    tree,
    baseline: null,
    failing: [],
    rejected: new Map(),
    feedback: "",
    proposed: [],
    signatures: [],
    reads: new Map(),
    steps: 0,
    stop: null,
    unattended: false,
    warnings: [...(options.warnings ?? [])],
  };
}

/** Moves the guided state by one fact and gives what it asks for. */
export function advance(run: TaskRun, event: GuidedEvent): Directive | undefined {
  const { state, directives } = reduceGuided(run.guided, event, run.options);
  run.guided = state;
  return directives[0];
}

/** Records facts and tells the subscribers. */
export async function recordFacts(run: TaskRun, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) {
    await run.ports.record.append({ type: "fact", fact });
    run.ports.emit({ type: "fact", fact });
  }
}

/** Takes the tree anew; what changed since the last look, and not by us, is drift. */
export async function syncTree(run: TaskRun): Promise<void> {
  const tree = await treeNow(run);
  if (tree.hash === run.tree.hash) return;
  const paths = changedBetween(run.tree, tree);
  run.tree = tree;
  await recordFacts(run, [{ type: "drift", paths, by: "other" }]);
  advance(run, { type: "drifted" });
}

/** `more` are files that count as made by this session though nothing recorded says so yet. */
export function treeNow(run: TaskRun, more: readonly string[] = []): Promise<Tree> {
  return run.ports.world.tree([...madeFiles(run.ports.record.entries), ...more]);
}

/** Paths that differ between two trees, sorted. */
export function changedBetween(before: Tree, after: Tree): string[] {
  const paths = new Set([...before.files.keys(), ...after.files.keys()]);
  return [...paths].filter((path) => before.files.get(path) !== after.files.get(path)).sort();
}

export function nextProposalSeq(run: TaskRun): number {
  return nextSeq(run.ports.record.entries);
}

/** What a tool may know. `overlay` holds what earlier calls would leave on disk; by default what was proposed so far. */
export function toolContext(run: TaskRun, overlay = overlayOf(run.proposed)): ToolContext {
  return { ...layered(toolContextFor(run.ports, run.plan), overlay), signal: run.signal };
}

/** The same outside a task, for what is looked up once at the start of a session. */
export function toolContextFor(
  { world, record, blobs }: Pick<AgentPorts, "world" | "record" | "blobs">,
  plan: PlanContent | null = null,
): ToolContext {
  return {
    gate: world.gate,
    signal: new AbortController().signal,
    file: world.file,
    hasSeen: (path, hash) => seenFiles(record.entries).get(path)?.has(hash) ?? false,
    changedPaths: () => debt(record.entries).changedPaths,
    outputOf: async (seq) => {
      const runs = factsOf(record.entries).filter((fact) => fact.type === "ran" && fact.seq === seq);
      const outputs = runs.flatMap((fact) => (fact.type === "ran" ? [fact.output] : []));
      return outputs.length === 0
        ? null
        : Buffer.concat(await Promise.all(outputs.map((ref) => blobs.get(ref))));
    },
    approvedPlan: () => plan,
  };
}

/** `promise`, or a rejection as soon as the signal aborts; a late result is ignored. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
