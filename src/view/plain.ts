// Rows as terminal text: colours from style names, and hard wrapping that keeps every character. Used by print mode and the TUI.
import { Chalk, type ChalkInstance } from "chalk";
import { type Row, type Span, type Style, span } from "./row.ts";

interface TextOptions {
  color: boolean;
  /** Wraps rows wider than `width` columns; `measure` gives a text's columns as the screen in use counts them. */
  wrap?: { width: number; measure(text: string): number };
}

/** Starts the further lines of a wrapped row, so that no text can pass for a row of its own; left out where it would not fit. */
const continuation: Span = span("… ", "dim");
const narrow = 20;

function painters(color: boolean): Record<Style, ChalkInstance> {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  return {
    title: chalk.bold.cyan,
    bold: chalk.bold,
    dim: chalk.dim,
    accent: chalk.magenta,
    code: chalk.cyan,
    added: chalk.green,
    removed: chalk.red,
    ok: chalk.green,
    warn: chalk.yellow,
    error: chalk.red.bold,
  };
}

interface Cell extends Span {
  columns: number;
}

function wrapRow(row: Row, width: number, measure: (text: string) => number): Row[] {
  if (measure(row.map((part) => part.text).join("")) <= width) return [row];
  const cells = row.flatMap((part) => cellsOf(part, measure));
  const rows: Row[] = [];
  for (let at = 0; at < cells.length; ) {
    const head = rows.length > 0 && width >= narrow ? [continuation] : [];
    const room = head.length > 0 ? width - measure(continuation.text) : width;
    const end = lineEnd(cells, at, room);
    rows.push([...head, ...runs(cells.slice(at, end))]);
    at = end;
  }
  return rows;
}

function cellsOf({ text, style }: Span, measure: (text: string) => number): Cell[] {
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
  return Array.from(graphemes, ({ segment }) => ({ ...span(segment, style), columns: measure(segment) }));
}

/** Where the line that begins at `at` ends: after its last blank, unless that would leave half of it empty. Takes at least one cell. */
function lineEnd(cells: readonly Cell[], at: number, room: number): number {
  let used = 0;
  let afterBlank = at;
  for (let i = at; i < cells.length; i++) {
    const cell = cells[i];
    if (cell === undefined) break;
    if (used + cell.columns > room && i > at) return afterBlank > at ? afterBlank : i;
    used += cell.columns;
    if (cell.text === " " && used * 2 >= room) afterBlank = i + 1;
  }
  return cells.length;
}

/** Neighbouring cells of one style as one span. */
function runs(cells: readonly Cell[]): Span[] {
  const spans: Span[] = [];
  for (const { text, style } of cells) {
    const last = spans.at(-1);
    if (last && last.style === style) spans.splice(-1, 1, span(last.text + text, style));
    else spans.push(span(text, style));
  }
  return spans;
}

/** The rows as lines joined by LF, without one at the end. */
export function rowsToText(rows: readonly Row[], { color, wrap }: TextOptions): string {
  const paint = painters(color);
  const lines = wrap === undefined ? rows : rows.flatMap((row) => wrapRow(row, wrap.width, wrap.measure));
  return lines
    .map((row) => row.map(({ text, style }) => (style === undefined ? text : paint[style](text))).join(""))
    .join("\n");
}
