// One question to one model behind Anthropic's API, on a raw server; for the adapter's tests.
import { type AnthropicOptions, createAnthropic } from "../../src/model/anthropic.ts";
import type { ChatModel } from "../../src/protocol/model.ts";
import { streamHead } from "../helpers/raw-server.ts";
import { collect, question, serve } from "./ask.ts";

export const KEY = "sk-ant-test-1234";

/** The data of an event. */
interface EventData {
  type: string;
  [field: string]: unknown;
}

export function anthropicAt(baseUrl: string, options: Partial<AnthropicOptions> = {}): ChatModel {
  return createAnthropic({
    label: "Test server",
    baseUrl,
    model: "m-1",
    apiKey: KEY,
    apiKeyEnv: "TEST_KEY",
    limits: { connectMs: 10_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 10_000 },
    compat: { promptCache: true, streaming: true, toolChoice: true },
    ...options,
  });
}

/** What comes out when the server writes these pieces and then ends the connection. */
export async function askAnthropic(
  pieces: (string | Uint8Array)[],
  options: Partial<AnthropicOptions> = {},
  request = question,
) {
  const server = await serve(async ({ write, end }) => {
    await write(...pieces);
    end();
  });
  return { ...(await collect(anthropicAt(server.url, options), request)), requests: server.requests };
}

/** The same for a stream of events; each is a piece. */
export function askEvents(data: EventData[], options: Partial<AnthropicOptions> = {}) {
  return askAnthropic([streamHead, ...data.map(namedEvent)], options);
}

/** An event as the real server writes it. */
export function namedEvent(data: EventData): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

export const begin = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: [],
    model: "m-1",
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 200,
      cache_read_input_tokens: 3000,
      output_tokens: 1,
    },
  },
};

export function block(index: number, content: unknown): EventData {
  return { type: "content_block_start", index, content_block: content };
}

export function delta(index: number, piece: unknown): EventData {
  return { type: "content_block_delta", index, delta: piece };
}

export function blockEnd(index: number): EventData {
  return { type: "content_block_stop", index };
}

export function text(index: number, ...pieces: string[]): EventData[] {
  return [
    block(index, { type: "text", text: "" }),
    ...pieces.map((piece) => delta(index, { type: "text_delta", text: piece })),
    blockEnd(index),
  ];
}

export function toolUse(index: number, id: string, ...pieces: string[]): EventData[] {
  return [
    block(index, { type: "tool_use", id, name: "read", input: {} }),
    ...pieces.map((piece) => delta(index, { type: "input_json_delta", partial_json: piece })),
    blockEnd(index),
  ];
}

export function thinking(index: number, thought: string, signature: string): EventData[] {
  return [
    block(index, { type: "thinking", thinking: "", signature: "" }),
    delta(index, { type: "thinking_delta", thinking: thought }),
    delta(index, { type: "signature_delta", signature }),
    blockEnd(index),
  ];
}

export function finish(reason: string, output = 15): EventData[] {
  return [stopping(reason, output), { type: "message_stop" }];
}

export function stopping(reason: string, output = 15): EventData {
  return {
    type: "message_delta",
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: output },
  };
}
