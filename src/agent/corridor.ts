// The corridor of one effect (design §4): guided order, proposal, gate, decision, effect-begun, perform, facts, one result.
// Called by the dispatcher for calls and by close-out.ts for the check that MiniCode itself offers.
import type { Directive, EffectKind } from "../guided/state.ts";
import type { PlanContent, Proposal } from "../protocol/proposal.ts";
import { result, type ToolResult } from "../tools/contract.ts";
import { digestOf } from "../util/hash.ts";
import { decide, decidedEvent, declined, propose } from "./decide.ts";
import type { EffectContent, EffectEnd } from "./effect.ts";
import { performCheck, performCommand } from "./perform-command.ts";
import { performFetch } from "./perform-fetch.ts";
import { performPatch } from "./perform-patch.ts";
import { blockReason } from "./permission.ts";
import { advance, syncTree, type TaskRun, toolContext } from "./task.ts";

/** Brings one effect through the gate and carries it out. `intent` is the step's own text, for a plan made from it. */
export async function carry(run: TaskRun, wanted: EffectContent, intent: string): Promise<EffectEnd> {
  await syncTree(run);
  if (run.signal.aborted && !run.userSignal.aborted) return { result: tooLate, directive: undefined };
  const content = completed(run, wanted);
  const blocked = blockReason(content, run.options);
  if (blocked) return { result: result("blocked", blocked), directive: undefined };
  // It could not be shown and recorded as what would happen.
  if (!run.ports.record.keepsWhole(content)) return { result: holdsKey(content), directive: undefined };

  const event = { type: "proposed", kind: kindOf(content), digest: digestOf(content) } as const;
  let directive = advance(run, event);
  if (directive?.type === "plan_first" && content.kind !== "plan") {
    const planned = await carry(run, await impliedPlan(run, content, intent), intent);
    if (planned.result.outcome !== "ok") return planned;
    directive = advance(run, event);
  }
  if (directive?.type !== "ask") return { result: outOfOrder(directive), directive: undefined };

  const proposal = await propose(run, content);
  const decision = await decide(run, proposal);
  const next = advance(run, decidedEvent(decision));
  if (next?.type === "perform") return perform(run, proposal);
  if (content.kind === "plan" && decision.verdict === "approve") {
    run.plan = content;
    return { result: result("ok", "The user approved the plan. Carry it out."), directive: next };
  }
  return { result: declined(content, decision), directive: next };
}

async function perform(run: TaskRun, proposal: Proposal): Promise<EffectEnd> {
  const { content } = proposal;
  // What changed while the gate waited is not the effect's.
  await syncTree(run);
  switch (content.kind) {
    case "patch":
      return performPatch(run, proposal, content);
    case "command":
      return content.check
        ? performCheck(run, proposal, content, content.check)
        : performCommand(run, proposal, content);
    case "fetch":
      return performFetch(run, proposal, content);
    default:
      throw new Error(`nothing carries out a ${content.kind}`);
  }
}

/** What only the task knows of a proposal: whether a check is the baseline, which repair a patch is, what a plan replaces. */
function completed(run: TaskRun, content: EffectContent): EffectContent {
  switch (content.kind) {
    case "plan": {
      const before = run.plan?.files ?? [];
      return {
        ...content,
        added: run.plan ? content.files.filter((f) => !before.includes(f)) : [],
        dropped: before.filter((f) => !content.files.includes(f)),
      };
    }
    case "patch": {
      const repairing = run.guided.round > 0 && run.guided.tree === "failed";
      if (!repairing) return content;
      const of = Math.max(run.options.rounds, run.guided.round);
      return { ...content, repair: { round: run.guided.round, of, failing: [...run.failing] } };
    }
    case "fetch":
      return content;
    case "command":
      return content.check
        ? { ...content, check: { ...content.check, baseline: run.guided.tree === "clean" } }
        : content;
  }
}

/** To the order of work a fetch is a command like any other. */
function kindOf(content: EffectContent): EffectKind {
  if (content.kind === "fetch") return "command";
  return content.kind === "command" && content.check ? "check" : content.kind;
}

/** An effect that comes without a plan brings its own: the step's text, or the call's reason and paths (design §5). */
async function impliedPlan(
  run: TaskRun,
  content: Exclude<EffectContent, PlanContent>,
  intent: string,
): Promise<PlanContent> {
  const files =
    content.kind === "patch"
      ? [...new Set(content.files.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])))]
      : [];
  const what =
    content.kind === "patch"
      ? `change ${files.join(", ")}`
      : content.kind === "fetch"
        ? `fetch ${content.url}`
        : `run ${content.commands.map((c) => c.argv.join(" ")).join("; ")}`;
  const context = toolContext(run);
  const check = await run.ports.checkFor({
    ...context,
    changedPaths: () => [...context.changedPaths(), ...files],
  });
  const projectCheck = check.ok ? check.value?.check?.label : undefined;
  return {
    kind: "plan",
    summary: intent.trim() || content.reason || what,
    steps: [what],
    files,
    ...(projectCheck === undefined ? {} : { projectCheck }),
    origin: "step",
    added: [],
    dropped: [],
  };
}

function holdsKey({ kind }: EffectContent): ToolResult {
  const where = kind === "patch" ? "this patch or the lines around it" : `this ${kind}`;
  return result(
    "blocked",
    `A secret key stands in ${where}; you see it as <redacted>. It can be neither shown nor recorded, so nothing was proposed. Leave those lines alone, or say in your answer what the user should do.`,
  );
}

const tooLate = result("skipped", "Not run: the time for this task is used up.");

function outOfOrder(directive: Directive | undefined): ToolResult {
  const why = directive?.type === "refuse" ? directive.why : "busy";
  switch (why) {
    case "last_step":
      return result(
        "blocked",
        "The user allowed one last step for an answer only. Nothing was done; answer in text.",
      );
    case "not_guided":
      return result("blocked", "This session has no plan gate; go on without propose_plan.");
    default:
      return result("blocked", "The task is ending; nothing was done.");
  }
}
