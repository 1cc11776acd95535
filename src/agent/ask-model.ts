// One request to the model, sent again where that may help (design §4): drafts, waits between requests, and what becomes of the
// task when there is no answer. Used by the loop.
import { ModelError } from "../model/error.ts";
import { maxRequests, retryDelay } from "../model/retry.ts";
import type { AssistantMessage } from "../protocol/message.ts";
import type { ModelRequest, StopReason, Usage } from "../protocol/model.ts";
import { conversation } from "../record/restore.ts";
import { toolSpecs } from "./specs.ts";
import { recordLost, usageEvent } from "./spending.ts";
import type { TaskRun } from "./task.ts";

export interface Answered {
  message: AssistantMessage;
  usage: Usage;
  stop: StopReason;
}

/**
 * Streams one answer; null when there is none, with the reason in `run.stop` or the run's signals. A failure that may pass is
 * waited out, and the same request is sent whole again; that costs no step.
 */
export async function askModel(run: TaskRun): Promise<Answered | null> {
  const { window, record, tools, emit, wait } = run.ports;
  const request: ModelRequest = {
    messages: [{ role: "system", text: run.options.system }, ...window(conversation(record.entries))],
    tools: toolSpecs(tools),
  };
  for (let sent = 1; ; sent++) {
    const reply = await listen(run, request);
    if (!(reply instanceof ModelError)) {
      emit(usageEvent(run, reply.usage));
      return reply;
    }
    if (run.signal.aborted) return null;
    const waitMs = retryDelay(reply, sent, Math.random);
    if (waitMs === null) {
      run.stop = { end: "model_failed", detail: reply.message, retryable: reply.retryable };
      if (reply.hint !== undefined) emit({ type: "note", text: reply.hint });
      return null;
    }
    emit({ type: "retrying", attempt: sent + 1, of: maxRequests, waitMs, why: reply.message });
    await wait(waitMs, run.signal);
    if (run.signal.aborted) return null;
  }
}

/** One answer, or why there is none; what was shown of it is then taken back. */
async function listen(run: TaskRun, request: ModelRequest): Promise<Answered | ModelError> {
  const { model, emit } = run.ports;
  let draft = "";
  let done: Answered | null = null;
  let begun = false;
  let used: Usage | undefined;
  let failed = new ModelError("incomplete", "the stream ended without an answer");
  try {
    for await (const event of model.stream(request, run.signal)) {
      begun = true;
      if (event.type === "done") used = event.usage;
      if (run.signal.aborted) break;
      if (event.type === "text") {
        draft += event.text;
        emit({ type: "text", text: event.text });
      }
      if (event.type === "done") done = event;
    }
  } catch (error) {
    if (!(error instanceof ModelError)) {
      if (draft) emit({ type: "draft-retracted", text: draft, reason: "failed" });
      throw error;
    }
    failed = error;
    done = null;
  }
  if (done && !run.signal.aborted) return done;
  const reason = run.userSignal.aborted ? "cancelled" : "failed";
  if (draft) await retract(run, draft, reason);
  // A request that was refused has cost nothing.
  if (begun || run.signal.aborted || failed.kind === "incomplete") await recordLost(run, reason, used);
  return failed;
}

/** Takes a draft back, on the screen and on record. */
export async function retract(
  run: TaskRun,
  text: string,
  reason: "check" | "cancelled" | "failed",
): Promise<void> {
  run.ports.emit({ type: "draft-retracted", text, reason });
  await run.ports.record.append({ type: "retracted", text, reason });
}
