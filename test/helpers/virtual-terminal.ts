// A pi-tui terminal on a real terminal emulator (@xterm/headless): what would be on the screen and in its history, and every byte
// that was written. Waits by asking the emulator until a condition holds, never by time alone.
import { setTimeout as sleep } from "node:timers/promises";
import type { Terminal } from "@mariozechner/pi-tui";
import xterm from "@xterm/headless";

const DEADLINE_MS = 20_000;

export class VirtualTerminal implements Terminal {
  /** Every byte written so far, including those of before the session. */
  raw = "";
  readonly kittyProtocolActive = false;
  readonly #emulator: xterm.Terminal;
  #onInput: (data: string) => void = () => {};
  #onResize: () => void = () => {};
  started = false;

  constructor(columns = 80, rows = 24) {
    this.#emulator = new xterm.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      scrollback: 20_000,
    });
  }

  get columns(): number {
    return this.#emulator.cols;
  }

  get rows(): number {
    return this.#emulator.rows;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#onInput = onInput;
    this.#onResize = onResize;
    this.started = true;
  }

  stop(): void {
    this.#onInput = () => {};
    this.#onResize = () => {};
    this.started = false;
  }

  async drainInput(): Promise<void> {}

  write(data: string): void {
    this.raw += data;
    this.#emulator.write(data);
  }

  /** One key or paste, as pi-tui's terminal delivers it. */
  sendInput(data: string): void {
    this.#onInput(data);
  }

  /** Each character as a key of its own; "\r" is Enter. */
  type(text: string): void {
    for (const character of text) this.sendInput(character);
  }

  paste(text: string): void {
    this.sendInput(`\x1b[200~${text}\x1b[201~`);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    this.#onResize();
  }

  /** The rows on the screen, without blanks at their ends. */
  viewport(): string[] {
    const { baseY } = this.#emulator.buffer.active;
    return this.#lines(baseY, baseY + this.rows);
  }

  /** The rows that have left the screen at its top. */
  scrollback(): string[] {
    return this.#lines(0, this.#emulator.buffer.active.baseY);
  }

  /** Scrollback and screen, without the empty rows at the end. */
  everything(): string[] {
    const all = [...this.scrollback(), ...this.viewport()];
    while (all.at(-1) === "") all.pop();
    return all;
  }

  /** The screen as text, without the empty rows at its end. */
  text(): string {
    return this.viewport().join("\n").trimEnd();
  }

  get cursor(): { row: number; column: number } {
    const { cursorX, cursorY } = this.#emulator.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  /** Resolves when everything written so far is on the screen. */
  flushed(): Promise<void> {
    return new Promise((resolve) => this.#emulator.write("", resolve));
  }

  /** Resolves when `condition` holds; the error shows the screen at the deadline. */
  async until(condition: () => boolean, what: string): Promise<void> {
    const end = performance.now() + DEADLINE_MS;
    for (;;) {
      await this.flushed();
      if (condition()) return;
      if (performance.now() > end) throw new Error(`never came: ${what}\n${this.everything().join("\n")}`);
      await sleep(3);
    }
  }

  /** Resolves when the screen shows `text`. */
  shows(text: string): Promise<void> {
    return this.until(() => this.viewport().join("\n").includes(text), `"${text}" on the screen`);
  }

  moveBy(lines: number): void {
    if (lines !== 0) this.write(lines > 0 ? `\x1b[${lines}B` : `\x1b[${-lines}A`);
  }

  hideCursor(): void {
    this.write("\x1b[?25l");
  }

  showCursor(): void {
    this.write("\x1b[?25h");
  }

  clearLine(): void {
    this.write("\x1b[K");
  }

  clearFromCursor(): void {
    this.write("\x1b[J");
  }

  clearScreen(): void {
    this.write("\x1b[2J\x1b[H");
  }

  setTitle(): void {}

  setProgress(): void {}

  #lines(from: number, to: number): string[] {
    const rows: string[] = [];
    for (let i = from; i < to; i++)
      rows.push(this.#emulator.buffer.active.getLine(i)?.translateToString(true).trimEnd() ?? "");
    return rows;
  }
}
