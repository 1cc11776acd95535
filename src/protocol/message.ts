// The conversation's data: what the model is sent and what it answers. Used by adapters, the loop and the record.
import * as z from "zod";

/** How one tool call ended. Every call ends with exactly one of these (design §2). */
export const callOutcomeSchema = z.enum([
  "ok",
  "error", // it was tried and did not work
  "invalid", // the arguments do not fit the tool
  "unknown", // no such tool
  "denied", // a rule, a mode, or no one to ask
  "rejected", // the user said no
  "blocked", // order or path policy
  "cancelled",
  "skipped",
  "timeout",
]);
export type CallOutcome = z.infer<typeof callOutcomeSchema>;

/** One tool call as the model wrote it; `arguments` is the raw JSON text. */
const toolCallSchema = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() });
export type ToolCall = z.infer<typeof toolCallSchema>;

/**
 * What one server wants to get back as it sent it, e.g. thinking blocks with their signatures. Sent again only to the same
 * provider and model; every other leaves it out.
 */
const carriedSchema = z.strictObject({ provider: z.string(), model: z.string(), blocks: z.array(z.json()) });
export type Carried = z.infer<typeof carriedSchema>;

const assistantMessageSchema = z.strictObject({
  role: z.literal("assistant"),
  text: z.string(),
  reasoning: z.string().optional(),
  carried: carriedSchema.optional(),
  calls: z.array(toolCallSchema),
});
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;

const toolMessageSchema = z.strictObject({
  role: z.literal("tool"),
  callId: z.string(),
  outcome: callOutcomeSchema,
  content: z.string(),
});
export type ToolMessage = z.infer<typeof toolMessageSchema>;

export const messageSchema = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), text: z.string() }),
  z.strictObject({ role: z.literal("user"), text: z.string() }),
  assistantMessageSchema,
  toolMessageSchema,
]);
export type Message = z.infer<typeof messageSchema>;
