// What the live rows show of an event: draft, activity, output, footer, patches of the session. Used by the controller.
import type { Messages } from "../i18n/messages.ts";
import type { AgentEvent } from "../protocol/event.ts";
import type { Decision, Proposal } from "../protocol/proposal.ts";
import type { LiveModel } from "./model.ts";

const OUTPUT_TAIL = 4_000;

/** Another activity begins now. */
export function doing(model: LiveModel, label: string): void {
  model.activity = { label, since: performance.now() };
  model.output = "";
}

export function follow(model: LiveModel, event: AgentEvent, messages: Messages): void {
  switch (event.type) {
    case "text":
      model.draft += event.text;
      break;
    case "answer":
    case "draft-retracted":
      model.draft = "";
      break;
    case "step-started":
      model.footer.steps = event.step;
      doing(model, messages["tui.thinking"]);
      break;
    case "retrying": {
      const { attempt, of, why, waitMs } = event;
      const since = performance.now() + waitMs;
      model.activity = { label: messages["tui.thinking"], since, retry: { attempt, of, why } };
      break;
    }
    case "call-started":
      doing(model, event.label);
      break;
    case "output":
      model.output = `${model.output}${event.text}`.slice(-OUTPUT_TAIL);
      break;
    case "usage":
      model.footer.context = { ...model.footer.context, used: event.usage.input ?? null };
      model.footer.usage = event.session;
      break;
    case "task-ended":
      model.footer.usage = event.receipt.usage.session;
      model.footer.steps = event.receipt.steps;
      break;
    case "decision":
      decided(model, event.decision, event.proposal, messages);
      break;
    case "fact":
      if (event.fact.type === "check") doing(model, messages["tui.thinking"]);
      if (event.fact.type === "applied" && event.fact.seq === model.approved?.seq) {
        model.patches.push(model.approved.content);
        model.approved = null;
      }
      break;
    case "call-ended":
    case "note":
    case "proposal":
    case "task-started":
      break;
  }
}

function decided(model: LiveModel, decision: Decision, { seq, content }: Proposal, messages: Messages): void {
  doing(model, messages["tui.thinking"]);
  if (decision.verdict !== "approve") return;
  if (content.kind === "patch") model.approved = { seq, content };
  if (content.kind === "command") {
    const line = content.shell ?? content.commands.map(({ argv }) => argv.join(" ")).join(" && ");
    doing(model, messages["tui.running"](content.check?.label ?? line));
  }
}
