// Tokens and cost, folded from the record: of the last task and of the whole session. Pure; used by receipt.ts and src/agent/.
import type { Usage } from "../protocol/model.ts";
import type { RecordEntry } from "../protocol/record.ts";
import { noUsage, type UsageSums, type UsageTotals } from "../protocol/usage.ts";

/** What one request used, as the record has it. */
export interface Spending {
  usage?: Usage | undefined;
  /** Absent when it is not known. */
  costUsd?: number | undefined;
}

const counts = ["input", "cached", "cacheWritten", "output", "reasoning"] as const;

/** The sums of the last task in `entries`, and of all. */
export function usageSums(entries: readonly RecordEntry[]): UsageSums {
  return { task: usageOf(lastTask(entries)), session: usageOf(entries) };
}

/** The entries from the last task's beginning on; all of them when there is no task. */
export function lastTask(entries: readonly RecordEntry[]): readonly RecordEntry[] {
  return entries.slice(
    Math.max(
      0,
      entries.findLastIndex(({ body }) => body.type === "task"),
    ),
  );
}

/** The sums with one request more. */
export function withRequest(totals: UsageTotals, { usage = {}, costUsd }: Spending): UsageTotals {
  const sums: UsageTotals = { ...totals };
  for (const name of counts) {
    const count = usage[name];
    if (count !== undefined) sums[name] = (sums[name] ?? 0) + count;
  }
  const uncounted = usage.input === undefined || usage.output === undefined;
  return {
    ...sums,
    requests: totals.requests + 1,
    uncounted: totals.uncounted + (uncounted ? 1 : 0),
    unpriced: totals.unpriced + (costUsd === undefined ? 1 : 0),
    costUsd: costUsd === undefined ? totals.costUsd : (totals.costUsd ?? 0) + costUsd,
  };
}

/** Tokens that the last answer took in: what of the model's context is in use. Null when the server did not say. */
export function contextUsed(entries: readonly RecordEntry[]): number | null {
  const last = entries.findLast(({ body }) => body.type === "message" && body.message.role === "assistant");
  return last?.body.type === "message" ? (last.body.usage?.input ?? null) : null;
}

function usageOf(entries: readonly RecordEntry[]): UsageTotals {
  return entries.reduce((totals, { body }) => {
    const isRequest =
      body.type === "request_lost" || (body.type === "message" && body.message.role === "assistant");
    return isRequest ? withRequest(totals, body) : totals;
  }, noUsage);
}
