// The scripted model: answers from a list of steps, each of which may state what the agent must have sent. Used by the tests,
// the demo and end-to-end scripts; no network.
import { setTimeout as sleep } from "node:timers/promises";
import type { AssistantMessage } from "../protocol/message.ts";
import type { ChatModel, ModelEvent, ModelRequest } from "../protocol/model.ts";
import { unusedCallId, usedCallIds } from "./call-ids.ts";
import { ModelError } from "./error.ts";
import { mismatch, type ScriptStep } from "./script.ts";

/** Tests may compute a step from the request. */
export type Step = ScriptStep | ((request: ModelRequest) => ScriptStep);

export interface ScriptedModel extends ChatModel {
  /** Every request so far, as it was when it came. */
  readonly requests: readonly ModelRequest[];
}

/**
 * A model that answers with `steps` in order. A request that a step does not expect, and one after the last step, is a
 * `ModelError` `bad_request` that says which step, what was expected and what came: so a script is a test of the agent.
 */
export function createScripted(steps: readonly Step[], name = "scripted"): ScriptedModel {
  const requests: ModelRequest[] = [];
  let at = 0;

  const next = (request: ModelRequest): ScriptStep => {
    if (requests.length === 1) at = beginning(steps, request);
    for (;;) {
      const step = steps[at];
      if (step === undefined)
        throw scriptError(`is used up: request ${requests.length} came after its ${steps.length} steps`);
      const now = typeof step === "function" ? step(request) : step;
      const fault = now.when && mismatch(now.when, request, requests.length - 1);
      if (fault === undefined) {
        if (now.repeat === undefined) at++;
        return now;
      }
      if (now.repeat === undefined || at === steps.length - 1) throw scriptError(`step ${at + 1}: ${fault}`);
      at++;
    }
  };

  return {
    name,
    requests,
    async *stream(request, signal) {
      requests.push(structuredClone(request));
      yield* play(next(request), request, signal);
    },
  };
}

/** The step that a session gone on with has come to; the first where no step says so. */
function beginning(steps: readonly Step[], { messages }: ModelRequest): number {
  const sent = messages.filter(({ role }) => role !== "system").length;
  return Math.max(
    0,
    steps.findIndex((step) => typeof step !== "function" && step.messages === sent),
  );
}

async function* play(
  step: ScriptStep,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (const event of textEvents(step)) {
    await pause(step.delayMs, signal);
    yield event;
  }
  if (step.text === undefined && step.reasoning === undefined) await pause(step.delayMs, signal);
  if (step.error !== undefined) {
    const { kind, message, status, retryAfterMs } = step.error;
    throw new ModelError(kind, message ?? `The script says: ${kind}`, { status, retryAfterMs });
  }
  const message = toMessage(step, request);
  const stop = step.stop ?? (message.calls.length > 0 ? "calls" : "stop");
  if (stop === "calls") for (const call of message.calls) yield { type: "tool_call", call };
  yield { type: "done", message, usage: step.usage ?? {}, stop };
}

function textEvents(step: ScriptStep): ModelEvent[] {
  const { reasoning = "", text = "", chunk } = step;
  return [
    ...pieces(reasoning, chunk).map((piece): ModelEvent => ({ type: "reasoning", text: piece })),
    ...pieces(text, chunk).map((piece): ModelEvent => ({ type: "text", text: piece })),
  ];
}

function pieces(text: string, size: number | undefined): string[] {
  const characters = Array.from(text);
  const length = size ?? Math.max(1, characters.length);
  const count = Math.ceil(characters.length / length);
  return Array.from({ length: count }, (_, i) => characters.slice(i * length, (i + 1) * length).join(""));
}

/** Ids that the script leaves out are new in this conversation and depend on nothing else. */
function toMessage(step: ScriptStep, request: ModelRequest): AssistantMessage {
  const taken = usedCallIds(request);
  const calls = (step.calls ?? []).map((call) => {
    const id = call.id ?? unusedCallId(taken);
    taken.add(id);
    const json = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
    return { id, name: call.name, arguments: json };
  });
  const reasoning = step.reasoning === undefined ? {} : { reasoning: step.reasoning };
  return { role: "assistant", text: step.text ?? "", ...reasoning, calls };
}

/** Waits, but never past the signal; also where there is nothing to wait for, so that a cancelled script stops. */
async function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  try {
    if (ms !== undefined) await sleep(ms, undefined, { signal });
    signal.throwIfAborted();
  } catch (error) {
    throw new ModelError("cancelled", "The scripted model was cancelled", { cause: error });
  }
}

function scriptError(what: string): ModelError {
  return new ModelError("bad_request", `The script ${what}`, {
    hint: "Correct the script, or what the agent sends.",
  });
}
