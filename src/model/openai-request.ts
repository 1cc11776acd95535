// A request's body for chat completions. Pure; used by openai-compatible.ts.
import type { ChatCompletionCreateParams, ChatCompletionTool } from "openai/resources/chat/completions";
import type { ModelRequest, ToolSpec } from "../protocol/model.ts";
import { type MessageStyle, toOpenAiMessages } from "./openai-messages.ts";
import { strictSchema } from "./strict-schema.ts";

export interface OpenAiRequestOptions {
  model: string;
  /** Most tokens of one answer; the server's own limit when absent. */
  maxOutputTokens?: number | undefined;
  /** Further fields of the request's body, e.g. `{"reasoning_effort": "low"}`. */
  body?: Readonly<Record<string, unknown>> | undefined;
  /** Absent: the server does what it does by itself. */
  thinking?: boolean | undefined;
  compat: MessageStyle["compat"] & {
    /** False: one request, one JSON answer. */
    streaming: boolean;
    /** The server knows `stream_options`, which asks for token counts. */
    streamOptions: boolean;
    /** The server wants `max_completion_tokens` instead of `max_tokens`. */
    maxCompletionTokens: boolean;
    /** False: the model is asked for one call at a time. */
    parallelToolCalls: boolean;
    /** Tools go as `strict`, those that can. */
    strictSchemas: boolean;
    /** The server knows `tool_choice`. */
    toolChoice: boolean;
    /** The field that switches thinking on and off. */
    thinkingSwitch:
      | "none"
      | "thinking"
      | "enable_thinking"
      | "chat_template_kwargs"
      | "reasoning_effort"
      | "reasoning";
  };
}

export function toOpenAiBody(
  options: OpenAiRequestOptions,
  { messages, tools, forceTool }: ModelRequest,
): ChatCompletionCreateParams {
  const { compat, maxOutputTokens, model, thinking } = options;
  const limit = compat.maxCompletionTokens ? "max_completion_tokens" : "max_tokens";
  return {
    ...options.body,
    ...thinkingFields(options),
    model,
    messages: toOpenAiMessages(messages, { model, thinking, compat }),
    // Servers refuse an empty list, and what is said of calls without one.
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => toOpenAiTool(tool, compat.strictSchemas)) }),
    ...(tools.length === 0 || compat.parallelToolCalls ? {} : { parallel_tool_calls: false }),
    ...(forceTool === undefined || !compat.toolChoice
      ? {}
      : { tool_choice: { type: "function", function: { name: forceTool } } }),
    ...(maxOutputTokens === undefined ? {} : { [limit]: maxOutputTokens }),
    ...(compat.streaming && compat.streamOptions ? { stream_options: { include_usage: true } } : {}),
    stream: compat.streaming,
  };
}

function thinkingFields({ thinking, compat }: OpenAiRequestOptions): Record<string, unknown> {
  if (thinking === undefined) return {};
  switch (compat.thinkingSwitch) {
    case "none":
      return {};
    case "thinking":
      return { thinking: { type: thinking ? "enabled" : "disabled" } };
    case "enable_thinking":
      return { enable_thinking: thinking };
    case "chat_template_kwargs":
      return { chat_template_kwargs: { enable_thinking: thinking } };
    case "reasoning_effort":
      return { reasoning_effort: thinking ? "medium" : "none" };
    case "reasoning":
      return { reasoning: { enabled: thinking } };
  }
}

function toOpenAiTool({ name, description, parameters }: ToolSpec, wantStrict: boolean): ChatCompletionTool {
  const strict = wantStrict ? strictSchema(parameters) : undefined;
  return {
    type: "function",
    function: {
      name,
      description,
      parameters: { ...(strict ?? parameters) },
      ...(strict === undefined ? {} : { strict: true }),
    },
  };
}
