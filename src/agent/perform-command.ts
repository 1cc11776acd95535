// Carries out approved commands and checks, records what ran, and tells the model what came of it.
import type { CheckResult, FactOf } from "../protocol/fact.ts";
import type { CommandContent, Proposal } from "../protocol/proposal.ts";
import { checkReport, commandReport, type ProgramEnd, verdictOf } from "../tools/command-report.ts";
import { result, type ToolResult } from "../tools/contract.ts";
import type { EffectEnd } from "./effect.ts";
import { askRounds } from "./rounds.ts";
import { advance, changedBetween, recordFacts, type TaskRun, treeNow } from "./task.ts";

interface Performed {
  ends: ProgramEnd[];
  changed: string[];
  /** Why a program was not started: what was shown is no longer what would run. */
  refused: ToolResult | null;
}

export async function performCommand(
  run: TaskRun,
  proposal: Proposal,
  content: CommandContent,
): Promise<EffectEnd> {
  const { ends, changed, refused } = await runAll(run, proposal, content);
  const directive = advance(run, { type: "ran", digest: proposal.digest, changed: changed.length > 0 });
  if (refused) return { result: refused, directive };
  const seq = pagedBy(run, proposal);
  const last = ends.at(-1);
  const outcome = last?.cancelled
    ? "cancelled"
    : last?.timedOut
      ? "timeout"
      : last?.exit === 0
        ? "ok"
        : "error";
  return { result: result(outcome, commandReport(content, ends, changed, seq)), directive };
}

export async function performCheck(
  run: TaskRun,
  proposal: Proposal,
  content: CommandContent,
  check: NonNullable<CommandContent["check"]>,
): Promise<EffectEnd> {
  const { ends, changed, refused } = await runAll(run, proposal, content);
  const { verdict, failing } = verdictOf(refused ? [] : ends);
  const fresh = isFresh(run, failing);
  const fact: FactOf<"check"> = {
    type: "check",
    seq: proposal.seq,
    result: verdict,
    failing,
    tree: run.tree.hash,
    baseline: check.baseline,
    origin: check.origin,
    label: check.label,
  };
  await recordFacts(run, [fact]);
  if (check.baseline && verdict === "failed") run.baseline = failing;
  run.failing = failing;
  const moved = changed.length > 0;
  let directive = advance(run, { type: "checked", digest: proposal.digest, result: verdict, fresh, moved });
  if (directive?.type === "ask") directive = await askRounds(run, failing);
  if (refused) return { result: refused, directive };
  const outcome = outcomes[verdict];
  const before = verdict === "failed" && !check.baseline && !fresh;
  return {
    result: result(
      outcome,
      checkReport({
        ...{ label: check.label, ends, verdict, failing, changed, before },
        ...{ sandbox: content.sandbox, seq: pagedBy(run, proposal) },
      }),
    ),
    directive,
  };
}

/** The number by which the model can page through the output; null where it has no tool for that. */
function pagedBy(run: TaskRun, { seq }: Proposal): number | null {
  return run.ports.tools.some(({ name }) => name === "read_output") ? seq : null;
}

/** A check that failed is not a tool that failed: the model asked for a verdict and got one. */
const outcomes: Record<CheckResult, ToolResult["outcome"]> = {
  passed: "ok",
  failed: "ok",
  could_not_run: "error",
  timed_out: "timeout",
  cancelled: "cancelled",
};

async function runAll(run: TaskRun, proposal: Proposal, content: CommandContent): Promise<Performed> {
  const { record, world, blobs, emit } = run.ports;
  const { seq } = proposal;
  await record.append({ type: "effect_begun", seq });
  const ends: Performed["ends"] = [];
  const changed = new Set<string>();
  let refused: ToolResult | null = null;
  const news = await watchNews(run, content);
  for (const command of content.commands) {
    const before = run.tree;
    const started = await world.runCommand(command, content.sandbox, run.signal, (text) =>
      emit({ type: "output", seq, text }),
    );
    if (!started.ok) {
      refused = result(started.refusal.outcome, started.refusal.message);
      break;
    }
    const end = started.value;
    ends.push(end);
    run.tree = await treeNow(run, await news());
    const moved = changedBetween(before, run.tree);
    for (const path of moved) changed.add(path);
    const output = await blobs.put(end.output);
    const { exit, signal, ms } = end;
    const { argv } = command;
    const trees = { treeBefore: before.hash, treeAfter: run.tree.hash };
    await recordFacts(run, [{ type: "ran", seq, argv, exit, signal, ms, output, ...trees, changed: moved }]);
    if (exit !== 0) break;
  }
  const outcome = refused ? "failed" : ends.some((e) => e.cancelled) ? "cancelled" : "done";
  await record.append({ type: "effect_ended", seq, outcome, settled: false });
  return { ends, changed: [...changed].sort(), refused };
}

/**
 * Gives the files that came since: what a command makes is a change like a patch's, though git does not track it. Not of checks,
 * whose reports and caches are nobody's work, nor of what only reads.
 */
async function watchNews(run: TaskRun, content: CommandContent): Promise<() => Promise<string[]>> {
  const { world } = run.ports;
  if (content.check || content.traits.every(({ trait }) => trait === "reads")) return async () => [];
  const before = new Set(await world.files());
  return async () => (await world.files()).filter((path) => !before.has(path));
}

/** Whether something fails that did not fail in the baseline. Without a baseline every failure counts as ours. */
function isFresh(run: TaskRun, failing: readonly string[]): boolean {
  const { baseline } = run;
  if (baseline === null) return true;
  // A runner whose names we cannot read tells nothing apart: red before and red now is then "as before".
  if (baseline.length === 0) return false;
  // Names before and none now: it does not even get as far as its tests.
  return failing.length === 0 || failing.some((name) => !baseline.includes(name));
}
