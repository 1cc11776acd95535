// Folds the chunks of one streamed answer into our events. Pure; used by the OpenAI-compatible adapter.
import * as z from "zod";
import type { AssistantMessage } from "../protocol/message.ts";
import type { ModelEvent, StopReason, Usage } from "../protocol/model.ts";
import { createCallFragments } from "./call-fragments.ts";
import { failure, reportedFailure, type Server } from "./failure.ts";

// What servers really send: every field may be missing, null or of another type, and must then do no harm.
const looseText = z.string().nullish().catch(null);
const looseCount = z.number().nonnegative().nullish().catch(null);
const contentSchema = z
  .union([z.string(), z.array(z.object({ text: looseText }).catch({ text: null }))])
  .nullish()
  .catch(null);
const fragmentSchema = z
  .object({
    index: looseCount,
    id: looseText,
    function: z.object({ name: looseText, arguments: z.unknown().optional() }).nullish().catch(null),
  })
  .nullable()
  .catch(null);
const deltaSchema = z
  .object({
    content: contentSchema,
    refusal: looseText,
    reasoning_content: looseText,
    reasoning: looseText,
    tool_calls: z.array(fragmentSchema).nullish().catch(null),
  })
  .nullish()
  .catch(null);
const usageSchema = z
  .object({
    prompt_tokens: looseCount,
    completion_tokens: looseCount,
    prompt_tokens_details: z.object({ cached_tokens: looseCount }).nullish().catch(null),
    completion_tokens_details: z.object({ reasoning_tokens: looseCount }).nullish().catch(null),
    prompt_cache_hit_tokens: looseCount,
  })
  .nullish()
  .catch(null);
const choiceSchema = z
  .object({ delta: deltaSchema, message: deltaSchema, finish_reason: looseText, usage: usageSchema })
  .nullable()
  .catch(null);
const chunkSchema = z
  .object({
    choices: z.array(choiceSchema).nullish().catch(null),
    usage: usageSchema,
    error: z.unknown().optional(),
    object: z.unknown().optional(),
  })
  .nullable()
  .catch(null);
type Delta = z.infer<typeof deltaSchema>;

interface Answer {
  /** Takes one chunk as parsed from JSON; gives the text in it. Throws when the chunk reports an error. */
  take(chunk: unknown): ModelEvent[];
  /** Whether the model said that it has finished. */
  finished(): boolean;
  /** The calls and the end. Throws when the model had not finished: half an answer is none. */
  end(): ModelEvent[];
}

/** `takenIds` are the call ids that the conversation has used. */
export function createAnswer(server: Server, takenIds: ReadonlySet<string>): Answer {
  const fragments = createCallFragments();
  let text = "";
  let reasoning = "";
  let finish: string | undefined;
  let usage: Usage = {};

  const takeDelta = (delta: NonNullable<Delta>): ModelEvent[] => {
    const events: ModelEvent[] = [];
    const thought = delta.reasoning_content || delta.reasoning || "";
    const said = contentText(delta.content) + (delta.refusal ?? "");
    reasoning += thought;
    text += said;
    if (thought !== "") events.push({ type: "reasoning", text: thought });
    if (said !== "") events.push({ type: "text", text: said });
    for (const fragment of delta.tool_calls ?? []) {
      if (fragment === null) continue;
      fragments.add({
        index: fragment.index ?? undefined,
        id: fragment.id || undefined,
        name: fragment.function?.name || undefined,
        arguments: argumentText(fragment.function?.arguments),
      });
    }
    return events;
  };

  return {
    take(data) {
      const chunk = chunkSchema.parse(data);
      if (chunk === null) return [];
      if (chunk.error !== undefined && chunk.error !== null) throw reportedFailure(server, chunk.error);
      if (chunk.object === "error") throw reportedFailure(server, data);
      const choice = chunk.choices?.[0];
      usage = { ...usage, ...toUsage(choice?.usage), ...toUsage(chunk.usage) };
      finish = choice?.finish_reason || finish;
      const delta = choice?.delta ?? choice?.message;
      return delta ? takeDelta(delta) : [];
    },
    finished: () => finish !== undefined,
    end() {
      if (finish === undefined)
        throw failure(server, "incomplete", "broke off before the answer was complete");
      if (failedFinishes.has(finish)) throw failure(server, "server", `ended the answer with "${finish}"`);
      const calls = fragments.calls(takenIds);
      const stop = cutFinishes.get(finish) ?? (calls.length > 0 ? "calls" : "stop");
      const message: AssistantMessage = {
        role: "assistant",
        text,
        ...(reasoning === "" ? {} : { reasoning }),
        calls,
      };
      const whole = stop === "calls" ? calls : [];
      return [
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

function contentText(content: z.infer<typeof contentSchema>): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("");
}

/** Some servers send the arguments as the object itself. */
function argumentText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function toUsage(usage: z.infer<typeof usageSchema>): Usage {
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens;
  const counts = {
    input: usage?.prompt_tokens,
    cached,
    output: usage?.completion_tokens,
    reasoning: usage?.completion_tokens_details?.reasoning_tokens,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === "number"));
}
