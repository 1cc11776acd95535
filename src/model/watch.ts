// Watches one request: stops it when the user cancels or when the server is silent for too long. Used by the HTTP adapters.
import type { ModelErrorKind } from "./error.ts";

/** Time limits of one request, in milliseconds. */
export interface Limits {
  /** Until there is a connection, through a proxy and with TLS where there are any. */
  connectMs: number;
  /** From the request to the first byte of the answer. */
  firstByteMs: number;
  /** Between two pieces of the answer; a server's keep-alive counts as a piece. */
  idleMs: number;
  /** For the whole answer. */
  totalMs: number;
}

/** After a whole answer, how long the server may take to add its token counts and close. */
const settledMs = 2_000;

export interface Watch {
  /** Aborts when the watch stops the request. */
  readonly signal: AbortSignal;
  /** Why the request was stopped; undefined while it may go on. */
  stopped(): { kind: Extract<ModelErrorKind, "cancelled" | "timeout">; why: string } | undefined;
  /** We wait for bytes now: the clock of the first byte runs, later that of the pause between pieces. */
  listen(): void;
  /** Bytes came. What the reader does with them is not the server's time. */
  rest(): void;
  /**
   * The server said that the answer is finished, so that its silence is no failure any more. It gets a moment for what may still
   * come, whatever it sends to stay alive; `moving`, where a piece of the answer came just now, as long as between two pieces.
   */
  settle(moving: boolean): void;
  /** Ends the request and every clock. */
  close(): void;
}

export function createWatch(limits: Limits, cancel: AbortSignal): Watch {
  const controller = new AbortController();
  let reason: ReturnType<Watch["stopped"]>;
  let settled: { moving: boolean; timer: NodeJS.Timeout } | undefined;
  let pause = limits.firstByteMs;
  let limit = "firstByteSeconds";
  let timer: NodeJS.Timeout | undefined;

  const expire = (why: string): void => {
    if (settled === undefined) reason ??= { kind: "timeout", why };
    controller.abort();
  };
  const onCancel = (): void => {
    reason ??= { kind: "cancelled", why: "was cancelled" };
    controller.abort();
  };
  const total = setTimeout(
    () => expire(`did not finish within ${seconds(limits.totalMs)} (totalSeconds in its profile)`),
    limits.totalMs,
  );
  if (cancel.aborted) onCancel();
  cancel.addEventListener("abort", onCancel, { once: true });

  return {
    signal: controller.signal,
    stopped: () => reason,
    listen() {
      const why = `said nothing for ${seconds(pause)} (${limit} in its profile)`;
      timer ??= setTimeout(() => expire(why), pause);
    },
    rest() {
      clearTimeout(timer);
      timer = undefined;
      pause = limits.idleMs;
      limit = "idleSeconds";
    },
    settle(moving) {
      if (settled?.moving === false && !moving) return;
      clearTimeout(settled?.timer);
      const ms = moving ? limits.idleMs : Math.min(limits.idleMs, settledMs);
      settled = { moving, timer: setTimeout(() => controller.abort(), ms) };
    },
    close() {
      clearTimeout(timer);
      clearTimeout(total);
      clearTimeout(settled?.timer);
      cancel.removeEventListener("abort", onCancel);
      controller.abort();
    },
  };
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
