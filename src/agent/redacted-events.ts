// Events without the values of known keys, also where a key comes in pieces: streamed text and live output. Used by src/app.ts.
import type { Redactor, StreamRedactor } from "../policy/secrets.ts";
import type { AgentEvent, EventSink } from "../protocol/event.ts";
import { mapStrings } from "../util/map-strings.ts";

/** A subscriber that passes every event on to `emit`, in order; what a stream still held back comes before the event that ends it. */
export function redactedEvents(redact: Redactor, emit: EventSink): EventSink {
  let text = redact.stream();
  let outputs = new Map<number, StreamRedactor>();

  const endStreams = (): void => {
    const rest = text.end();
    text = redact.stream();
    if (rest !== "") emit({ type: "text", text: rest });
    const open = outputs;
    outputs = new Map();
    for (const [seq, output] of open) {
      const last = output.end();
      if (last !== "") emit({ type: "output", seq, text: last });
    }
  };

  return (event: AgentEvent) => {
    if (event.type === "text") {
      const ready = text.push(event.text);
      if (ready !== "") emit({ type: "text", text: ready });
    } else if (event.type === "output") {
      const { seq } = event;
      const output = outputs.get(seq) ?? redact.stream();
      outputs.set(seq, output);
      const ready = output.push(event.text);
      if (ready !== "") emit({ type: "output", seq, text: ready });
    } else {
      endStreams();
      emit(mapStrings(event, redact.text));
    }
  };
}
