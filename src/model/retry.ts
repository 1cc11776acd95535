// Whether and when a failed request is sent again. Pure; used by src/agent/ask-model.ts.
import type { ModelError } from "./error.ts";

/** Requests of one step, the first one included. */
export const maxRequests = 4;
/** The longest wait that a server may ask for; above it the user is told when to come back. */
export const longestWaitMs = 60_000;
const shortestWaitMs = 250;
const firstBackOffMs = 1_000;
const longestBackOffMs = 30_000;

/**
 * Whole milliseconds to wait before request `attempt + 1`, or null when there is to be none: `attempt` requests of this step have
 * failed, the last with `error`. What the server asks for is what it gets, up to a minute; without that the bound doubles from
 * 1 s to 30 s, and the wait is anything below it (`random` gives 0 to 1), so that many clients do not come back at once.
 */
export function retryDelay(error: ModelError, attempt: number, random: () => number): number | null {
  const { retryable, retryAfterMs } = error;
  if (!retryable || attempt >= maxRequests) return null;
  if (retryAfterMs !== undefined) {
    return retryAfterMs > longestWaitMs ? null : Math.max(shortestWaitMs, Math.ceil(retryAfterMs));
  }
  const bound = Math.min(longestBackOffMs, firstBackOffMs * 2 ** (attempt - 1));
  return Math.max(shortestWaitMs, Math.round(random() * bound));
}
