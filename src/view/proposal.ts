// Proposals as panels: everything that will happen, and the line that says what to type. Used by the TUI and by print mode.
import type { Messages } from "../i18n/messages.ts";
import { confirmWord, type PlanContent, type Proposal, type ProposalContent } from "../protocol/proposal.ts";
import { commandPanel } from "./command-panel.ts";
import { argvRows, exactLine, exactRows, failingRows, whyRows } from "./exact.ts";
import { patchPanel } from "./patch-panel.ts";
import { indented, labelled, type Row, type Span, span } from "./row.ts";

/** The panel of a proposal, whole: its title row and, indented below it, all that its digest covers and a reader needs. */
export function proposalRows(
  { seq, digest, content, always, warnings }: Proposal,
  messages: Messages,
): Row[] {
  const title: Row = [
    span(messages[`panel.${panelOf(content)}`], "title"),
    span(` ${proposalId({ seq, digest })}`, "dim"),
  ];
  return [
    title,
    ...indented([
      ...warningRows(warnings, messages),
      ...body(content, messages),
      ...alwaysRows(always, messages),
    ]),
  ];
}

/** Foreign text that the model read before and that gives orders: what is asked for may be its doing. */
function warningRows(warnings: Proposal["warnings"], messages: Messages): Row[] {
  if (warnings === undefined) return [];
  return labelled(
    [span(messages["panel.warnings"], "error")],
    warnings.map(({ source, quote }) => [
      ...exactLine(source),
      span(": "),
      ...exactLine(`“${quote}”`, "warn"),
    ]),
  );
}

/** The rule that RUN always would make, or that there is none. */
function alwaysRows(always: boolean | undefined, messages: Messages): Row[] {
  if (always === undefined) return [];
  const text = messages[always ? "panel.always" : "panel.always-not"];
  return labelled(messages["label.always"], [[span(text, "dim")]]);
}

/** A proposal's name on the screen: `#3 1a2b3c4d`. */
export function proposalId({ seq, digest }: Pick<Proposal, "seq" | "digest">): string {
  return `#${seq} ${digest.slice(0, 8)}`;
}

/** What the user can type at this proposal's gate. */
export function gateLine(proposal: Proposal, messages: Messages): Row {
  const { content } = proposal;
  const check = content.kind === "command" && content.check !== undefined;
  const ask = messages[`gate.${check ? "check" : content.kind}`];
  return [span(ask(confirmWord(proposal)), "accent")];
}

/** The answer to anything else that was typed at this proposal's gate. */
export function gateReminder(proposal: Proposal, messages: Messages): Row {
  return [span(messages["gate.reminder"](confirmWord(proposal)), "warn")];
}

function panelOf(content: ProposalContent) {
  if (content.kind === "memory") return content.action;
  if (content.kind !== "command" || content.check === undefined) return content.kind;
  return content.check.baseline ? "baseline" : "check";
}

function body(content: ProposalContent, messages: Messages): Row[] {
  switch (content.kind) {
    case "plan":
      return planPanel(content, messages);
    case "patch":
      return patchPanel(content, messages);
    case "command":
      return commandPanel(content, messages);
    case "rounds":
      return [
        [span(messages["rounds.used"](content.used), "warn")],
        ...failingRows(content.failing, messages),
      ];
    case "fetch":
      return [
        ...whyRows(content.reason, messages),
        // In a long address the eye takes another name for the host.
        ...labelled(messages["label.host"], [exactLine(new URL(content.url).host, "code")]),
        ...labelled(messages["label.url"], [exactLine(content.url, "code")]),
      ];
    case "memory":
      return [
        ...whyRows(content.reason, messages),
        ...labelled(messages["label.text"], exactRows(content.text, messages)),
      ];
    case "delegate":
      return [
        ...whyRows(content.reason, messages),
        ...labelled(messages["label.task"], exactRows(content.task, messages)),
        ...labelled(messages["label.steps"], [[span(String(content.maxSteps))]]),
      ];
    case "read":
      return [
        ...labelled(messages["label.tool"], [exactLine(content.tool, "code")]),
        ...labelled(messages["label.arguments"], exactRows(content.arguments, messages, "code")),
      ];
  }
}

function planPanel(plan: PlanContent, messages: Messages): Row[] {
  const origin: Row[] = plan.origin === "step" ? [[span(messages["plan.from_step"], "dim")]] : [];
  const steps = plan.steps.flatMap((step, i) => {
    const [first, ...rest] = exactRows(step, messages);
    return [[span(`${i + 1}. `, "dim"), ...(first ?? [])], ...indented(rest)];
  });
  return [
    ...origin,
    ...exactRows(plan.summary, messages),
    ...indented(steps),
    ...labelled(messages["label.files"], scopeRows(plan, messages)),
    ...labelled(messages["label.check"], planCheck(plan, messages)),
  ];
}

function scopeRows({ files, added, dropped }: PlanContent, messages: Messages): Row[] {
  const fresh = new Set(added);
  const marked = (mark: Span, path: string, note: string): Row => [
    mark,
    ...exactLine(path, mark.style),
    span(` ${note}`, "dim"),
  ];
  return [
    ...files.map((path) =>
      fresh.has(path) ? marked(span("+ ", "added"), path, messages["plan.added"]) : exactLine(path),
    ),
    ...dropped.map((path) => marked(span("- ", "removed"), path, messages["plan.dropped"])),
  ];
}

function planCheck({ projectCheck, check }: PlanContent, messages: Messages): Row[] {
  if (projectCheck !== undefined) return [exactLine(projectCheck, "code")];
  if (check === undefined) return [[span(messages["plan.check_none"], "warn")]];
  const rows = argvRows(check, messages);
  return rows.map((row, i) =>
    i < rows.length - 1 ? row : [...row, span(` ${messages["plan.check_chosen"]}`, "warn")],
  );
}
