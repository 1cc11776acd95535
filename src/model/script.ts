// The JSON script of the scripted model, and whether a step expects the request it gets. Played by src/model/scripted.ts, made
// from a record by src/cli/script-of-record.ts.
import * as z from "zod";
import { callOutcomeSchema, type ToolMessage } from "../protocol/message.ts";
import { type ModelRequest, stopReasonSchema, usageSchema } from "../protocol/model.ts";
import { modeSchema } from "../protocol/record.ts";
import { modelErrorKindSchema } from "./error.ts";

const textsSchema = z.union([z.string(), z.array(z.string())]);

/** What a step expects of the request it answers; every part that is given must hold. */
const whenSchema = z.strictObject({
  /** Role of the last message. */
  lastRole: z.enum(["system", "user", "assistant", "tool"]).optional(),
  /** Texts that the last message holds. */
  lastContains: textsSchema.optional(),
  /** Outcome of the last tool result. */
  toolOutcome: callOutcomeSchema.optional(),
  /** The results of the calls before this request, all of them, in call order. */
  results: z
    .array(z.strictObject({ outcome: callOutcomeSchema, contains: textsSchema.optional() }))
    .optional(),
  /** Texts that the last user message holds. */
  lastUserContains: textsSchema.optional(),
  /** Which request this is, counted from 0 over the whole script. */
  stepIndex: z.number().int().nonnegative().optional(),
});
export type When = z.infer<typeof whenSchema>;

const scriptStepSchema = z.strictObject({
  when: whenSchema.optional(),
  /** How many messages, the system's left out, stood before this answer: where to begin in a session that is gone on with. */
  messages: z.number().int().positive().optional(),
  reasoning: z.string().optional(),
  text: z.string().optional(),
  /** Arguments as an object, or as raw text to be wrong on purpose. */
  calls: z
    .array(
      z.strictObject({
        name: z.string(),
        arguments: z.union([z.string(), z.record(z.string(), z.unknown())]),
        id: z.string().optional(),
      }),
    )
    .optional(),
  /** Milliseconds before each piece of text, or before the end when there is no text. */
  delayMs: z.number().int().nonnegative().optional(),
  /** Streams the text in pieces of this many characters. */
  chunk: z.number().int().positive().optional(),
  /** Fails with this after the text. */
  error: z
    .strictObject({
      kind: modelErrorKindSchema,
      status: z.number().int().optional(),
      message: z.string().optional(),
      retryAfterMs: z.number().nonnegative().optional(),
    })
    .optional(),
  usage: usageSchema.optional(),
  stop: stopReasonSchema.optional(),
  /** Answers every request that fits `when`; the first that does not goes to the next step. */
  repeat: z.literal(true).optional(),
});
export type ScriptStep = z.infer<typeof scriptStepSchema>;

export const scriptSchema = z
  .strictObject({
    name: z.string().optional(),
    /** For people: what was asked in the recorded session, and the words that were typed to its panels. */
    tasks: z
      .array(
        z.strictObject({
          text: z.string(),
          mode: modeSchema,
          guided: z.boolean(),
          words: z.array(z.string()),
        }),
      )
      .optional(),
    steps: z.array(scriptStepSchema).min(1),
  })
  .refine(
    (script) =>
      script.steps.slice(0, -1).every((step) => step.repeat === undefined || step.when !== undefined),
    {
      message: "a repeated step without `when` is never left, so it must be the last",
      path: ["steps"],
    },
  );

export type Script = z.infer<typeof scriptSchema>;

/** What of `when` the request does not fulfil, as "expected …, got …"; undefined when it fits. `index` counts requests from 0. */
export function mismatch(when: When, request: ModelRequest, index: number): string | undefined {
  const last = request.messages.at(-1);
  const lastUser = request.messages.findLast((message) => message.role === "user");
  const lastTool = request.messages.findLast((message) => message.role === "tool");
  if (when.stepIndex !== undefined && when.stepIndex !== index) {
    return `expected request ${when.stepIndex}, got request ${index}`;
  }
  if (when.lastRole !== undefined && when.lastRole !== last?.role) {
    return `expected the last message to be of "${when.lastRole}", got "${last?.role}"`;
  }
  if (when.toolOutcome !== undefined && when.toolOutcome !== lastTool?.outcome) {
    return `expected the last tool result to be "${when.toolOutcome}", got ${lastTool === undefined ? "none" : `"${lastTool.outcome}": ${excerpt(lastTool.content)}`}`;
  }
  const results = when.results && resultsMismatch(when.results, resultsIn(request));
  if (results !== undefined) return results;
  const text = last === undefined ? "" : last.role === "tool" ? last.content : last.text;
  return (
    lacks("the last message", when.lastContains, text) ??
    lacks("the last user message", when.lastUserContains, lastUser?.text ?? "")
  );
}

/** The results behind the last answer. */
function resultsIn({ messages }: ModelRequest): ToolMessage[] {
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(answer + 1).filter((message) => message.role === "tool");
}

function resultsMismatch(
  wanted: NonNullable<When["results"]>,
  results: readonly ToolMessage[],
): string | undefined {
  if (wanted.length !== results.length) return `expected ${wanted.length} results, got ${results.length}`;
  const faults = wanted.map(({ outcome, contains }, i) => {
    const got = results[i];
    const what = `result ${i + 1}`;
    return got?.outcome === outcome
      ? lacks(what, contains, got.content)
      : `expected ${what} to be "${outcome}", got "${got?.outcome}": ${excerpt(got?.content ?? "")}`;
  });
  return faults.find((fault) => fault !== undefined);
}

function lacks(
  what: string,
  wanted: z.infer<typeof textsSchema> | undefined,
  text: string,
): string | undefined {
  const missing = [wanted ?? []].flat().find((part) => !text.includes(part));
  return missing === undefined
    ? undefined
    : `expected ${what} to hold ${excerpt(missing)}, got ${excerpt(text)}`;
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text);
}
