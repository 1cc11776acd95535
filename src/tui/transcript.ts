// Events to finished lines: what flows into the terminal's scrollback, once. Used by the controller.
import type { Question } from "../agent/gate.ts";
import type { Messages } from "../i18n/messages.ts";
import type { AgentEvent } from "../protocol/event.ts";
import type { Proposal } from "../protocol/proposal.ts";
import { createEventRows } from "../view/events.ts";
import { exactLine, exactRows } from "../view/exact.ts";
import { proposalRows } from "../view/proposal.ts";
import { receiptRows } from "../view/receipt.ts";
import { indented, type Row, type Style, span } from "../view/row.ts";
import { questionRows } from "./question.ts";
import { linesOf, markdownLines } from "./text.ts";
import type { Theme } from "./theme.ts";

/** Rows of a call's result that /details prints. */
const DETAIL_ROWS = 40;

export interface Transcript {
  /** Lines that this event adds; none for what only the live rows show. */
  lines(event: AgentEvent, width: number, details: boolean): string[];
  user(text: string, width: number): string[];
  /** A question of the model's with the user's answer; null for none. */
  question(question: Question, answer: string | null, width: number): string[];
  say(text: string, width: number, style?: Style): string[];
  /** Names with what they mean: beside each other where that leaves room, else below. */
  list(items: readonly (readonly [name: string, meaning: string])[], width: number): string[];
  opening(facts: Opening, width: number): string[];
}

/** What a session runs with, told at its start. */
export interface Opening {
  version: string;
  model: string;
  mode: string;
  workspace: string;
}

export function createTranscript(messages: Messages, theme: Theme): Transcript {
  const eventRows = createEventRows(messages);
  /** Proposals that are already in the transcript, by digest. */
  const printed = new Map<string, Proposal>();
  /** The call that runs has had its decision, so its good end says nothing new. */
  let decided = false;

  const decisionRows = (proposal: Proposal): Row[] => {
    const same = printed.get(proposal.digest);
    if (!same) printed.set(proposal.digest, proposal);
    const rows = proposalRows(proposal, messages);
    return same ? [[...(rows[0] ?? []), span(` ${messages["tui.same"](same.seq)}`, "dim")]] : rows;
  };
  const rowsFor = (event: AgentEvent, details: boolean): Row[] => {
    const rows = eventRows(event);
    if (event.type === "call-started") decided = false;
    switch (event.type) {
      case "decision":
        decided = true;
        return [[], ...(passedByItself(event) ? [] : decisionRows(event.proposal)), ...rows];
      case "task-ended":
        return [[], ...receiptRows(event.receipt, messages)];
      case "draft-retracted":
      case "retrying":
        return [];
      case "call-ended":
        if (details) return [...rows, ...indented(detailRows(event.content, messages))];
        return decided && event.outcome === "ok" ? [] : rows;
      default:
        return rows;
    }
  };
  return {
    lines: (event, width, details) =>
      event.type === "answer"
        ? ["", ...markdownLines(event.text, width, theme)]
        : linesOf(rowsFor(event, details), width, theme),
    user: (text, width) => {
      const [first = [], ...more] = exactRows(text, messages);
      return linesOf([[], [span("❯ ", "accent"), ...first], ...indented(more)], width, theme);
    },
    question: (question, answer, width) => {
      const [first = [], ...more] = exactRows(answer ?? messages["question.none"], messages);
      const rows = [[], ...questionRows(question, messages), [span("❯ ", "accent"), ...first]];
      return linesOf([...rows, ...indented(more)], width, theme);
    },
    say: (text, width, style) => linesOf(exactRows(text, messages, style), width, theme),
    list: (items, width) => {
      const column = Math.max(...items.map(([name]) => name.length)) + 2;
      const beside = width >= column * 2;
      const indent = beside ? column : 2;
      return items.flatMap(([name, meaning]) => {
        const [first = "", ...more] = linesOf([[span(meaning)]], width - indent, theme);
        const further = more.map((line) => " ".repeat(indent) + line);
        const title = linesOf([[span(beside ? name.padEnd(column) : name, "accent")]], width, theme);
        return beside
          ? [`${title[0]}${first}`, ...further]
          : [...title, " ".repeat(indent) + first, ...further];
      });
    },
    opening: ({ version, model, mode, workspace }, width) =>
      linesOf(
        [
          [span(messages["tui.name"](version), "title"), span(" · "), ...exactLine(model)],
          [span(mode)],
          exactLine(workspace, "dim"),
          [span(messages["tui.first"], "dim")],
        ],
        width,
        theme,
      ),
  };
}

/** Nobody was asked, and what ran is a line of its own: the panel is in the inspector. A patch is shown whole all the same. */
function passedByItself({ decision, proposal }: Extract<AgentEvent, { type: "decision" }>): boolean {
  const { verdict, by } = decision;
  return verdict === "approve" && proposal.content.kind !== "patch" && /^(?:mode|rule):/.test(by);
}

function detailRows(content: string, messages: Messages): Row[] {
  const rows = exactRows(content, messages, "dim");
  const more = rows.length - DETAIL_ROWS;
  if (more <= 0) return rows;
  return [...rows.slice(0, DETAIL_ROWS), [span(messages["tui.details.more"](more), "warn")]];
}
