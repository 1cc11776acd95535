// The screen: pi-tui's input and components with a painter of our own, so that finished rows belong to the terminal and
// its history is never cleared. One per run; made by start.ts.
import {
  CURSOR_MARKER,
  getCapabilities,
  setCapabilities,
  type Terminal,
  TUI,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from "@mariozechner/pi-tui";
import { type Cursor, erase, nothingPainted, type Painted, type PaintSize, paint } from "./painter.ts";

const FRAME_MS = 16;

export class Screen extends TUI {
  #painted: Painted = nothingPainted;
  #finished: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #paintedAt = Number.NEGATIVE_INFINITY;
  #closed = false;
  /** Called after each frame is written: what it showed has been on the screen. */
  onPainted: () => void = () => {};

  constructor(terminal: Terminal) {
    super(terminal, false);
    // A link is shown with its address: one that hides it could say anything. Images are for nobody here.
    setCapabilities({ ...getCapabilities(), hyperlinks: false, images: null });
  }

  /** Writes rows above the live ones, once; they are the terminal's from then on. Rows may be of any width. */
  finish(rows: readonly string[]): void {
    if (rows.length === 0) return;
    this.#finished.push(...rows);
    this.requestRender();
  }

  /** Paints soon; at most one frame in 16 ms. */
  override requestRender(): void {
    if (this.#closed || this.#timer) return;
    const wait = Math.max(0, FRAME_MS - (performance.now() - this.#paintedAt));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.flush();
    }, wait);
  }

  /** Paints now. */
  flush(): void {
    if (this.#closed) return;
    const size = this.#size();
    const { rows, cursor } = this.#live(size);
    const { bytes, after } = paint(this.#painted, { finished: this.#finished, live: rows, cursor }, size);
    this.#finished = [];
    this.#painted = after;
    this.#paintedAt = performance.now();
    if (bytes !== "") this.terminal.write(bytes);
    this.onPainted();
  }

  /** A clean screen: what is on it goes up into the terminal's history, which stays. */
  scrollAway(): void {
    const { rows } = this.#size();
    this.terminal.write(`${erase(this.#painted, this.#size())}\x1b[${rows}B${"\r\n".repeat(rows - 1)}\x1b[H`);
    this.#painted = nothingPainted;
    this.requestRender();
  }

  /** Takes the live rows away, writes what is finished, and gives the terminal back. */
  override stop(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    const rest = this.#finished.map((row) => `${row}\x1b[0m\r\n`).join("");
    this.terminal.write(`${erase(this.#painted, this.#size())}${rest}`);
    this.#closed = true;
    super.stop();
  }

  #size(): PaintSize {
    const columns = Math.max(2, this.terminal.columns);
    return { columns, rows: Math.max(2, this.terminal.rows), height: (row) => heightAt(row, columns) };
  }

  /** The live rows, cut to the screen: the last ones when there are too many. The cursor is where a component marked it. */
  #live({ columns, rows }: PaintSize): { rows: string[]; cursor: Cursor } {
    const all = super.render(columns);
    const shown = all.slice(-rows);
    let cursor = { row: Math.max(0, shown.length - 1), column: 0 };
    const clean = shown.map((row, i) => {
      const at = row.indexOf(CURSOR_MARKER);
      if (at < 0) return fitted(row, columns);
      const marked = row.slice(0, at);
      cursor = { row: i, column: Math.min(visibleWidth(marked), columns - 1) };
      return fitted(`${marked}${row.slice(at + CURSOR_MARKER.length)}`, columns);
    });
    return { rows: clean, cursor };
  }
}

/** A row that is too wide would break the bookkeeping; it is cut rather than crash a session. */
function fitted(row: string, columns: number): string {
  return visibleWidth(row) > columns ? truncateToWidth(row, columns, "") : row.replace(/ +$/, "");
}

/** Rows that a terminal makes of a row: a wide character that no longer fits at the end of a line goes to the next one. */
function heightAt(row: string, columns: number): number {
  if (visibleWidth(row) <= columns) return 1;
  return Math.max(1, wrapTextWithAnsi(row.replaceAll(" ", "_"), columns).length);
}
