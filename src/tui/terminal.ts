// The real terminal, and the promise that every way out leaves it sane (T05). Used by src/cli/interactive.ts.
import { ProcessTerminal } from "@mariozechner/pi-tui";
import { messageOf } from "../util/errors.ts";

/** modifyOtherKeys off, bracketed paste off, autowrap on, cursor shown, attributes reset. */
const SANE = "\x1b[>4;0m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[0m";
const POP_KITTY_KEYS = "\x1b[<u";
/** A task that does not end in this time after a signal is left behind. */
const PATIENCE_MS = 5_000;

export interface GuardedTerminal {
  terminal: ProcessTerminal;
  /** Aborted by SIGTERM, SIGHUP, or a terminal that has gone: the session is to end in order. A second signal ends the process. */
  ended: AbortSignal;
  /** What a shell expects of a process that a signal ended; null without one. */
  exitCode(): number | null;
  /** Puts the terminal right and takes the guards away; harmless when called twice. */
  release(): void;
}

/** A terminal whose modes are undone at exit, on a signal, and on an error nobody caught, which is told on stderr (exit 1). */
export function openTerminal(): GuardedTerminal {
  const terminal = new TrackedTerminal();
  const end = new AbortController();
  const held = holdStderr();
  let code: number | null = null;

  const restore = (): void => {
    if (terminal.used) {
      if (process.stdin.isTTY && process.stdin.isRaw) process.stdin.setRawMode(false);
      process.stdout.write(`${terminal.kittyProtocolActive ? POP_KITTY_KEYS : ""}${SANE}`);
    }
    held.release();
  };
  const leave = (name: "SIGTERM" | "SIGHUP"): void => {
    const was = code;
    code = name === "SIGTERM" ? 143 : 129;
    if (was !== null) process.exit(code);
    end.abort();
    setTimeout(() => process.exit(code), PATIENCE_MS).unref();
  };
  const term = (): void => leave("SIGTERM");
  const hangUp = (): void => {
    if (code === null) leave("SIGHUP");
  };
  const crash = (error: unknown): void => {
    if (terminal.used) process.stdout.write("\r\x1b[J");
    restore();
    process.stderr.write(`minicode: internal error: ${messageOf(error)}\n`);
    process.exit(1);
  };

  // Stays to the end: pi-tui switches modifyOtherKeys on 150 ms after its start, even when it was stopped before that.
  process.on("exit", restore);
  process.on("SIGTERM", term);
  process.on("SIGHUP", hangUp);
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  process.stdin.on("error", hangUp);
  process.stdin.on("end", hangUp);
  return {
    terminal,
    ended: end.signal,
    exitCode: () => code,
    release: () => {
      restore();
      process.off("SIGTERM", term);
      process.off("SIGHUP", hangUp);
      process.off("uncaughtException", crash);
      process.off("unhandledRejection", crash);
      process.stdin.off("error", hangUp);
      process.stdin.off("end", hangUp);
    },
  };
}

/** Knows whether it was ever switched on: a session that did not begin leaves no bytes behind. */
class TrackedTerminal extends ProcessTerminal {
  used = false;

  override start(onInput: (data: string) => void, onResize: () => void): void {
    this.used = true;
    super.start(onInput, onResize);
  }
}

/** Keeps what anyone writes to stderr, and Node's warnings, off the screen, and lets them out afterwards. */
function holdStderr(): { release(): void } {
  const { stderr } = process;
  const write = stderr.write;
  const warned = process.listeners("warning");
  const held: (string | Uint8Array)[] = [];
  const hold = (chunk: string | Uint8Array): boolean => held.push(chunk) > 0;
  const warn = (warning: Error): boolean => hold(`${warning.name}: ${warning.message}\n`);
  stderr.write = hold;
  process.removeAllListeners("warning");
  process.on("warning", warn);
  return {
    release: () => {
      if (stderr.write !== hold) return;
      stderr.write = write;
      process.off("warning", warn);
      for (const listener of warned) process.on("warning", listener);
      for (const chunk of held) stderr.write(chunk);
    },
  };
}
