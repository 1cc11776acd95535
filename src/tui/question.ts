// A question of the model's on the screen: what is shown, and what a typed line means for it. Pure; used by the controller.
import type { Question } from "../agent/gate.ts";
import type { Messages } from "../i18n/messages.ts";
import { exactRows } from "../view/exact.ts";
import { indented, type Row, span } from "../view/row.ts";

export interface OpenQuestion {
  question: Question;
  /** Whether it has been on the screen: what was typed before is no answer to it. */
  seen: boolean;
}

/** The text, the options with their numbers, and what to do; framed so that nobody takes it for MiniCode's own words. */
export function questionRows({ text, options }: Question, messages: Messages): Row[] {
  return [
    [span(messages["question.title"], "title")],
    ...indented([
      ...exactRows(text, messages),
      ...options.flatMap((option, i) => {
        const [first = [], ...rest] = exactRows(option, messages);
        return [[span(`${i + 1}. `, "accent"), ...first], ...indented(rest)];
      }),
    ]),
  ];
}

export function questionHint({ options }: Question, messages: Messages): Row {
  return [span(messages[options.length > 0 ? "question.choose" : "question.type"], "accent")];
}

/** The answer that a line gives: an option by its number, or the line itself; null for CANCEL, which is no answer. */
export function readAnswer({ options }: Question, line: string): string | null {
  const text = line.trim();
  if (text === "CANCEL") return null;
  const number = /^[1-9]$/.test(text) ? Number(text) : 0;
  return options[number - 1] ?? text;
}
