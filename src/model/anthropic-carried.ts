// What a model thought, kept as the server wants it back: unchanged and in its place. Pure; used by anthropic-answer.ts, which keeps
// it, and anthropic-messages.ts, which sends it.
import * as z from "zod";
import type { AssistantMessage, Carried } from "../protocol/message.ts";

const PROVIDER = "anthropic";

const thinkingSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
]);
/** Between thoughts: so many UTF-16 units of the message's text, or one of its calls. */
const keptSchema = z.union([
  thinkingSchema,
  z.object({ type: z.literal("text"), length: z.number().int().nonnegative() }),
  z.object({ type: z.literal("tool_use") }),
]);
type Kept = z.infer<typeof keptSchema>;

/** A part of an assistant message: a thought, a piece of its text, or its calls `from` (inclusive) `to` (exclusive). */
type Part =
  | z.infer<typeof thinkingSchema>
  | { type: "text"; text: string }
  | { type: "tool_use"; from: number; to: number };

/** A finished block of an answer; what a type does not have is empty. */
interface Block {
  type: string;
  text: string;
  thinking: string;
  signature: string;
  data: string;
}

/**
 * What to keep of an answer's blocks; undefined when there was no thinking that can go back. Thinking mostly stands before all
 * else; only where it does not are the places of text and calls kept, too.
 */
export function carriedOf(blocks: readonly Block[], model: string): Carried | undefined {
  const kept = blocks.flatMap(({ type, text, thinking, signature, data }): Kept[] => {
    switch (type) {
      case "thinking":
        // Without its signature it was cut off, or comes from a server that wants none back.
        return signature === "" ? [] : [{ type, thinking, signature }];
      case "redacted_thinking":
        return [{ type, data }];
      case "text":
        return text === "" ? [] : [{ type, length: text.length }];
      case "tool_use":
        return [{ type }];
      default:
        return [];
    }
  });
  const last = kept.findLastIndex(isThinking);
  if (last === -1) return undefined;
  const ahead = kept.slice(0, last + 1);
  return { provider: PROVIDER, model, blocks: ahead.every(isThinking) ? ahead : kept };
}

/** The parts of a message for `model`, in order. Another's thinking is left out; a kept order that does not fit is not followed. */
export function carriedFrom({ text, calls, carried }: AssistantMessage, model: string): Part[] {
  const rest: Part[] = [
    { type: "text", text },
    { type: "tool_use", from: 0, to: calls.length },
  ];
  if (carried?.provider !== PROVIDER || carried.model !== model) return rest;
  const kept = z.array(keptSchema).safeParse(carried.blocks);
  if (!kept.success) return rest;
  return inOrder(kept.data, text, calls.length) ?? [...kept.data.filter(isThinking), ...rest];
}

/** Text and calls at their places among the thoughts; undefined when they are not those that were kept. */
function inOrder(kept: readonly Kept[], text: string, calls: number): Part[] | undefined {
  let at = 0;
  let call = 0;
  const parts = kept.map((block): Part => {
    switch (block.type) {
      case "text":
        at += block.length;
        return { type: "text", text: text.slice(at - block.length, at) };
      case "tool_use":
        call += 1;
        return { type: "tool_use", from: call - 1, to: call };
      default:
        return block;
    }
  });
  const fits = at === text.length && call === calls && parts.every(isSound);
  return fits ? parts : undefined;
}

/** A length that parts a character is of another text. */
function isSound(part: Part): boolean {
  return part.type !== "text" || part.text.isWellFormed();
}

function isThinking(kept: Kept): kept is z.infer<typeof thinkingSchema> {
  return kept.type === "thinking" || kept.type === "redacted_thinking";
}
