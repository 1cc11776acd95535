// The body of an answer as text, and its text as server-sent events. Used by answer-body.ts.
//
// The SDK's own reader is not used: it ends the answer at an event without data, which servers send to keep the connection
// open, it hides the comments that show that a slow server is alive, and it lets bytes that are no UTF-8 pass.
import { TextDecoder } from "node:util";
import { createParser } from "eventsource-parser";
import { failure, type Server } from "./failure.ts";
import type { Watch } from "./watch.ts";

/** A runaway server is stopped here, long before it fills the memory. */
const maxBytes = 64 * 1024 * 1024;

export interface ServerEvent {
  /** From the field `event`. */
  name: string | undefined;
  /** Never blank. */
  data: string;
  /**
   * `cut`: the body ended before the blank line that ends an event, so there may be more to it. `stray`: a line that belongs to
   * no event.
   */
  kind: "event" | "cut" | "stray";
}

/** The events that have data, in order. They do not depend on where the texts are parted. */
export async function* serverEvents(texts: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  const waiting: ServerEvent[] = [];
  let kind: ServerEvent["kind"] = "event";
  const add = (event: ServerEvent): void => {
    if (event.data.trim() !== "") waiting.push(event);
  };
  const parser = createParser({
    onEvent: ({ event: name, data }) => add({ name, data, kind }),
    onError: ({ type, field, value = "", line = "" }) => {
      if (type !== "unknown-field") return;
      // Older llama.cpp names the field after what it holds.
      if (field === "error") add({ name: "error", data: value, kind });
      else add({ name: undefined, data: line, kind: "stray" });
    },
  });
  for await (const text of texts) {
    parser.feed(text);
    yield* waiting.splice(0);
  }
  kind = "cut";
  parser.feed("\n\n");
  yield* waiting;
}

/** The body as text, piece by piece, with a strict decoder: damaged text must not end up in a file. */
export async function* bodyText(response: Response, server: Server, watch: Watch): AsyncGenerator<string> {
  if (response.body === null) return;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let size = 0;
  watch.listen();
  for await (const bytes of response.body) {
    watch.rest();
    size += bytes.byteLength;
    if (size > maxBytes)
      throw failure(server, "invalid_response", `sent more than ${maxBytes / 1048576} MiB`);
    yield decode(decoder, bytes, server);
    watch.listen();
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array, server: Server): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch (error) {
    throw failure(server, "invalid_response", "sent bytes that are not UTF-8", {
      retryable: true,
      cause: error,
    });
  }
}
