// From rows and Markdown to lines of the terminal. Everything the model or a file wrote is made safe before it gets here.
import { Markdown, visibleWidth } from "@mariozechner/pi-tui";
import { safeText } from "../policy/safe-text.ts";
import { rowsToText } from "../view/plain.ts";
import type { Row } from "../view/row.ts";
import type { Theme } from "./theme.ts";

export function linesOf(rows: readonly Row[], width: number, theme: Theme): string[] {
  if (rows.length === 0) return [];
  return rowsToText(rows, { color: theme.color, wrap: { width, measure: visibleWidth } }).split("\n");
}

/** A model's text as Markdown lines without blanks at their ends, so that copying brings none along. */
export function markdownLines(text: string, width: number, theme: Theme): string[] {
  const lines = new Markdown(safeText(text).trim(), 0, 0, theme.markdown).render(width);
  return lines.map((line) => line.replace(/ +$/, ""));
}
