// What an OpenAI-compatible server wants back as it sent it: signed reasoning (OpenRouter and others), and what stands beside a
// call (Gemini's thought signatures). Pure; used by openai-answer.ts and openai-messages.ts.
import * as z from "zod";
import type { AssistantMessage, Carried } from "../protocol/message.ts";

const PROVIDER = "openai-compatible";

type Json = Carried["blocks"][number];

const blockSchema = z.union([
  z.object({ reasoning_details: z.array(z.json()) }),
  /** The number of the call within its message. */
  z.object({ call: z.number(), extra_content: z.json() }),
]);

/** Undefined when there is nothing to carry. `extras` are those of the calls, in their order. */
export function carriedOf(
  model: string,
  details: Json[],
  extras: readonly (Json | undefined)[],
): Carried | undefined {
  const blocks: Json[] = [
    ...(details.length === 0 ? [] : [{ reasoning_details: details }]),
    ...extras.flatMap((extra, call) => (extra === undefined ? [] : [{ call, extra_content: extra }])),
  ];
  return blocks.length === 0 ? undefined : { provider: PROVIDER, model, blocks };
}

/** What of a message goes back to `model`: nothing that another one sent. */
export function carriedTo(
  model: string,
  { carried }: AssistantMessage,
): { details: Json[] | undefined; extras: ReadonlyMap<number, Json> } {
  const ours = carried?.provider === PROVIDER && carried.model === model ? carried.blocks : [];
  const extras = new Map<number, Json>();
  let details: Json[] | undefined;
  for (const block of ours) {
    const read = blockSchema.safeParse(block);
    if (!read.success) continue;
    if ("call" in read.data) extras.set(read.data.call, read.data.extra_content);
    else details = read.data.reasoning_details;
  }
  return { details, extras };
}
