// Untrusted text as rows in which nothing can hide: names, prose and argv of proposals. Used by the panels, events and receipt.
import type { Messages } from "../i18n/messages.ts";
import { exactPieces, exactText } from "../policy/safe-text.ts";
import { joined, labelled, type Row, type Span, type Style, span } from "./row.ts";

/** Words that mean themselves; everything else in an argv is shown quoted. */
const plainWord = /^[\p{L}\p{N}_@%+=:,./^-]+$/u;
/** In JSON text: nine or more equal blanks (padding that pushes something out of sight), or one escape. */
const blanks = / {9,}|(?:\\n){9,}|(?:\\t){9,}|\\./g;
const blankNames = new Map<string, "space" | "newline" | "tab">([
  [" ", "space"],
  ["\\n", "newline"],
  ["\\t", "tab"],
]);
const emptyLinesShown = 2;

/** The text on one line. Hidden characters are in their visible form and marked, a line end is `␊`, a tab an arrow. */
export function exactLine(text: string, style?: Style): Span[] {
  return exactPieces(text).flatMap((piece) =>
    piece.hidden
      ? [span(piece.text, "warn")]
      : piece.text
          .split(/([\n\t])/)
          .filter((part) => part !== "")
          .map((part) => {
            if (part === "\t") return span("→   ", "dim");
            return part === "\n" ? span("\u240a", "warn") : span(part, style);
          }),
  );
}

/** The text line by line; many empty lines are shown as a count. */
export function exactRows(text: string, messages: Messages, style?: Style): Row[] {
  const rows: Row[] = [];
  let empty = 0;
  const closeGap = () => {
    const counted = empty > emptyLinesShown;
    for (let i = 0; i < empty && !counted; i++) rows.push([]);
    if (counted) rows.push([span(messages["text.empty_lines"](empty), "warn")]);
    empty = 0;
  };
  for (const line of text.split("\n")) {
    if (/^[ \t]*$/.test(line)) {
      empty++;
      continue;
    }
    closeGap();
    rows.push(exactLine(line, style));
  }
  closeGap();
  return rows;
}

/** The text as a JSON string that breaks after each `\n`; padding is shown as `\{300 spaces}`, which no text can imitate. */
function quotedRows(text: string, messages: Messages): Row[] {
  const json = JSON.stringify(text).replaceAll("\u007f", "\\u007f");
  const broken = json.replace(blanks, (run, offset: number) => {
    const unit = run.startsWith(" ") ? " " : run.slice(0, 2);
    const times = run.length / unit.length;
    const blank = blankNames.get(unit);
    const shown = times > 1 && blank !== undefined ? `\\{${messages["text.padding"](times, blank)}}` : run;
    const more = offset + run.length < json.length - 1;
    return unit === "\\n" && more ? `${shown}\n` : shown;
  });
  return broken.split("\n").map((line) => exactLine(line, "code"));
}

/** An argv so that no two look the same: words as they are, the rest quoted. One row, more when an argument has lines. */
export function argvRows(argv: readonly string[], messages: Messages): Row[] {
  const rows: Row[] = [];
  let current: Span[] = [];
  for (const [i, argument] of argv.entries()) {
    if (i > 0) current.push(span(" "));
    if (plainWord.test(argument) && exactText(argument) === argument) {
      current.push(span(argument, "code"));
      continue;
    }
    for (const [line, row] of quotedRows(argument, messages).entries()) {
      if (line > 0) {
        rows.push(current);
        current = [];
      }
      current.push(...row);
    }
  }
  return [...rows, current];
}

/** A script's body as it stands in its manifest, quoted when it holds anything that could mislead. */
export function scriptRows(body: string, messages: Messages): Row[] {
  const simple = exactText(body) === body && !/[\n\t]| {9,}/.test(body);
  return simple ? [exactLine(body, "code")] : quotedRows(body, messages);
}

/** Names on one line, at most ten and the number of the others. */
export function nameList(names: readonly string[], messages: Messages): Row {
  const parts: Row[] = names.slice(0, 10).map((name) => exactLine(name));
  if (names.length > 10) parts.push([span(messages["list.more"](names.length - 10))]);
  return joined(parts, ", ");
}

/** The names of failing checks, each on its own row; nothing when there is none. */
export function failingRows(names: readonly string[], messages: Messages): Row[] {
  if (names.length === 0) return [];
  return labelled(
    messages["label.failing"],
    names.map((name) => exactLine(name, "error")),
  );
}

/** The reason given for an effect; nothing when there is none. */
export function whyRows(reason: string, messages: Messages): Row[] {
  return reason.trim() === "" ? [] : labelled(messages["label.why"], exactRows(reason, messages));
}
