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

function wrapRow(row: Row, width: number, measure: (text: string) => number): Row[] {
  if (measure(row.map((part) => part.text).join("")) <= width) return [row];
  const head = width < narrow ? [] : [continuation];
  const headWidth = width < narrow ? 0 : measure(continuation.text);
  const rows: Row[] = [];
  let current: Span[] = [];
  let used = 0;
  for (const { text, style } of row) {
    let taken = "";
    for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) {
      const columns = measure(segment);
      if (used + columns > width && used > (rows.length === 0 ? 0 : headWidth)) {
        if (taken !== "") current.push(span(taken, style));
        rows.push(current);
        current = [...head];
        used = headWidth;
        taken = "";
      }
      taken += segment;
      used += columns;
    }
    if (taken !== "") current.push(span(taken, style));
  }
  return [...rows, current];
}

/** The rows as lines joined by LF, without one at the end. */
export function rowsToText(rows: readonly Row[], { color, wrap }: TextOptions): string {
  const paint = painters(color);
  const lines = wrap === undefined ? rows : rows.flatMap((row) => wrapRow(row, wrap.width, wrap.measure));
  return lines
    .map((row) => row.map(({ text, style }) => (style === undefined ? text : paint[style](text))).join(""))
    .join("\n");
}
