// One question to one OpenAI-compatible model behind a raw server, for the adapter's tests.
import { onTestFinished } from "vitest";
import { ModelError } from "../../src/model/error.ts";
import { createOpenAiCompatible, type OpenAiCompatibleOptions } from "../../src/model/openai-compatible.ts";
import type { Message } from "../../src/protocol/message.ts";
import type { ChatModel, ModelEvent, ModelRequest } from "../../src/protocol/model.ts";
import { type Exchange, event, startRawServer, streamHead } from "../helpers/raw-server.ts";

export const question: ModelRequest = { messages: [{ role: "user", text: "hi" }], tools: [] };

export const plainCompat: OpenAiCompatibleOptions["compat"] = {
  streaming: true,
  streamOptions: true,
  maxCompletionTokens: false,
  developerRole: false,
  parallelToolCalls: true,
  strictSchemas: false,
  toolChoice: true,
  thinkingSwitch: "none",
  reasoningField: "none",
  userAfterTool: false,
  toolName: false,
  shortCallIds: false,
  thinkingOpen: false,
};

interface Outcome {
  events: ModelEvent[];
  /** All text, as it streamed. */
  text: string;
  error: ModelError | undefined;
}

export function modelAt(baseUrl: string, options: Partial<OpenAiCompatibleOptions> = {}): ChatModel {
  return createOpenAiCompatible({
    label: "Test server",
    baseUrl,
    model: "m-1",
    apiKey: "sk-test-1234",
    apiKeyEnv: "TEST_KEY",
    limits: { connectMs: 10_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 10_000 },
    compat: plainCompat,
    ...options,
  });
}

/** Everything the model gives, to its end or its error. Anything thrown that is no ModelError is thrown on. */
export async function collect(
  model: ChatModel,
  request: ModelRequest = question,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const events: ModelEvent[] = [];
  let error: ModelError | undefined;
  try {
    for await (const event of model.stream(request, signal)) events.push(event);
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown;
    error = thrown;
  }
  const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  return { events, text, error };
}

/** A server for this test alone. */
export async function serve(answer: (exchange: Exchange) => void | Promise<void>) {
  const server = await startRawServer(answer);
  onTestFinished(() => server.close());
  return server;
}

/** What comes out when the server writes these pieces and then ends the connection. */
export async function ask(
  pieces: (string | Uint8Array)[],
  options: Partial<OpenAiCompatibleOptions> = {},
  messages: Message[] = [],
): Promise<Outcome> {
  const server = await serve(async ({ write, end }) => {
    await write(...pieces);
    end();
  });
  return collect(modelAt(server.url, options), {
    ...question,
    messages: [...messages, ...question.messages],
  });
}

/** The same for a stream of events; each is a piece. */
export function askStream(data: unknown[], options: Partial<OpenAiCompatibleOptions> = {}): Promise<Outcome> {
  return ask([streamHead, ...data.map(event)], options);
}

export function delta(delta: unknown, finish: string | null = null): unknown {
  return { choices: [{ index: 0, delta, finish_reason: finish }] };
}

export function callDelta(fragment: unknown): unknown {
  return delta({ tool_calls: [fragment] });
}

/** The message of a finished answer; fails the test when there is none. */
export function messageIn({ events, error }: Outcome) {
  const last = events.at(-1);
  if (last?.type !== "done") throw error ?? new Error("the answer did not finish");
  return last;
}
