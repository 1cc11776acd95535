// Proposals and their answers: records what is asked, gets the decision, records it, and words a "no" for the model.
import type { GuidedEvent } from "../guided/state.ts";
import type { Permission } from "../policy/rules.ts";
import type { Decision, Proposal, ProposalContent } from "../protocol/proposal.ts";
import { result, type ToolResult } from "../tools/contract.ts";
import { digestOf } from "../util/hash.ts";
import type { Answer } from "./gate.ts";
import { alwaysKey, offersAlways, permission } from "./permit.ts";
import { nextProposalSeq, orAbort, type TaskRun } from "./task.ts";

/** Freezes and records a proposal. */
export async function propose(run: TaskRun, content: ProposalContent): Promise<Proposal> {
  const always = offersAlways(run, content);
  const proposal = deepFreeze<Proposal>({
    seq: nextProposalSeq(run),
    digest: digestOf(content),
    content,
    ...(run.warnings.length === 0 ? {} : { warnings: [...run.warnings] }),
    ...(always === undefined ? {} : { always }),
  });
  await run.ports.record.append({ type: "proposal", proposal });
  return proposal;
}

/** Shows a proposal unless `permitted` settles it, gets its answer and records it; the record has it before anything can happen. */
export async function decide(
  run: TaskRun,
  proposal: Proposal,
  permitted = permission(run, proposal.content),
): Promise<Decision> {
  const { seq, digest } = proposal;
  const decision: Decision = { seq, digest, ...(await answer(run, proposal, permitted)) };
  await run.ports.record.append({ type: "decision", decision });
  if (decision.always) run.ports.permissions.always.set(alwaysKey(proposal.content), seq);
  run.ports.emit({ type: "decision", decision, proposal });
  run.feedback = decision.feedback ?? "";
  if (decision.verdict === "reject") run.rejected.set(sameness(run, proposal), run.feedback);
  if (decision.by === "mode:unattended") run.unattended = true;
  return decision;
}

async function answer(run: TaskRun, proposal: Proposal, permitted: Permission): Promise<Answer> {
  const { kind } = proposal.content;
  // What MiniCode itself offers it offers anew: the model has answered since.
  const asksAnew = kind === "rounds" || run.guided.closing !== null;
  const before = asksAnew ? undefined : run.rejected.get(sameness(run, proposal));
  if (before !== undefined) return { verdict: "reject", by: "rule:rejected-before", feedback: before };
  if (permitted.verdict === "deny") return { verdict: "deny", by: permitted.by };
  // What passes by itself is told by its decision; a patch is shown all the same.
  if (permitted.verdict === "ask" || kind === "patch") run.ports.emit({ type: "proposal", proposal });
  if (kind === "patch" && run.options.mode === "propose") return { verdict: "deny", by: "mode:propose" };
  if (run.userSignal.aborted) return { verdict: "cancel", by: "user" };
  if (permitted.verdict === "pass") return { verdict: "approve", by: permitted.by };
  try {
    return await run.budgets.whileStopped(() =>
      orAbort(run.ports.gate.ask(proposal, run.userSignal), run.userSignal),
    );
  } catch (error) {
    if (run.userSignal.aborted) return { verdict: "cancel", by: "user" };
    throw error;
  }
}

/** What makes a proposal the same as an earlier one; a check asks something new when the files have changed. */
function sameness(run: TaskRun, { digest, content }: Proposal): string {
  return content.kind === "command" && content.check ? `${digest} ${run.tree.hash}` : digest;
}

export function decidedEvent(decision: Decision): Extract<GuidedEvent, { type: "decided" }> {
  const { digest, verdict, feedback } = decision;
  return { type: "decided", digest, verdict, feedback: (feedback ?? "") !== "" };
}

/** A proposal that was not approved, as the model reads it. */
export function declined(content: ProposalContent, decision: Decision): ToolResult {
  const said = decision.feedback ? ` The user says: ${decision.feedback}` : "";
  if (decision.verdict === "cancel")
    return result("cancelled", "The user cancelled the task. Nothing was done.");
  if (decision.by === "mode:propose") {
    return result(
      "ok",
      "The patch was shown to the user. In propose mode nothing is written to disk; read_file and further patches of this task build on it.",
    );
  }
  if (decision.verdict === "deny" && decision.by.startsWith("rule:")) {
    return result(
      "denied",
      `The user's own rules deny this (${decision.by}); nothing was done. Do not look for a way around it; say in your answer what is left to do.`,
    );
  }
  if (decision.verdict === "deny") {
    return result(
      "denied",
      "Nobody can approve this here, so it was not done. Do not try it again; say in your answer what is left to do.",
    );
  }
  if (decision.by === "rule:rejected-before") {
    return result(
      "rejected",
      `The user rejected exactly this before; it was not shown again.${said} Do something else or answer.`,
    );
  }
  const what =
    content.kind === "plan" ? "the plan" : content.kind === "patch" ? "this patch" : "this command";
  return result(
    "rejected",
    `The user rejected ${what}; nothing was done.${said || " Ask in your answer if you need to know why."}`,
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
