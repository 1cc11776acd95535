// Neighbouring write calls of one step: prepared one on top of the other in memory, shown as one patch, all or nothing.
import { type FileChange, result, type Tool, type ToolResult } from "../tools/contract.ts";
import { overlayOf } from "../tools/overlay.ts";
import { patchContent } from "../tools/patch-proposal.ts";
import { carry } from "./corridor.ts";
import { prepare } from "./prepare.ts";
import { recordFacts, type TaskRun } from "./task.ts";

/** A write call ready to be prepared, or one that already has its result. */
type PatchCall = { tool: Tool; input: unknown; done?: undefined } | { done: ToolResult };

export async function carryPatches(
  run: TaskRun,
  calls: readonly PatchCall[],
  intent: string,
): Promise<ToolResult[]> {
  const changes: FileChange[] = [...run.proposed];
  const reasons: string[] = [];
  const refused = new Map<number, ToolResult>();
  for (const [i, call] of calls.entries()) {
    if (call.done) {
      refused.set(i, call.done);
      continue;
    }
    const { tool, input } = call;
    const prepared = await prepare(run, tool, input, overlayOf(changes));
    if (prepared.kind === "patch") {
      changes.push(...prepared.changes);
      if (prepared.reason) reasons.push(prepared.reason);
    } else if (prepared.kind === "refused") {
      await recordFacts(run, prepared.facts ?? []);
      refused.set(i, result(prepared.refusal.outcome, prepared.refusal.message));
    } else throw new Error(`${tool.name} prepared a ${prepared.kind}`);
  }
  if (refused.size > 0) {
    const other =
      "Skipped: nothing was written, because another write call of this reply failed. Send them again together.";
    return calls.map((_, i) => refused.get(i) ?? result("skipped", other));
  }
  const content = await patchContent(changes, reasons.join("; "), run.plan, run.ports.blobs);
  if (!content)
    return calls.map(() =>
      result("error", "Nothing would change: the files already are as this patch would leave them."),
    );
  const { result: end } = await carry(run, content, intent);
  if (run.options.mode === "propose" && end.outcome === "ok") run.proposed = changes;
  const done = end.outcome === "ok" ? "Done" : "Not done";
  return calls.map((_, i) =>
    i === 0 ? end : result(end.outcome, `${done}, as one patch with the call before.`),
  );
}
