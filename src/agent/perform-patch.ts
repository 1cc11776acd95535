// Carries out an approved patch and records what it did.
import { numberedDiff } from "../patch/diff.ts";
import type { PatchContent, Proposal } from "../protocol/proposal.ts";
import { appliedFacts } from "../record/facts.ts";
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
    const { refusal, left } = applied;
    const directive = advance(run, { type: "applied", digest, changed: left.length > 0 });
    await recordFacts(
      run,
      appliedFacts(seq, content).filter(({ path }) => left.includes(path)),
    );
    const outcome = refusal.outcome === "cancelled" ? "cancelled" : "failed";
    await record.append({ type: "effect_ended", seq, outcome, settled: false, detail: refusal.message });
    if (left.length > 0) run.tree = await treeNow(run);
    return { result: result(refusal.outcome, refusal.message), directive };
  }
  const directive = advance(run, { type: "applied", digest, changed: true });
  await recordFacts(run, appliedFacts(seq, content));
  await record.append({ type: "effect_ended", seq, outcome: "done", settled: false });
  run.tree = await treeNow(run);
  const outside =
    content.outsideScope.length > 0 ? `\nOutside the plan's files: ${content.outsideScope.join(", ")}.` : "";
  return { result: result("ok", `Applied.\n${numberedDiff(content.files)}${outside}`), directive };
}
