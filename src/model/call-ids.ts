// Ids of tool calls where a server gives none, or one twice. Used by the adapters.
import type { ModelRequest } from "../protocol/model.ts";

/** The ids of all calls in the conversation. */
export function usedCallIds(request: ModelRequest): Set<string> {
  return new Set(
    request.messages.flatMap((message) =>
      message.role === "assistant" ? message.calls.map((call) => call.id) : [],
    ),
  );
}

/**
 * An id not in `taken` that depends on nothing else, so that the same conversation always has the same bytes. Nine letters and
 * digits: what the strictest servers ask of an id.
 */
export function unusedCallId(taken: ReadonlySet<string>): string {
  for (let n = taken.size + 1; ; n++) {
    const id = `call${String(n).padStart(5, "0")}`;
    if (!taken.has(id)) return id;
  }
}
