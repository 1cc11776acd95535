// What we read of the events of Anthropic's Messages API. Pure; used by anthropic-answer.ts.
import * as z from "zod";

// Other servers speak this protocol, too: a field that is missing, null or of another type must do no harm.
const text = z.string().catch("");
const count = z.number().nonnegative().optional().catch(undefined);

const usageSchema = z
  .object({
    input_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
    output_tokens: count,
    output_tokens_details: z.object({ thinking_tokens: count }).catch({}),
  })
  .transform(({ output_tokens_details, ...counts }) => ({ ...counts, ...output_tokens_details }))
  .optional()
  .catch(undefined);
export type AnthropicUsage = NonNullable<z.infer<typeof usageSchema>>;

const blockSchema = z.object({
  type: text,
  text,
  thinking: text,
  signature: text,
  /** Of a redacted thought. */
  data: text,
  /** Of a call, as `name` and `input`, which mostly comes in pieces instead. */
  id: text,
  name: text,
  input: z.unknown().optional(),
});
export type ContentBlock = z.infer<typeof blockSchema>;

const stopReason = z.string().optional().catch(undefined);

/** A whole answer, and the beginning of a streamed one. */
export const messageSchema = z.object({
  content: z.array(blockSchema).catch([]),
  usage: usageSchema,
  stop_reason: stopReason,
});

/** One event of a stream; also fits a whole answer, of which it takes type and usage. */
export const eventSchema = z.object({
  type: text,
  index: z.number().optional().catch(undefined),
  message: messageSchema.optional().catch(undefined),
  content_block: blockSchema.optional().catch(undefined),
  delta: z
    .object({ text, thinking: text, signature: text, partial_json: text, stop_reason: stopReason })
    .optional()
    .catch(undefined),
  usage: usageSchema,
  error: z.unknown().optional(),
});
