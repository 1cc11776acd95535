// Folds the events of one answer of Anthropic's Messages API into ours. Pure; used by anthropic.ts.
import type { AssistantMessage, ToolCall } from "../protocol/message.ts";
import type { ModelEvent, StopReason, Usage } from "../protocol/model.ts";
import { carriedOf } from "./anthropic-carried.ts";
import { type AnthropicUsage, type ContentBlock, eventSchema, messageSchema } from "./anthropic-event.ts";
import { unusedCallId } from "./call-ids.ts";
import { failure, reportedFailure, type Server } from "./failure.ts";

/** A block as far as it has come. */
interface OpenBlock extends ContentBlock {
  /** Pieces of a call's arguments. */
  json: string;
}

interface Answer {
  /** Takes one event, or the whole message of a server that does not stream; gives the text in it. Throws for a reported error. */
  take(value: unknown): ModelEvent[];
  /** Whether the model said that it has finished. */
  finished(): boolean;
  /** Whether its last event has come. */
  stopped(): boolean;
  /** The calls and the end. Throws when the model had not finished: half an answer is none. */
  end(): ModelEvent[];
}

/** `takenIds` are the call ids that the conversation has used. */
export function createAnthropicAnswer(server: Server, takenIds: ReadonlySet<string>): Answer {
  const blocks: OpenBlock[] = [];
  const byIndex = new Map<number, OpenBlock>();
  let usage: AnthropicUsage = {};
  let stop: string | undefined;
  let stopped = false;

  const begin = (block: ContentBlock, index: number | undefined): ModelEvent[] => {
    // An empty one, so that what it brings counts as its first piece.
    const open: OpenBlock = { ...block, text: "", thinking: "", signature: "", json: "" };
    blocks.push(open);
    // A number that comes again is a new block's.
    if (index !== undefined) byIndex.set(index, open);
    return add(open, { ...block, partial_json: "" });
  };

  return {
    take(value) {
      const parsed = eventSchema.safeParse(value);
      if (!parsed.success) return [];
      const { type, index, message, content_block: block, delta, error } = parsed.data;
      if (type === "error" || (error !== undefined && error !== null))
        throw reportedFailure(server, error ?? value);
      usage = highest(usage, message?.usage, parsed.data.usage);
      switch (type) {
        case "message": {
          const { content, stop_reason } = messageSchema.parse(value);
          stop = stop_reason ?? undefined;
          stopped = true;
          return content.flatMap((whole) => begin(whole, undefined));
        }
        case "content_block_start":
          return block ? begin(block, index) : [];
        case "content_block_delta": {
          const open = index === undefined ? blocks.at(-1) : byIndex.get(index);
          return open && delta ? add(open, delta) : [];
        }
        case "message_delta":
          stop = delta?.stop_reason ?? stop;
          return [];
        case "message_stop":
          stopped = true;
          return [];
        default:
          return [];
      }
    },
    finished: () => stop !== undefined || stopped,
    stopped: () => stopped,
    end() {
      if (stop === undefined && !stopped)
        throw failure(server, "incomplete", "broke off before the answer was complete");
      const calls = callsOf(blocks, takenIds);
      const how = stopOf(stop, calls.length > 0);
      if (how === undefined)
        throw failure(server, "incomplete", "paused in the middle of the answer and did not go on");
      const message = toMessage(blocks, calls, server.model);
      const whole = how === "calls" ? calls : [];
      return [
        ...whole.map((call): ModelEvent => ({ type: "tool_call", call })),
        { type: "done", message, usage: toUsage(usage), stop: how },
      ];
    },
  };
}

/** Adds a piece to its block. Of blocks that we do not know, nothing is text. */
function add(
  block: OpenBlock,
  piece: Pick<OpenBlock, "text" | "thinking" | "signature"> & { partial_json: string },
): ModelEvent[] {
  switch (block.type) {
    case "text":
      block.text += piece.text;
      return piece.text === "" ? [] : [{ type: "text", text: piece.text }];
    case "thinking":
      block.thinking += piece.thinking;
      block.signature += piece.signature;
      return piece.thinking === "" ? [] : [{ type: "reasoning", text: piece.thinking }];
    case "tool_use":
      block.json += piece.partial_json;
      return [];
    default:
      return [];
  }
}

/**
 * Why the model stopped; undefined when it has not. Whole calls count whatever is said. The server pauses a turn only for tools
 * that run at the server itself. We offer none, and the half answer of a paused turn must not pass for the answer: the request is
 * sent again.
 */
function stopOf(reason: string | undefined, hasCalls: boolean): StopReason | undefined {
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return "length";
  if (reason === "refusal") return "filtered";
  if (hasCalls) return "calls";
  return reason === "pause_turn" ? undefined : "stop";
}

function callsOf(blocks: readonly OpenBlock[], takenIds: ReadonlySet<string>): ToolCall[] {
  const taken = new Set(takenIds);
  return blocks
    .filter(({ type }) => type === "tool_use")
    .map(({ id, name, json, input }) => {
      const own = id === "" || taken.has(id) ? unusedCallId(taken) : id;
      taken.add(own);
      return { id: own, name, arguments: json.trim() === "" ? JSON.stringify(input ?? {}) : json };
    });
}

function toMessage(blocks: readonly OpenBlock[], calls: ToolCall[], model: string): AssistantMessage {
  const reasoning = blocks.map(({ thinking }) => thinking).join("");
  const carried = carriedOf(blocks, model);
  return {
    role: "assistant",
    text: blocks.map(({ text }) => text).join(""),
    ...(reasoning === "" ? {} : { reasoning }),
    ...(carried === undefined ? {} : { carried }),
    calls,
  };
}

/** Counts are cumulative, and servers that know one later or no more send 0: the highest holds. */
function highest(...all: readonly (AnthropicUsage | undefined)[]): AnthropicUsage {
  const most = (count: (usage: AnthropicUsage) => number | undefined): number | undefined =>
    all.reduce<number | undefined>((before, usage) => {
      const now = usage && count(usage);
      return now === undefined ? before : Math.max(before ?? 0, now);
    }, undefined);
  return {
    input_tokens: most((usage) => usage.input_tokens),
    cache_read_input_tokens: most((usage) => usage.cache_read_input_tokens),
    cache_creation_input_tokens: most((usage) => usage.cache_creation_input_tokens),
    output_tokens: most((usage) => usage.output_tokens),
    thinking_tokens: most((usage) => usage.thinking_tokens),
  };
}

/** Their input count leaves out what the cache read and wrote; ours is all that went in. */
function toUsage(usage: AnthropicUsage): Usage {
  const { input_tokens, cache_read_input_tokens: cached, cache_creation_input_tokens: cacheWritten } = usage;
  const input = input_tokens === undefined ? undefined : input_tokens + (cached ?? 0) + (cacheWritten ?? 0);
  const counts = {
    input,
    cached,
    cacheWritten,
    output: usage.output_tokens,
    reasoning: usage.thinking_tokens,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}
