// The session record's entries (design §3). Written by src/record/append.ts, folded by src/record/ and src/agent/.
import * as z from "zod";
import { factSchema } from "./fact.ts";
import { messageSchema } from "./message.ts";
import { stopReasonSchema, usageSchema } from "./model.ts";
import { taskOutcomeSchema } from "./outcome.ts";
import { decisionSchema, proposalSchema } from "./proposal.ts";

/** How an effect ended, also when it was settled from the disk after a crash. */
const effectOutcomeSchema = z.enum(["done", "failed", "cancelled", "rolled_back"]);
export type EffectOutcome = z.infer<typeof effectOutcomeSchema>;

export const modeSchema = z.enum(["read", "propose", "edit"]);
export type Mode = z.infer<typeof modeSchema>;

const costSchema = z.number().nonnegative();

export const recordBodySchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("session"),
    id: z.string(),
    version: z.string(),
    workspace: z.string(),
    profile: z.string(),
    model: z.string(),
  }),
  /** From here on another profile or model answers. */
  z.strictObject({ type: z.literal("model"), profile: z.string(), model: z.string() }),
  /** A task begins; `tree` is the tree's hash then. */
  z.strictObject({
    type: z.literal("task"),
    text: z.string(),
    mode: modeSchema,
    guided: z.boolean(),
    tree: z.string(),
  }),
  /** The last three are an answer's: what it used, US dollars it cost (absent: not known), why the model stopped. */
  z.strictObject({
    type: z.literal("message"),
    message: messageSchema,
    usage: usageSchema.optional(),
    costUsd: costSchema.optional(),
    stop: stopReasonSchema.optional(),
  }),
  /** A request whose answer had begun and did not become a message; what it used as far as that is known. */
  z.strictObject({
    type: z.literal("request_lost"),
    reason: z.enum(["cancelled", "failed"]),
    usage: usageSchema.optional(),
    costUsd: costSchema.optional(),
  }),
  /** A streamed text that did not become the answer, kept to be read, never sent again. */
  z.strictObject({ type: z.literal("retracted"), text: z.string(), reason: z.string() }),
  z.strictObject({ type: z.literal("proposal"), proposal: proposalSchema }),
  z.strictObject({ type: z.literal("decision"), decision: decisionSchema }),
  z.strictObject({ type: z.literal("effect_begun"), seq: z.number() }),
  z.strictObject({
    type: z.literal("effect_ended"),
    seq: z.number(),
    outcome: effectOutcomeSchema,
    /** True when a later start settled it from the disk. */
    settled: z.boolean(),
    detail: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("fact"), fact: factSchema }),
  z.strictObject({ type: z.literal("outcome"), outcome: taskOutcomeSchema }),
]);
export type RecordBody = z.infer<typeof recordBodySchema>;
export type BodyOf<T extends RecordBody["type"]> = Extract<RecordBody, { type: T }>;

/** A body with its place: `n` counts from 1, `at` is ISO 8601 UTC, `hash` chains to the line before. */
export interface RecordEntry {
  n: number;
  at: string;
  hash: string;
  body: RecordBody;
}
