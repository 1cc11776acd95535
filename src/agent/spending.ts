// What requests cost, while a task runs: the entries and the event that say so, and the limit that `--max-cost` sets.
// Used by the loop and ask-model.ts.
import { costOf } from "../model/cost.ts";
import type { AgentEvent } from "../protocol/event.ts";
import type { Usage } from "../protocol/model.ts";
import type { RecordEntry } from "../protocol/record.ts";
import { dollars } from "../protocol/usage.ts";
import { lastTask, type Spending, usageSums, withRequest } from "../record/usage.ts";
import type { TaskRun } from "./task.ts";

/** What a request used, as it is recorded. */
export function spendingOf(run: TaskRun, usage: Usage): Spending {
  const costUsd = costOf(usage, run.options.prices);
  return { usage, ...(costUsd === null ? {} : { costUsd }) };
}

/** An answer's counts and cost with the sums they lead to; it is not on record yet. */
export function usageEvent(run: TaskRun, usage: Usage): AgentEvent {
  const spending = spendingOf(run, usage);
  const { task, session } = usageSums(run.ports.record.entries);
  return {
    type: "usage",
    usage,
    costUsd: spending.costUsd ?? null,
    task: withRequest(task, spending),
    session: withRequest(session, spending),
  };
}

/** Records a request whose answer had begun and is not used. `usage` is what is known of it. */
export async function recordLost(
  run: TaskRun,
  reason: "cancelled" | "failed",
  usage: Usage = {},
): Promise<void> {
  const { record, emit } = run.ports;
  const spending = spendingOf(run, usage);
  await record.append({ type: "request_lost", reason, ...spending });
  if (run.options.maxCostUsd === undefined || spending.costUsd !== undefined || reason === "cancelled")
    return;
  emit({
    type: "note",
    text: "What the broken-off request cost is not known; the cost limit does not count it.",
  });
}

/**
 * Why a task that may cost `maxCostUsd` must send no further request, or null. `entries` end with it. A limit that cannot be
 * checked any more, because an answer's cost is not known, is a reason too.
 */
export function costStop(entries: readonly RecordEntry[], maxCostUsd: number | undefined): string | null {
  if (maxCostUsd === undefined) return null;
  const task = lastTask(entries);
  const unknown = task.some(
    ({ body }) => body.type === "message" && body.message.role === "assistant" && body.costUsd === undefined,
  );
  if (unknown)
    return `the server did not say what the last answer used, so the limit of ${dollars(maxCostUsd)} cannot be kept`;
  const spent = usageSums(task).task.costUsd ?? 0;
  return spent < maxCostUsd
    ? null
    : `this task has cost ${dollars(spent)}, and its limit is ${dollars(maxCostUsd)}`;
}
