// One row of `minicode doctor`, and how a list of them is shown. Used by doctor.ts and the checks in doctor-*.ts.
import { safeLine } from "../policy/safe-text.ts";
import type { AppError } from "../util/errors.ts";
import { indented, type Row, type Style, span } from "../view/row.ts";
import { wrapWords } from "./words.ts";

export interface Check {
  name: string;
  state: "ok" | "warn" | "fail" | "skipped";
  /** What was found, one sentence or less; may hold text of files and servers. */
  detail: string;
  /** What to do about it; absent when there is nothing to do. */
  hint?: string;
}

/** A failed row with what an error says. */
export function failed(name: string, { message, hint }: AppError): Check {
  return { name, state: "fail", detail: message, ...(hint === undefined ? {} : { hint }) };
}

const marks: Readonly<Record<Check["state"], readonly [mark: string, word: string, style: Style]>> = {
  ok: ["✓", "ok", "ok"],
  warn: ["!", "warning", "warn"],
  fail: ["✗", "FAILED", "error"],
  skipped: ["·", "skipped", "dim"],
};
const WORD_COLUMN = 8;
/** Narrower than this, a row's detail goes below its name. */
const BESIDE = 72;

/** A row or more per check: mark and word, name, detail with its hint below. `width` is in columns; lines are broken to it. */
export function checkRows(checks: readonly Check[], width: number): Row[] {
  const nameColumn = Math.max(...checks.map(({ name }) => name.length)) + 2;
  return checks.flatMap(({ name, state, detail, hint }): Row[] => {
    const [mark, word, style] = marks[state];
    const head = [span(`${mark} ${word}`.padEnd(WORD_COLUMN + 2), style), span(name, "bold")];
    const indent = WORD_COLUMN + 2 + nameColumn;
    const room = width - (width < BESIDE ? 2 : indent);
    const lines = [
      ...wrapWords(safeLine(detail), room).map((line) => span(line)),
      ...(hint === undefined
        ? []
        : wrapWords(`→ ${safeLine(hint)}`, room).map((line) => span(line, "accent"))),
    ];
    if (width < BESIDE) return [head, ...indented(lines.map((line) => [line]))];
    const [first, ...more] = lines;
    const gap = span(" ".repeat(nameColumn - name.length));
    return [
      first === undefined ? head : [...head, gap, first],
      ...more.map((line) => [span(" ".repeat(indent)), line]),
    ];
  });
}
