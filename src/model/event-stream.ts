// The body of a streamed answer as the data of its server-sent events. Used by the HTTP adapters.
//
// The SDK's own reader is not used: it ends the answer at an event without data, which servers send to keep the connection
// open, it hides the comments that show that a slow server is alive, and it lets bytes that are no UTF-8 pass.
import { TextDecoder } from "node:util";
import { createParser } from "eventsource-parser";
import { failure, type Server } from "./failure.ts";
import type { Watch } from "./watch.ts";

/** A runaway server is stopped here, long before it fills the memory. */
const maxBytes = 64 * 1024 * 1024;

/** The data of each event that has any, in order. */
export async function* eventData(response: Response, server: Server, watch: Watch): AsyncGenerator<string> {
  const waiting: string[] = [];
  const parser = createParser({ onEvent: (event) => waiting.push(event.data) });
  for await (const text of bodyText(response, server, watch)) {
    parser.feed(text);
    for (const data of waiting.splice(0)) if (data.trim() !== "") yield data;
  }
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
