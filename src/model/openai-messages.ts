// Our conversation as OpenAI messages: pure, and byte-stable, so that a server's prompt cache holds from step to step.
// Used by openai-request.ts.
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { AssistantMessage, Message } from "../protocol/message.ts";
import { bridged, wellFormed } from "./conversation.ts";
import { carriedTo } from "./openai-carried.ts";

/** How a server wants its messages. */
export interface MessageStyle {
  model: string;
  /** The user's switch; false sends no reasoning back. */
  thinking: boolean | undefined;
  compat: {
    developerRole: boolean;
    reasoningField: "none" | "reasoning_content" | "reasoning";
    userAfterTool: boolean;
    toolName: boolean;
    shortCallIds: boolean;
  };
}

/** Ids of calls where a server takes no others; Mistral's templates want them so. */
const shortId = /^[A-Za-z0-9]{9}$/;

/** That of a server without ways of its own. */
const plainStyle: MessageStyle = {
  model: "",
  thinking: undefined,
  compat: {
    developerRole: false,
    reasoningField: "none",
    userAfterTool: false,
    toolName: false,
    shortCallIds: false,
  },
};

/** The messages a server gets: the conversation as `wellFormed` makes it, in this style. */
export function toOpenAiMessages(
  messages: readonly Message[],
  style: MessageStyle = plainStyle,
): ChatCompletionMessageParam[] {
  const { compat } = style;
  const formed = compat.shortCallIds ? wellFormed(messages, (id) => shortId.test(id)) : wellFormed(messages);
  const parted = compat.userAfterTool ? formed : bridged(formed);
  const names = new Map(
    parted.flatMap((message) =>
      message.role === "assistant" ? message.calls.map(({ id, name }) => [id, name] as const) : [],
    ),
  );
  return parted.map((message) => toOpenAiMessage(message, names, style));
}

function toOpenAiMessage(
  message: Message,
  names: ReadonlyMap<string, string>,
  style: MessageStyle,
): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
      return { role: style.compat.developerRole ? "developer" : "system", content: message.text };
    case "user":
      return { role: "user", content: message.text };
    case "assistant":
      return toOpenAiAnswer(message, style);
    case "tool": {
      const named = style.compat.toolName ? { name: names.get(message.callId) } : {};
      return { role: "tool", tool_call_id: message.callId, ...named, content: message.content };
    }
  }
}

function toOpenAiAnswer(message: AssistantMessage, style: MessageStyle): ChatCompletionMessageParam {
  const { text, reasoning, calls } = message;
  const { model, thinking, compat } = style;
  const { details, extras } = carriedTo(model, message);
  return {
    role: "assistant",
    content: text.trim() === "" ? null : text,
    // DeepSeek and Kimi refuse a message without the field, and Kimi one that is empty.
    ...(compat.reasoningField === "none" || thinking === false
      ? {}
      : { [compat.reasoningField]: reasoning || " " }),
    ...(details === undefined ? {} : { reasoning_details: details }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call, n) => ({
            id: call.id,
            type: "function" as const,
            function: { name: call.name, arguments: call.arguments },
            ...(extras.has(n) ? { extra_content: extras.get(n) } : {}),
          })),
        }),
  };
}
