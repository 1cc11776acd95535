// Rows: what the view draws. Plain data with style names, never escape codes; turned into text by plain.ts or the TUI.

export type Style =
  | "title"
  | "bold"
  | "dim"
  | "accent"
  | "code"
  | "added"
  | "removed"
  | "ok"
  | "warn"
  | "error";

/** One run of text in one style; holds no line end, tab or control character. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
}

/** One line of the screen, of any length. */
export type Row = readonly Span[];

export function span(text: string, style?: Style): Span {
  return style === undefined ? { text } : { text, style };
}

/** The rows moved two columns to the right. */
export function indented(rows: readonly Row[]): Row[] {
  return rows.map((row) => (row.length === 0 ? row : [span("  "), ...row]));
}

/** `label: value`; a value of many rows begins under its label. */
export function labelled(label: string | Row, value: readonly Row[]): Row[] {
  const [first, ...rest] = value;
  const head = [...(typeof label === "string" ? [span(label, "dim")] : label), span(":", "dim")];
  return rest.length === 0 ? [[...head, span(" "), ...(first ?? [])]] : [head, ...indented(value)];
}

/** The parts one after the other with `separator` between them. */
export function joined(parts: readonly Row[], separator: string): Row {
  return parts.flatMap((part, i) => (i === 0 ? part : [span(separator), ...part]));
}
