// What to write so that finished rows flow into the terminal's own scrollback and only the live tail below is repainted
// (design §6). Pure: the state before and a frame give bytes and the state after. Never clears the screen or its history.

/** The live rows now on the screen, where the cursor stands in them, and the screen they were painted for. */
export interface Painted {
  rows: readonly string[];
  cursor: Cursor;
  size: { columns: number; rows: number };
}

export interface Cursor {
  row: number;
  column: number;
}

export interface Frame {
  /** Rows to write once and for all above the live ones; the terminal wraps those that are too wide. */
  finished: readonly string[];
  live: readonly string[];
  cursor: Cursor;
}

export interface PaintSize {
  columns: number;
  rows: number;
  /** Rows of the terminal that a row takes once the terminal has wrapped it at `columns`. */
  height(row: string): number;
}

export const nothingPainted: Painted = {
  rows: [],
  cursor: { row: 0, column: 0 },
  size: { columns: 0, rows: 0 },
};

const SYNC_START = "\x1b[?2026h";
const SYNC_END = "\x1b[?2026l";
const RESET = "\x1b[0m";
/** Live rows are written without autowrap: one that the terminal finds wider than we do must not move those below it. */
const WRAP_OFF = "\x1b[?7l";
const WRAP_ON = "\x1b[?7h";
/** Cleared from the second column on: from the very first cell tmux takes it for a cleared screen and keeps it as history. */
const CLEAR_BELOW = "\r\x1b[2K\x1b[C\x1b[J\r";

/** Every live row must fit into `size.columns`, and all of them into `size.rows`. */
export function paint(before: Painted, frame: Frame, size: PaintSize): { bytes: string; after: Painted } {
  const { columns, rows } = size;
  const resized = before.size.columns !== columns || before.size.rows !== rows;
  const whole = resized || frame.finished.length > 0 || before.rows.length === 0;
  const body = whole ? repaint(before, frame, size) : change(before, frame);
  const after: Painted = { rows: frame.live, cursor: frame.cursor, size: { columns, rows } };
  return { bytes: body === "" ? "" : `${SYNC_START}${body}${SYNC_END}`, after };
}

/** Takes the live rows off the screen; the cursor then stands where they began. */
export function erase(before: Painted, size: PaintSize): string {
  return before.rows.length === 0 ? "" : `${up(rowsAbove(before, size))}${CLEAR_BELOW}`;
}

function repaint(before: Painted, { finished, live, cursor }: Frame, size: PaintSize): string {
  const above = finished.map((row) => `${row}${RESET}\r\n`).join("");
  const below = live.map((row) => `${row}${RESET}`).join("\r\n");
  return `${erase(before, size)}${above}${WRAP_OFF}${below}${WRAP_ON}${move(Math.max(0, live.length - 1), cursor)}`;
}

/** Rewrites only the rows that differ. */
function change(before: Painted, { live, cursor }: Frame): string {
  const length = Math.max(before.rows.length, live.length);
  let first = 0;
  while (first < length && before.rows[first] === live[first]) first++;
  const moved = before.cursor.row !== cursor.row || before.cursor.column !== cursor.column;
  if (first === length) return moved ? move(before.cursor.row, cursor) : "";
  let last = live.length - 1;
  if (before.rows.length === live.length) {
    while (last > first && before.rows[last] === live[last]) last--;
  }
  // The row before the first changed one is on the screen, so new rows below it may scroll.
  let at = Math.min(first, before.rows.length - 1);
  const parts = [vertical(before.cursor.row, at), "\r", WRAP_OFF];
  for (let i = first; i <= last; i++) {
    if (i > at) parts.push("\r\n");
    at = i;
    parts.push(`\x1b[2K${live[i] ?? ""}${RESET}`);
  }
  parts.push(WRAP_ON);
  if (live.length === 0) parts.push(CLEAR_BELOW);
  else if (live.length < before.rows.length) {
    parts.push(vertical(at, live.length - 1), "\r\n\x1b[J\x1b[1A");
    at = live.length - 1;
  }
  return `${parts.join("")}${move(at, cursor)}`;
}

/** Rows between the top of the live rows and the cursor, after the terminal wrapped them anew for a changed width. */
function rowsAbove(before: Painted, size: PaintSize): number {
  const above = before.rows.slice(0, before.cursor.row).reduce((sum, row) => sum + size.height(row), 0);
  return Math.min(above + Math.floor(before.cursor.column / size.columns), size.rows - 1);
}

function move(from: number, { row, column }: Cursor): string {
  return `${vertical(from, row)}\r${column > 0 ? `\x1b[${column}C` : ""}`;
}

function vertical(from: number, to: number): string {
  return to > from ? `\x1b[${to - from}B` : up(from - to);
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : "";
}
