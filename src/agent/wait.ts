// How the time before a request is sent again is spent. Filled in by src/app.ts, spent by ask-model.ts.
import { setTimeout as sleep } from "node:timers/promises";

/** Resolves after so many milliseconds, or as soon as the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const realWait: Wait = async (ms, signal) => {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
};
