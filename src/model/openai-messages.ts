// Our conversation as OpenAI messages: pure, and byte-stable, so that a server's prompt cache holds from step to step.
// Used by the OpenAI-compatible adapter.
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { AssistantMessage, Message, ToolCall, ToolMessage } from "../protocol/message.ts";

/**
 * The messages a server gets. Reasoning stays here; an assistant message with neither text nor calls is left out; every call
 * is followed at once by its one result, whatever order the results are stored in, and a result without its call is left
 * out: one missing pair would make every later request of the session a 400.
 */
export function toOpenAiMessages(messages: readonly Message[]): ChatCompletionMessageParam[] {
  return messages.flatMap((message, at) => {
    if (message.role === "assistant") return toOpenAiStep(message, resultsAfter(messages, at));
    return message.role === "tool" ? [] : [{ role: message.role, content: wellFormed(message.text) }];
  });
}

/** An assistant message and the results of its calls. */
function toOpenAiStep(
  { text, calls }: AssistantMessage,
  results: ReadonlyMap<string, ToolMessage>,
): ChatCompletionMessageParam[] {
  const content = text.trim() === "" ? null : wellFormed(text);
  if (calls.length === 0) return content === null ? [] : [{ role: "assistant", content }];
  return [
    { role: "assistant", content, tool_calls: calls.map(toOpenAiCall) },
    ...calls.map(({ id }) => ({
      role: "tool" as const,
      tool_call_id: id,
      content: wellFormed(results.get(id)?.content ?? "This call was not run; nothing is known of it."),
    })),
  ];
}

/** The first result for each call id between the assistant message at `at` and the next one. */
function resultsAfter(messages: readonly Message[], at: number): Map<string, ToolMessage> {
  const results = new Map<string, ToolMessage>();
  for (const message of messages.slice(at + 1)) {
    if (message.role === "assistant") break;
    if (message.role === "tool" && !results.has(message.callId)) results.set(message.callId, message);
  }
  return results;
}

/** Servers refuse the whole conversation for a name or arguments that the model once got wrong, so these are mended. */
function toOpenAiCall(call: ToolCall) {
  const name = call.name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
  return {
    id: call.id,
    type: "function" as const,
    function: {
      name: name === "" ? "unknown" : name,
      arguments: isJsonObject(call.arguments) ? call.arguments : "{}",
    },
  };
}

/** A text that was cut within a character: servers refuse half a surrogate pair, and with it the whole conversation. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
