// Folds the chunks of one answer into our events. Pure; used by the OpenAI-compatible adapter.
import type { AssistantMessage, Carried } from "../protocol/message.ts";
import type { ModelEvent, StopReason, Usage } from "../protocol/model.ts";
import { readLooseJson } from "../util/loose-json.ts";
import { createCallFragments } from "./call-fragments.ts";
import { failure, reportedFailure, type Server } from "./failure.ts";
import { carriedOf } from "./openai-carried.ts";
import {
  argumentText,
  type Delta,
  errorIn,
  fragmentsOf,
  type ReasoningDetail,
  readChunk,
  textOf,
  thoughtOf,
  usageOf,
} from "./openai-chunk.ts";
import { addDetail } from "./reasoning-details.ts";
import { createThinkTags } from "./think-tags.ts";

interface Answer {
  /** Takes one chunk as parsed from JSON; gives the text in it. Throws when the chunk reports an error. */
  take(chunk: unknown): ModelEvent[];
  /** Whether the model said that it has finished. */
  finished(): boolean;
  /** Whether the last chunk brought a piece of the answer: some servers say with the first one already why it will end. */
  moving(): boolean;
  /**
   * The calls and the end. Throws when the model had not finished: half an answer is none. With `unsaid` an answer that only
   * lacks the word why it ended is whole, if there is one and its calls are JSON.
   */
  end(unsaid: boolean): ModelEvent[];
}

/**
 * `takenIds` are the call ids that the conversation has used. `thinkingOpen`: the text begins within the model's thinking, whose
 * opening tag was in the request already.
 */
export function createAnswer(server: Server, takenIds: ReadonlySet<string>, thinkingOpen: boolean): Answer {
  const fragments = createCallFragments();
  const tags = createThinkTags(thinkingOpen);
  const details: ReasoningDetail[] = [];
  let text = "";
  let reasoning = "";
  /** What of `reasoning` came in a field of its own. */
  let native = "";
  let begun = false;
  let moving = false;
  let finish: string | undefined;
  let usage: Usage = {};

  const say = (type: "text" | "reasoning", piece: string): ModelEvent[] => {
    if (piece === "") return [];
    if (type === "text") text += piece;
    else reasoning += piece;
    return [{ type, text: piece }];
  };
  const takeDelta = (delta: Delta): ModelEvent[] => {
    begun = true;
    const said = textOf(delta);
    const thought = thoughtOf(delta);
    moving ||= said !== "" || thought !== "" || fragmentsOf(delta).length > 0;
    native += thought;
    for (const detail of delta.reasoning_details ?? []) addDetail(details, detail);
    takeCalls(delta);
    return [
      ...say("reasoning", thought),
      ...(said === "" ? [] : tags.take(said)).flatMap((part) => say(part.type, part.text)),
    ];
  };
  const takeCalls = (delta: Delta): void => {
    const given = fragmentsOf(delta);
    given.forEach((fragment, place) => {
      fragments.add({
        // Where several come at once without numbers, their places are the numbers.
        index: fragment.index ?? (given.length > 1 ? place : undefined),
        id: fragment.id || undefined,
        name: fragment.function?.name || fragment.name || undefined,
        arguments: argumentText(fragment),
        extra: fragment.extra_content,
      });
    });
  };
  const messageOf = (calls: AssistantMessage["calls"]): AssistantMessage => {
    const carried: Carried | undefined = carriedOf(server.model, details, fragments.extras());
    return {
      role: "assistant",
      text,
      ...(reasoning === "" ? {} : { reasoning }),
      ...(carried === undefined ? {} : { carried }),
      calls,
    };
  };

  return {
    take(data) {
      const chunk = readChunk(data);
      if (chunk === null) return [];
      const error = errorIn(chunk, data);
      if (error !== undefined) throw reportedFailure(server, error);
      usage = { ...usage, ...usageOf(chunk) };
      const late = begun;
      moving = false;
      // We never ask for a second answer, so several choices are parts of one: some servers put text and calls apart.
      return (chunk.choices ?? []).flatMap((choice) => {
        finish = choice?.finish_reason || finish;
        // A whole message after its pieces says it all again.
        const delta = choice?.delta ?? (late ? null : choice?.message);
        return delta ? takeDelta(delta) : [];
      });
    },
    finished: () => finish !== undefined,
    moving: () => moving,
    end(unsaid) {
      const rest = tags.end().flatMap((part) => say(part.type, part.text));
      const calls = fragments.calls(takenIds);
      if (finish === undefined && !(unsaid && isUsable(text, calls)))
        throw failure(server, "incomplete", "broke off before the answer was complete");
      if (finish !== undefined && failedFinishes.has(finish))
        throw failure(server, "server", `ended the answer with "${finish}"`);
      const stop = cutFinishes.get(finish ?? "") ?? (calls.length > 0 ? "calls" : "stop");
      const unclosed = tags.unclosed();
      if (stop === "stop" && unclosed !== undefined) {
        // The model has ended and said nothing else: this is its answer, behind a tag that it forgot to close.
        rest.push(...say("text", unclosed));
        reasoning = native;
      }
      const message = messageOf(calls);
      const whole = stop === "calls" ? calls : [];
      return [
        ...rest,
        ...whole.map((call): ModelEvent => ({ type: "tool_call", call })),
        { type: "done", message, usage, stop },
      ];
    },
  };
}

/** Anything else ("stop", "tool_calls", "function_call", "eos", …) is a proper end, and calls count whatever it says. */
const cutFinishes: ReadonlyMap<string, StopReason> = new Map([
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["content_filter", "filtered"],
  ["sensitive", "filtered"],
]);
const failedFinishes: ReadonlySet<string> = new Set([
  "error",
  "network_error",
  "insufficient_system_resource",
]);

function isUsable(text: string, calls: AssistantMessage["calls"]): boolean {
  return (text.trim() !== "" || calls.length > 0) && calls.every((call) => readLooseJson(call.arguments).ok);
}
