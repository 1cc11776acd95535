// A real terminal: one tmux server per test with one pane, typed into and read. Waits for what the pane shows, never for time.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { binary, type Product } from "./product.ts";

const DEADLINE_MS = 15_000;

export interface Pane {
  /** Types text as keys. */
  type(text: string): void;
  /** Presses keys by tmux's names: Enter, Escape, C-c. */
  press(...keys: string[]): void;
  /** Everything the pane holds, its history included, without blanks at line ends. */
  text(): string;
  /** Resolves when the text matches; the error shows it at the deadline. */
  until(pattern: RegExp): Promise<void>;
  /** Process id of MiniCode in the pane. */
  pid(): number;
  /** What `stty -a` says of the pane's terminal. */
  stty(): string;
  /** Every byte that came to the terminal so far. */
  raw(): string;
  resize(columns: number, rows: number): void;
  /** Takes the terminal away, as when its window is closed. */
  close(): void;
}

/** A shell in a pane of this size. */
export async function openPane(p: Product, columns: number, rows: number): Promise<Pane> {
  const folder = mkdtempSync(join(tmpdir(), "minicode-tmux-"));
  const socket = join(folder, "s");
  const env = { ...p.env, TERM: "xterm-256color", LANG: "C.UTF-8", LC_ALL: "C.UTF-8" };
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-u", "-S", socket, ...args], { env, encoding: "utf8" });
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", p.cwd, "sh");
  const bytes = join(folder, "bytes");
  tmux("pipe-pane", `cat >>${bytes}`);
  let closed = false;
  onTestFinished(() => {
    if (!closed) tmux("kill-server");
    rmSync(folder, { recursive: true, force: true });
  });
  const pane: Pane = {
    type: (text) => void tmux("send-keys", "-l", text),
    press: (...keys) => void tmux("send-keys", ...keys),
    text: () =>
      tmux("capture-pane", "-p", "-S", "-2000")
        .replace(/[ \t]+$/gm, "")
        .trimEnd(),
    until: async (pattern) => {
      for (const end = performance.now() + DEADLINE_MS; ; await sleep(30)) {
        const text = pane.text();
        if (pattern.test(text)) return;
        if (performance.now() > end) throw new Error(`never came: ${pattern}\n${text}`);
      }
    },
    pid: () => {
      const shell = tmux("display-message", "-p", "#{pane_pid}").trim();
      return Number(execFileSync("pgrep", ["-P", shell, "-n"], { encoding: "utf8" }).trim());
    },
    stty: () => {
      const device = tmux("display-message", "-p", "#{pane_tty}").trim();
      return execFileSync("stty", ["-a", "-F", device], { encoding: "utf8" });
    },
    raw: () => readFileSync(bytes, "utf8"),
    resize: (width, height) => void tmux("resize-window", "-x", String(width), "-y", String(height)),
    close: () => {
      closed = true;
      tmux("kill-server");
    },
  };
  await pane.until(/[$#]$/);
  return pane;
}

/** Starts MiniCode in the pane and waits for its composer. */
export async function startIn(pane: Pane, args: readonly string[], ready = /ready$/): Promise<void> {
  pane.type(`${process.execPath} ${binary} ${args.join(" ")}; echo "code=$?"`);
  pane.press("Enter");
  await pane.until(ready);
}
