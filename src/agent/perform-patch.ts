// Carries out an approved patch and records what it did.
import { numberedDiff } from "../patch/diff.ts";
import type { FactOf } from "../protocol/fact.ts";
import type { PatchContent, Proposal } from "../protocol/proposal.ts";
import { result } from "../tools/contract.ts";
import type { EffectEnd } from "./effect.ts";
import { advance, recordFacts, type TaskRun, treeNow } from "./task.ts";

export async function performPatch(
  run: TaskRun,
  proposal: Proposal,
  content: PatchContent,
): Promise<EffectEnd> {
  const { seq, digest } = proposal;
  const { record, world } = run.ports;
  await record.append({ type: "effect_begun", seq });
  const applied = await world.applyPatch(content, run.signal);
  if (!applied.ok) {
    const { outcome, message } = applied.refusal;
    const ended = outcome === "cancelled" ? "cancelled" : "failed";
    await record.append({ type: "effect_ended", seq, outcome: ended, settled: false, detail: message });
    return {
      result: result(outcome, message),
      directive: advance(run, { type: "applied", digest, ok: false }),
    };
  }
  const directive = advance(run, { type: "applied", digest, ok: true });
  await recordFacts(run, appliedFacts(seq, content));
  await record.append({ type: "effect_ended", seq, outcome: "done", settled: false });
  run.tree = await treeNow(run);
  const outside =
    content.outsideScope.length > 0 ? `\nOutside the plan's files: ${content.outsideScope.join(", ")}.` : "";
  return { result: result("ok", `Applied.\n${numberedDiff(content.files)}${outside}`), directive };
}

/** The facts of a patch that is on disk; also used when a crash is settled. */
export function appliedFacts(seq: number, content: PatchContent): FactOf<"applied">[] {
  return content.files.flatMap(({ path, from, before, after, added, removed }) => {
    const fact = { type: "applied", seq, path, before, after, added, removed } as const;
    if (from === undefined) return [fact];
    return [
      { type: "applied", seq, path: from, before, after: null, added: 0, removed: 0 } as const,
      { ...fact, before: null },
    ];
  });
}
