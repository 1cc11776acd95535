// The port to every model: one request in, one stream of events out. Implemented in src/model/, used by src/agent/.
import * as z from "zod";
import type { AssistantMessage, Message, ToolCall } from "./message.ts";

/** A tool as a model is told of it; `parameters` is JSON Schema. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface ModelRequest {
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  /** The tool that must be called, where the server can be told so. Used by `doctor` only. */
  forceTool?: string;
}

/** Token counts of one request; a count the server did not give is absent, never 0. */
export const usageSchema = z.strictObject({
  input: z.number().optional(),
  /** Of `input`, what the server had in its cache. */
  cached: z.number().optional(),
  /** Of `input`, what the server wrote to its cache, where that has a price of its own. */
  cacheWritten: z.number().optional(),
  output: z.number().optional(),
  reasoning: z.number().optional(),
});
export type Usage = z.infer<typeof usageSchema>;

/** Why the model stopped: a finished text, calls to run, its output limit (calls are then never run), or a filter. */
export const stopReasonSchema = z.enum(["stop", "calls", "length", "filtered"]);
export type StopReason = z.infer<typeof stopReasonSchema>;

/** `tool_call` comes only when the call is whole; `done` comes once, last. */
export type ModelEvent =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "tool_call"; call: ToolCall }
  | { type: "done"; message: AssistantMessage; usage: Usage; stop: StopReason };

export interface ChatModel {
  /** The model's name as the server knows it, for headers and receipts. */
  readonly name: string;
  /** Streams one answer. Throws a `ModelError` (src/model/error.ts) and nothing else; stops at once when `signal` aborts. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
