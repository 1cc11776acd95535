// Ollama's own chat endpoint: requests, answers line by line, and what goes wrong.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toOllamaBody } from "../../src/model/ollama-request.ts";
import type { Message } from "../../src/protocol/message.ts";
import { head } from "../helpers/raw-server.ts";
import { collect, messageIn, plainCompat, question } from "./ask.ts";
import { brokenHistory, soundHistory } from "./histories.ts";
import { ollamaAt, sentTo, serveOllama } from "./ollama-server.ts";

const said = (message: object) => ({ model: "m-1", message: { role: "assistant", ...message }, done: false });
const end = (done_reason = "stop") => ({
  model: "m-1",
  message: { role: "assistant", content: "" },
  done: true,
  done_reason,
  prompt_eval_count: 9,
  eval_count: 4,
});
const called = (path: string, id?: string) => ({
  ...(id === undefined ? {} : { id }),
  function: { name: "read", arguments: { path } },
});

async function ask(lines: unknown[], options: Parameters<typeof ollamaAt>[1] = {}) {
  const server = await serveOllama({ "/api/chat": lines });
  return { ...(await collect(ollamaAt(server.url, options))), requests: server.requests };
}

describe("an answer", () => {
  test("thinking, text, and calls with and without ids", async () => {
    const outcome = await ask([
      said({ content: "", thinking: "hm" }),
      said({ content: "I " }),
      said({ content: "look", tool_calls: [called("a", "call_9"), called("b")] }),
      said({ content: "", tool_calls: [called("c")] }),
      end(),
    ]);
    expect(outcome.events.map(({ type }) => type)).toEqual([
      "reasoning",
      "text",
      "text",
      "tool_call",
      "tool_call",
      "tool_call",
      "done",
    ]);
    const { message, usage, stop } = messageIn(outcome);
    expect(message).toMatchObject({ text: "I look", reasoning: "hm" });
    expect(message.calls.map((call) => call.arguments)).toEqual([
      '{"path":"a"}',
      '{"path":"b"}',
      '{"path":"c"}',
    ]);
    expect(message.calls[0]?.id).toBe("call_9");
    expect(new Set(message.calls.map(({ id }) => id)).size).toBe(3);
    expect({ usage, stop }).toEqual({ usage: { input: 9, output: 4 }, stop: "calls" });
  });

  test("whole, from a server that is not to stream", async () => {
    const outcome = await ask([{ ...end(), message: { role: "assistant", content: "ok" } }], {
      compat: { ...plainCompat, streaming: false },
    });
    expect(messageIn(outcome)).toMatchObject({ stop: "stop", message: { text: "ok" } });
    expect(sentTo(outcome.requests, "/api/chat")).toMatchObject({ stream: false });
  });

  test("with two calls that look as if the one went on with the other", async () => {
    const bare = said({ content: "", tool_calls: [{ function: { name: "list" } }] });
    const { message } = messageIn(await ask([bare, bare, end()]));
    expect(message.calls.map((call) => call.arguments)).toEqual(["{}", "{}"]);
  });

  test("without an end to its last line", async () => {
    const server = await serveOllama({
      "/api/chat": { status: 200, body: { ...end(), message: { content: "ok" } } },
    });
    expect((await collect(ollamaAt(server.url))).text).toBe("ok");
  });

  test("at its limit: calls are not run", async () => {
    const outcome = await ask([said({ content: "", tool_calls: [called("a")] }), end("length")]);
    expect(outcome.events.map(({ type }) => type)).toEqual(["done"]);
    expect(messageIn(outcome).stop).toBe("length");
  });

  test("of an older server, without a reason", async () => {
    const outcome = await ask([said({ content: "ok" }), { done: true }]);
    expect(messageIn(outcome)).toMatchObject({ stop: "stop", usage: {}, message: { text: "ok" } });
  });

  test("is the same however its bytes are cut", async () => {
    const lines = [
      said({ content: "", thinking: "hm 👩" }),
      said({ content: "é\n中" }),
      said({ tool_calls: [called("a\u2028b")] }),
      end(),
    ];
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    let pieces: Uint8Array[] = [];
    const server = await serveOllama({
      "/api/chat": async ({ write, end: close }) => {
        await write(head(200, { "content-type": "application/x-ndjson" }), ...pieces);
        close();
      },
    });
    const model = ollamaAt(server.url);
    pieces = [bytes];
    const { events } = await collect(model);
    expect(events.map(({ type }) => type)).toEqual(["reasoning", "text", "tool_call", "done"]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (places) => {
        const cuts = [0, ...places.sort((a, b) => a - b), bytes.length];
        pieces = cuts.slice(1).map((cut, at) => bytes.subarray(cuts[at], cut));
        expect((await collect(model)).events).toEqual(events);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a failure", () => {
  test("what does not fit is refused, not cut", async () => {
    const server = await serveOllama({
      "/api/chat": {
        status: 400,
        body: {
          error:
            '{"error":{"code":400,"message":"request (351 tokens) exceeds the available context size (256 tokens)","type":"exceed_context_size_error"}}',
        },
      },
    });
    expect((await collect(ollamaAt(server.url))).error).toMatchObject({
      kind: "context_length",
      status: 400,
      retryable: false,
    });
  });

  test("within the answer", async () => {
    const outcome = await ask([said({ content: "He" }), { error: "an error was encountered" }]);
    expect(outcome.text).toBe("He");
    expect(outcome.error).toMatchObject({ kind: "server", retryable: true });
    expect(outcome.error?.message).toContain("an error was encountered");
  });

  test.each<[string, unknown[]]>([
    ["broken off", [said({ content: "He" })]],
    ["broken off after a call", [said({ tool_calls: [called("a")] })]],
    ["without any line", []],
  ])("%s", async (_, lines) => {
    const outcome = await ask(lines);
    expect(outcome.error).toMatchObject({ kind: "incomplete", retryable: true });
    expect(outcome.events.some(({ type }) => type === "tool_call" || type === "done")).toBe(false);
  });

  test("a line that is no JSON", async () => {
    const server = await serveOllama({ "/api/chat": { status: 200, body: '{"message":\n' } });
    expect((await collect(ollamaAt(server.url))).error).toMatchObject({
      kind: "invalid_response",
      retryable: true,
    });
  });
});

describe("a request", () => {
  const bodyOf = (options: Partial<Parameters<typeof toOllamaBody>[0]>, messages: readonly Message[] = []) =>
    toOllamaBody(
      { model: "m-1", contextWindow: 32_768, keepAlive: undefined, compat: plainCompat, ...options },
      { messages: [...question.messages, ...messages], tools: [] },
    );

  test("the profile's further fields stand where Ollama looks for them", () => {
    expect(
      bodyOf({
        maxOutputTokens: 99,
        thinking: false,
        body: { temperature: 0.2, min_p: 0.1, format: "json", options: { top_k: 5, num_ctx: 7 } },
      }),
    ).toMatchObject({
      format: "json",
      think: false,
      options: { temperature: 0.2, min_p: 0.1, top_k: 5, num_predict: 99, num_ctx: 32_768 },
    });
    expect(bodyOf({ body: { min_p: 0.1 } })).not.toHaveProperty("min_p");
  });

  test("a step: arguments as an object, results with the tool's name", () => {
    const step: Message[] = [
      {
        role: "assistant",
        text: "I look",
        reasoning: "hm",
        calls: [{ id: "c1", name: "read", arguments: '{"path":"a"}' }],
      },
      { role: "tool", callId: "c1", outcome: "ok", content: "of a" },
    ];
    const call = { id: "c1", function: { name: "read", arguments: { path: "a" } } };
    const result = { role: "tool", tool_name: "read", tool_call_id: "c1", content: "of a" };
    expect(bodyOf({}, step)).toMatchObject({
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "I look", tool_calls: [call] },
        result,
      ],
    });
    expect(JSON.stringify(bodyOf({}, step))).not.toContain("hm");
    const compat = { ...plainCompat, reasoningField: "reasoning" as const };
    expect(bodyOf({ compat }, step)).toMatchObject({
      messages: [{}, { role: "assistant", thinking: "hm" }, result],
    });
  });

  test("whatever the history, every call is an object and is answered once, right after", () => {
    fc.assert(
      fc.property(fc.oneof(brokenHistory, soundHistory), (messages) => {
        const body = toOllamaBody(
          { model: "m-1", contextWindow: 1, keepAlive: undefined, compat: plainCompat },
          { messages, tools: [] },
        );
        const open: unknown[] = [];
        for (const message of readMessages(body)) {
          if (message.role === "tool")
            expect(open.shift()).toBe(`${message.tool_name} ${message.tool_call_id}`);
          else expect(open).toEqual([]);
          for (const { id, function: fn } of message.tool_calls ?? []) {
            expect(Object.prototype.toString.call(fn.arguments)).toBe("[object Object]");
            open.push(`${fn.name} ${id}`);
          }
          if (message.tool_calls === undefined) expect(message.content.trim()).not.toBe("");
        }
        expect(open).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

interface Sent {
  role: string;
  content: string;
  tool_name?: string;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: unknown } }[];
}

/** The messages as the server reads them. */
function readMessages(body: Record<string, unknown>): Sent[] {
  return JSON.parse(JSON.stringify(body["messages"]));
}
