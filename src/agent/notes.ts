// MiniCode's own words to the model, under one fixed marker so that nobody mistakes them for the user's (design §2).
import type { Message, ToolMessage } from "../protocol/message.ts";

const MARKER = "[MiniCode]";

export function note(text: string): string {
  return `${MARKER} ${text}`;
}

/** Adds notes to the last result of a step: a `user` message right after `tool` is refused by some servers. */
export function withNotes(messages: readonly ToolMessage[], notes: readonly string[]): ToolMessage[] {
  const last = messages.at(-1);
  if (!last || notes.length === 0) return [...messages];
  return [...messages.slice(0, -1), { ...last, content: [last.content, ...notes.map(note)].join("\n\n") }];
}

const unanswered: Message = {
  role: "assistant",
  text: note("The task ended here without an answer."),
  calls: [],
};

/** Parts a `user` message from a `tool` or `user` message before it, where a task ended without an answer: some servers refuse both. */
export function bridged(messages: readonly Message[]): Message[] {
  return messages.flatMap((message, i) => {
    const before = messages[i - 1]?.role;
    const needsOne = message.role === "user" && (before === "tool" || before === "user");
    return needsOne ? [unanswered, message] : [message];
  });
}
