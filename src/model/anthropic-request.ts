// The body and headers of a request to Anthropic's Messages API. Pure; used by anthropic.ts and list-models.ts.
import type {
  MessageCreateParamsBase,
  ThinkingConfigParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { ModelRequest, ToolSpec } from "../protocol/model.ts";
import { type Turn, toAnthropicMessages } from "./anthropic-messages.ts";

/** The API insists on a limit for the answer; every model in use takes this one. Thinking comes on top. */
const defaultMaxTokens = 8_192;

export interface AnthropicRequestOptions {
  model: string;
  /** Most tokens of one answer, thinking included. */
  maxOutputTokens?: number | undefined;
  /** Absent: the server does what it does by itself. */
  thinking?: boolean | undefined;
  /** Most tokens of thinking, for models that take a budget; less than `maxOutputTokens`, at least 1,024. Needs `thinking`. */
  thinkingBudget?: number | undefined;
  /** Further fields of the request's body. */
  body?: Readonly<Record<string, unknown>> | undefined;
  compat: {
    /** The server knows `cache_control`. */
    promptCache: boolean;
    /** The server can stream an answer. */
    streaming: boolean;
    /** One tool can be demanded. */
    toolChoice: boolean;
  };
}

export function toAnthropicBody(
  options: AnthropicRequestOptions,
  { messages, tools, forceTool }: ModelRequest,
): MessageCreateParamsBase {
  const { compat, thinking, thinkingBudget } = options;
  const { system, turns } = toAnthropicMessages(messages, options.model);
  const marked = compat.promptCache ? withMark : <T>(items: T[]): T[] => items;
  return {
    ...options.body,
    model: options.model,
    max_tokens: options.maxOutputTokens ?? defaultMaxTokens + (thinkingBudget ?? 0),
    // The server refuses empty lists.
    ...(system.length === 0 ? {} : { system: marked(system) }),
    ...(tools.length === 0 ? {} : { tools: marked(tools.map(toTool)) }),
    messages: compat.promptCache ? withMovingMarks(turns) : turns,
    ...(thinking === undefined ? {} : { thinking: toThinking(thinking, thinkingBudget) }),
    // The server refuses a forced tool together with thinking.
    ...(forceTool === undefined || thinking === true || !compat.toolChoice
      ? {}
      : { tool_choice: { type: "tool", name: forceTool } }),
    stream: compat.streaming,
  };
}

export function anthropicHeaders(apiKey: string | undefined): Record<string, string> {
  return { "anthropic-version": "2023-06-01", ...(apiKey === undefined ? {} : { "x-api-key": apiKey }) };
}

/** Newer models decide themselves how much to think and refuse a budget; older ones need one. */
function toThinking(on: boolean, budget: number | undefined): ThinkingConfigParam {
  if (!on) return { type: "disabled" };
  return budget === undefined ? { type: "adaptive" } : { type: "enabled", budget_tokens: budget };
}

function toTool({ name, description, parameters }: ToolSpec): Tool {
  return { name, description, input_schema: { ...parameters, type: "object" } };
}

/**
 * The server caches a request up to each mark, and reads what an earlier request wrote up to the same place. Four marks are
 * allowed: one ends the tools, one the system text; neither changes during a session. One ends the last user message and so moves
 * on with each request. The one at the end of the user message before stands where the last request had its own: from the last
 * mark the server looks back over 20 blocks only, and a step with many calls has more. Apart from the marks, which are no part
 * of what is compared, a request begins with the bytes of the one before.
 */
function withMovingMarks(turns: readonly Turn[]): Turn[] {
  const ends = turns.flatMap(({ role }, at) => (role === "user" ? [at] : [])).slice(-2);
  return turns.map((turn, at) => (ends.includes(at) ? { ...turn, content: withMark(turn.content) } : turn));
}

/** The list with a mark on its last item. */
function withMark<T extends object>(items: T[]): T[] {
  const last = items.at(-1);
  return last ? [...items.slice(0, -1), { ...last, cache_control: { type: "ephemeral" } }] : items;
}
