// Where MiniCode's own words go among the results of a step. Used by the loop.
import type { ToolMessage } from "../protocol/message.ts";
import { note } from "../protocol/note.ts";

/** Adds notes to the last result of a step: a `user` message right after `tool` is refused by some servers. */
export function withNotes(messages: readonly ToolMessage[], notes: readonly string[]): ToolMessage[] {
  const last = messages.at(-1);
  if (!last || notes.length === 0) return [...messages];
  return [...messages.slice(0, -1), { ...last, content: [last.content, ...notes.map(note)].join("\n\n") }];
}
