// Our conversation as messages of Anthropic's Messages API. Pure and byte-stable, so that a prompt cache holds from step to step.
// Used by anthropic-request.ts.
import type { ContentBlockParam, TextBlockParam } from "@anthropic-ai/sdk/resources/messages/messages";
import type { AssistantMessage, CallOutcome, Message } from "../protocol/message.ts";
import { carriedFrom } from "./anthropic-carried.ts";
import { wellFormed } from "./conversation.ts";

/** One message: the API wants the two roles to alternate. */
export interface Turn {
  role: "user" | "assistant";
  content: ContentBlockParam[];
}

interface AnthropicConversation {
  system: TextBlockParam[];
  turns: Turn[];
}

/**
 * System messages go apart; the results of a step are one user message, in call order, and what the user says next stands in it
 * behind them. Thinking goes back only to the model that thought it.
 */
export function toAnthropicMessages(messages: readonly Message[], model: string): AnthropicConversation {
  const system: TextBlockParam[] = [];
  const turns: Turn[] = [];
  for (const message of wellFormed(messages, acceptsId)) {
    if (message.role === "system") {
      system.push(textBlock(message.text));
      continue;
    }
    const { role, content } = toTurn(message, model);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return { system, turns };
}

/** Ids that other servers gave need not fit this API. */
function acceptsId(id: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(id);
}

function toTurn(message: Exclude<Message, { role: "system" }>, model: string): Turn {
  switch (message.role) {
    case "user":
      return { role: "user", content: [textBlock(message.text)] };
    case "assistant":
      return { role: "assistant", content: assistantBlocks(message, model) };
    case "tool": {
      const { callId, outcome, content } = message;
      const failed = fine.has(outcome) ? {} : { is_error: true };
      return { role: "user", content: [{ type: "tool_result", tool_use_id: callId, content, ...failed }] };
    }
  }
}

const fine: ReadonlySet<CallOutcome> = new Set(["ok", "skipped"]);

function assistantBlocks(message: AssistantMessage, model: string): ContentBlockParam[] {
  const calls = message.calls.map(({ id, name, arguments: json }): ContentBlockParam => {
    const input: unknown = JSON.parse(json);
    return { type: "tool_use", id, name, input };
  });
  return carriedFrom(message, model).flatMap((part): ContentBlockParam[] => {
    switch (part.type) {
      case "text":
        // The API refuses a text without a visible character.
        return part.text.trim() === "" ? [] : [textBlock(part.text)];
      case "tool_use":
        return calls.slice(part.from, part.to);
      default:
        return [part];
    }
  });
}

function textBlock(text: string): TextBlockParam {
  return { type: "text", text };
}
