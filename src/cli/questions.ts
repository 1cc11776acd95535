// The kinds of question that set-up asks, over a dialogue: each is repeated until its answer can be used. Used by setup-*.ts.
import { en } from "../i18n/en.ts";
import { safeText } from "../policy/safe-text.ts";
import type { Dialogue } from "../tui/dialogue.ts";
import { AppError } from "../util/errors.ts";
import { type Row, type Style, span } from "../view/row.ts";
import { wrapWords } from "./words.ts";

/** What an answer means, or what is wrong with it ("" when that was said already). */
type Reading<T> = { value: T } | { wrong: string };

export function say(dialogue: Dialogue, text: string, style?: Style): void {
  const lines = safeText(text).split("\n");
  dialogue.say(
    lines.flatMap((line) => wrapWords(line, dialogue.width()).map((part): Row => [span(part, style)])),
  );
}

/** Asks until `read` takes the answer. An empty one stands for `byDefault`. Throws `E_LEFT` when the user leaves. */
export async function askFor<T>(
  dialogue: Dialogue,
  question: string,
  byDefault: string | undefined,
  read: (answer: string) => Reading<T> | Promise<Reading<T>>,
): Promise<T> {
  dialogue.say([[]]);
  for (;;) {
    say(dialogue, byDefault === undefined ? question : `${question} [${byDefault}]`, "bold");
    const answer = await dialogue.ask();
    if (answer === null) throw new AppError("E_LEFT", en["setup.left"]);
    const reading = await read(answer === "" && byDefault !== undefined ? byDefault : answer);
    if ("value" in reading) return reading.value;
    if (reading.wrong !== "") say(dialogue, reading.wrong, "warn");
  }
}

export function confirm(dialogue: Dialogue, question: string, byDefault: boolean): Promise<boolean> {
  const shown = en[byDefault ? "setup.yes" : "setup.no"];
  return askFor(dialogue, question, shown, (answer) => {
    if (answer === shown) return { value: byDefault };
    if (/^y(es)?$/i.test(answer)) return { value: true };
    return /^no?$/i.test(answer) ? { value: false } : { wrong: en["setup.yes-no"] };
  });
}
