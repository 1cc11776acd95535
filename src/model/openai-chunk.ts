// One chunk of an OpenAI-compatible answer as servers really send it. Pure; used by openai-answer.ts.
import * as z from "zod";
import type { Usage } from "../protocol/model.ts";

// Every field may be missing, null or of another type, and must then do no harm.
const looseText = z.string().nullish().catch(null);
const looseCount = z.number().nonnegative().nullish().catch(null);
const looseJson = z.json().optional().catch(undefined);
const contentSchema = z
  .union([z.string(), z.array(z.object({ text: looseText }).catch({ text: null }))])
  .nullish()
  .catch(null);
const functionSchema = z.object({ name: looseText, arguments: z.unknown().optional() }).nullish().catch(null);
const fragmentSchema = z
  .object({
    index: looseCount,
    id: looseText,
    function: functionSchema,
    name: looseText,
    arguments: z.unknown().optional(),
    extra_content: looseJson,
  })
  .nullable()
  .catch(null);
const deltaSchema = z
  .object({
    content: contentSchema,
    refusal: looseText,
    reasoning_content: looseText,
    reasoning: looseText,
    reasoning_details: z.array(z.record(z.string(), z.json())).nullish().catch(null),
    tool_calls: z.array(fragmentSchema).nullish().catch(null),
    function_call: functionSchema,
  })
  .nullish()
  .catch(null);
const usageSchema = z
  .object({
    prompt_tokens: looseCount,
    completion_tokens: looseCount,
    prompt_tokens_details: z
      .object({ cached_tokens: looseCount, cache_write_tokens: looseCount })
      .nullish()
      .catch(null),
    completion_tokens_details: z.object({ reasoning_tokens: looseCount }).nullish().catch(null),
    prompt_cache_hit_tokens: looseCount,
    cached_tokens: looseCount,
  })
  .nullish()
  .catch(null);
const choiceSchema = z
  .object({
    delta: deltaSchema,
    message: deltaSchema,
    finish_reason: looseText,
    usage: usageSchema,
    error: z.unknown().optional(),
  })
  .nullable()
  .catch(null);
const chunkSchema = z
  .object({
    choices: z.array(choiceSchema).nullish().catch(null),
    usage: usageSchema,
    x_groq: z.object({ usage: usageSchema }).nullish().catch(null),
    error: z.unknown().optional(),
    object: z.unknown().optional(),
    type: z.unknown().optional(),
    message: looseText,
    msg: looseText,
    detail: looseText,
    base_resp: z.object({ status_code: looseCount, status_msg: looseText }).nullish().catch(null),
  })
  .nullable()
  .catch(null);

type Chunk = NonNullable<z.infer<typeof chunkSchema>>;
export type Delta = NonNullable<z.infer<typeof deltaSchema>>;
type Fragment = NonNullable<z.infer<typeof fragmentSchema>>;
export type ReasoningDetail = NonNullable<Delta["reasoning_details"]>[number];

/** Null for what is no object. */
export function readChunk(data: unknown): Chunk | null {
  return chunkSchema.parse(data);
}

/** The error that a chunk reports, in whichever place; `data` is what the chunk was read from. */
export function errorIn(chunk: Chunk, data: unknown): unknown {
  if (chunk.error) return chunk.error;
  if (chunk.object === "error" || chunk.type === "error") return data;
  const inChoice = chunk.choices?.find((choice) => choice?.error)?.error;
  if (inChoice) return inChoice;
  const { status_code, status_msg } = chunk.base_resp ?? {};
  if (status_code) return { code: status_code, message: status_msg ?? "" };
  if (chunk.choices) return undefined;
  const words = chunk.message || chunk.detail || chunk.msg;
  return words ? { ...chunk, message: words } : undefined;
}

export function textOf({ content, refusal }: Delta): string {
  const said = typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("");
  return said + (refusal ?? "");
}

export function thoughtOf({ reasoning_content, reasoning, reasoning_details }: Delta): string {
  const details = (reasoning_details ?? []).map(({ text, summary }) => text ?? summary);
  return reasoning_content || reasoning || details.filter((part) => typeof part === "string").join("");
}

/** Pieces of calls, whichever way they are given. */
export function fragmentsOf({ tool_calls, function_call }: Delta): Fragment[] {
  const given = (tool_calls ?? []).filter((fragment) => fragment !== null);
  const old = function_call ? [fragmentSchema.parse({ function: function_call })] : [];
  return given.length > 0 ? given : old.filter((fragment) => fragment !== null);
}

/** Some servers send the arguments as the object itself. */
export function argumentText({ function: called, arguments: flat }: Fragment): string {
  const value = called?.arguments ?? flat ?? "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * The counts that a chunk gives, wherever it has them. No request has 0 tokens in or out, so a server that says 0 has not
 * counted; servers say so before the end.
 */
export function usageOf(chunk: Chunk): Usage {
  const inChoices = (chunk.choices ?? []).map((choice) => choice?.usage);
  const given = [...inChoices, chunk.x_groq?.usage, chunk.usage].map(countsOf);
  return Object.assign({}, ...given);
}

function countsOf(usage: z.infer<typeof usageSchema>): Usage {
  if (!usage) return {};
  const { prompt_tokens_details, prompt_cache_hit_tokens, cached_tokens } = usage;
  const counts = {
    input: usage.prompt_tokens || null,
    cached: prompt_tokens_details?.cached_tokens ?? prompt_cache_hit_tokens ?? cached_tokens,
    cacheWritten: prompt_tokens_details?.cache_write_tokens,
    output: usage.completion_tokens || null,
    reasoning: usage.completion_tokens_details?.reasoning_tokens,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === "number"));
}
