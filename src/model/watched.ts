// One answer under its watch: stopped by the user or a time limit, every fault as a ModelError. Used by the HTTP adapters.
import type { ModelEvent } from "../protocol/model.ts";
import type { ModelError } from "./error.ts";
import { failure, type Server, thrownFailure } from "./failure.ts";
import { createWatch, type Limits, type Watch } from "./watch.ts";

/** The events of `answer`, which reads under the watch it is given. Throws a `ModelError` and nothing else. */
export async function* watched(
  server: Server & { limits: Limits },
  signal: AbortSignal,
  answer: (watch: Watch) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  const watch = createWatch(server.limits, signal);
  const stopped = (): ModelError | undefined => {
    const reason = watch.stopped();
    return reason && failure(server, reason.kind, reason.why);
  };
  try {
    for await (const event of answer(watch)) {
      const reason = stopped();
      if (reason !== undefined) throw reason;
      yield event;
    }
  } catch (error) {
    throw stopped() ?? thrownFailure(server, error);
  } finally {
    watch.close();
  }
}
