// The body of a request to Ollama's own chat endpoint. Pure; used by ollama-chat.ts.
import type { Message, ToolMessage } from "../protocol/message.ts";
import type { ModelRequest } from "../protocol/model.ts";
import { bridged, wellFormed } from "./conversation.ts";
import { type Loading, loadingFields } from "./ollama-server.ts";
import type { OpenAiRequestOptions } from "./openai-request.ts";

export type OllamaRequestOptions = OpenAiRequestOptions & Loading;

/** What of a profile's further fields stands beside the messages; all else ("temperature", "top_k", …) is an option here. */
const fieldNames = new Set(["format", "logprobs", "top_logprobs"]);

/** Of `options.compat` what both endpoints have: streaming, the reasoning that goes back, a user message after a result. */
export function toOllamaBody(
  options: OllamaRequestOptions,
  { messages, tools }: ModelRequest,
): Record<string, unknown> {
  const { model, maxOutputTokens, thinking, compat } = options;
  const { options: loading, ...keeping } = { options: {}, ...loadingFields(options) };
  const { options: given, ...fields } = { options: {}, ...options.body };
  const further = Object.entries(fields);
  return {
    ...Object.fromEntries(further.filter(([name]) => fieldNames.has(name))),
    model,
    messages: toOllamaMessages(messages, options),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function",
            function: { name, description, parameters },
          })),
        }),
    ...(thinking === undefined ? {} : { think: thinking }),
    ...keeping,
    // What does not fit is refused: the server would cut off the beginning without a word.
    truncate: false,
    options: {
      ...(typeof given === "object" ? given : {}),
      ...Object.fromEntries(further.filter(([name]) => !fieldNames.has(name))),
      ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
      ...loading,
    },
    stream: compat.streaming,
  };
}

function toOllamaMessages(messages: readonly Message[], options: OllamaRequestOptions): unknown[] {
  const formed = wellFormed(messages);
  const parted = options.compat.userAfterTool ? formed : bridged(formed);
  const names = new Map(
    parted.flatMap((message) =>
      message.role === "assistant" ? message.calls.map(({ id, name }) => [id, name] as const) : [],
    ),
  );
  return parted.map((message) => toOllamaMessage(message, names, options));
}

function toOllamaMessage(
  message: Message,
  names: ReadonlyMap<ToolMessage["callId"], string>,
  { compat, thinking }: OllamaRequestOptions,
): unknown {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.text };
    case "tool": {
      const { callId, content } = message;
      return { role: "tool", tool_name: names.get(callId), tool_call_id: callId, content };
    }
    case "assistant": {
      const { text, reasoning, calls } = message;
      const back = compat.reasoningField === "none" || thinking === false ? undefined : reasoning;
      return {
        role: "assistant",
        content: text,
        ...(back === undefined ? {} : { thinking: back }),
        ...(calls.length === 0
          ? {}
          : {
              tool_calls: calls.map(({ id, name, arguments: json }) => ({
                id,
                function: { name, arguments: JSON.parse(json) },
              })),
            }),
      };
    }
  }
}
