// After a crash: every effect that was begun and has no outcome is settled from the disk, and the cut-off task is ended.
// Called by src/app.ts before a resumed session takes a message; the loop then tells the model. Nothing is ever carried
// out again (design §3).
import type { EffectOutcome, RecordEntry } from "../protocol/record.ts";
import { appliedFacts, factsOf } from "../record/facts.ts";
import { debt, madeFiles, openEffects, unfinishedTask } from "../record/restore.ts";
import type { SessionRecord } from "../record/session.ts";
import type { World } from "./ports.ts";

export interface SettledEffect {
  seq: number;
  outcome: EffectOutcome;
  detail: string | undefined;
  /** Paths of a patch; empty for a command. */
  paths: string[];
}

export async function settleSession(record: SessionRecord, world: World): Promise<SettledEffect[]> {
  const settled: SettledEffect[] = [];
  for (const { seq, content } of openEffects(record.entries)) {
    if (content.kind === "patch") {
      const { outcome, detail, left = [] } = await world.settlePatch(content);
      for (const fact of appliedFacts(seq, content)) {
        if (outcome === "done" || left.includes(fact.path)) await record.append({ type: "fact", fact });
      }
      settled.push({ seq, outcome, detail, paths: content.files.map((f) => f.path) });
    } else {
      // What a cut-off command changed cannot be told from the record: the tree counts as changed by it, which is a debt.
      await record.append({ type: "fact", fact: { type: "drift", paths: [], by: "command" } });
      settled.push({ seq, outcome: "cancelled", detail: undefined, paths: [] });
    }
  }
  for (const { seq, outcome, detail } of settled) {
    await record.append({
      type: "effect_ended",
      seq,
      outcome,
      settled: true,
      ...(detail === undefined ? {} : { detail }),
    });
  }
  if (unfinishedTask(record.entries)) await endCutOffTask(record, world);
  return settled;
}

/**
 * Paths of patches that are on disk although the model never got their calls' results: in its conversation those calls read
 * "cancelled". Sorted, each once.
 */
export function unheardPatches(entries: readonly RecordEntry[]): string[] {
  const asked = entries.findLastIndex(
    ({ body }) => body.type === "message" && body.message.role === "assistant",
  );
  const since = entries.slice(Math.max(0, asked));
  const messages = since.flatMap(({ body }) => (body.type === "message" ? [body.message] : []));
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.calls : []));
  const heard = messages.filter(({ role }) => role === "tool").length;
  if (heard >= calls.length) return [];
  const paths = factsOf(since).flatMap((fact) => (fact.type === "applied" ? [fact.path] : []));
  return [...new Set(paths)].sort();
}

/** What the model cannot see in its conversation, for the next message to it. */
export function unheardNews(entries: readonly RecordEntry[]): string[] {
  const paths = unheardPatches(entries);
  return paths.length === 0
    ? []
    : [`MiniCode was stopped before it could say so: the patch of ${paths.join(", ")} is in place.`];
}

async function endCutOffTask(record: SessionRecord, world: World): Promise<void> {
  const { dirty, lastPassTree } = debt(record.entries);
  const { hash } = await world.tree(madeFiles(record.entries));
  const owed = dirty && lastPassTree !== hash;
  await record.append({
    type: "outcome",
    outcome: {
      end: "internal_error",
      work: owed ? { state: "unverified", why: "not_offered" } : { state: "none" },
      detail: "MiniCode was stopped before the task had ended",
    },
  });
}
