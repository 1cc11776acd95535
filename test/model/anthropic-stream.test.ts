// Answers of Anthropic's API as they stream: text, thinking, calls, counts, and what other servers make of the protocol.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerValues } from "../../src/model/answer-body.ts";
import { createAnthropicAnswer } from "../../src/model/anthropic-answer.ts";
import { createWatch } from "../../src/model/watch.ts";
import type { ModelEvent } from "../../src/protocol/model.ts";
import { event, head, streamHead } from "../helpers/raw-server.ts";
import {
  anthropicAt,
  askAnthropic,
  askEvents,
  begin,
  block,
  blockEnd,
  delta,
  finish,
  KEY,
  namedEvent,
  stopping,
  text,
  thinking,
  toolUse,
} from "./anthropic-ask.ts";
import { collect, messageIn, question, serve } from "./ask.ts";

const ping = { type: "ping" };

test("text", async () => {
  const outcome = await askEvents([begin, ping, ...text(0, "Hel", "lo"), ping, ...finish("end_turn")]);
  expect(outcome.events).toEqual([
    { type: "text", text: "Hel" },
    { type: "text", text: "lo" },
    {
      type: "done",
      message: { role: "assistant", text: "Hello", calls: [] },
      usage: { input: 3210, cached: 3000, cacheWritten: 200, output: 15 },
      stop: "stop",
    },
  ]);
});

test("thinking, text and calls; the thinking is carried", async () => {
  const outcome = await askEvents([
    begin,
    ...thinking(0, "hm", "sig"),
    block(1, { type: "redacted_thinking", data: "xyz" }),
    blockEnd(1),
    ...text(2, "I look"),
    ...toolUse(3, "toolu_1", "", '{"path"', ':"a"}'),
    ...toolUse(4, "toolu_2"),
    ...finish("tool_use"),
  ]);
  const calls = [
    { id: "toolu_1", name: "read", arguments: '{"path":"a"}' },
    { id: "toolu_2", name: "read", arguments: "{}" },
  ];
  expect(outcome.events.slice(0, 4)).toEqual([
    { type: "reasoning", text: "hm" },
    { type: "text", text: "I look" },
    { type: "tool_call", call: calls[0] },
    { type: "tool_call", call: calls[1] },
  ]);
  expect(messageIn(outcome)).toMatchObject({
    stop: "calls",
    message: {
      role: "assistant",
      text: "I look",
      reasoning: "hm",
      carried: {
        provider: "anthropic",
        model: "m-1",
        blocks: [
          { type: "thinking", thinking: "hm", signature: "sig" },
          { type: "redacted_thinking", data: "xyz" },
        ],
      },
      calls,
    },
  });
});

test("what was thought goes back byte for byte, and in its place between the calls", async () => {
  const answered = messageIn(
    await askEvents([
      begin,
      ...thinking(0, "a", "s1"),
      ...text(1, "one"),
      ...toolUse(2, "toolu_1", "{}"),
      ...thinking(3, "", "s2"),
      ...toolUse(4, "toolu_2", "{}"),
      ...finish("tool_use"),
    ]),
  );
  const { requests } = await askAnthropic(
    [streamHead, ...[begin, ...text(0, "ok"), ...finish("end_turn")].map(namedEvent)],
    {},
    {
      tools: [],
      messages: [
        ...question.messages,
        answered.message,
        { role: "tool", callId: "toolu_1", outcome: "ok", content: "x" },
        { role: "tool", callId: "toolu_2", outcome: "ok", content: "y" },
      ],
    },
  );
  const { messages } = JSON.parse(requests[0]?.body ?? "");
  expect(messages[1].content).toEqual([
    { type: "thinking", thinking: "a", signature: "s1" },
    { type: "text", text: "one" },
    { type: "tool_use", id: "toolu_1", name: "read", input: {} },
    { type: "thinking", thinking: "", signature: "s2" },
    { type: "tool_use", id: "toolu_2", name: "read", input: {} },
  ]);
});

describe("how it stopped", () => {
  test.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["something_new", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "filtered"],
  ])("%s is %s", async (reason, stop) => {
    const outcome = await askEvents([begin, ...text(0, "ok"), ...finish(reason)]);
    expect(messageIn(outcome).stop).toBe(stop);
  });

  test("at the limit within a call: the call is never run", async () => {
    const outcome = await askEvents([begin, ...toolUse(0, "toolu_1", '{"pa'), ...finish("max_tokens")]);
    expect(outcome.events.map(({ type }) => type)).toEqual(["done"]);
    expect(messageIn(outcome)).toMatchObject({
      stop: "length",
      message: { calls: [{ id: "toolu_1", arguments: '{"pa' }] },
    });
  });

  test("calls count whatever is said", async () => {
    const outcome = await askEvents([begin, ...toolUse(0, "toolu_1", "{}"), ...finish("end_turn")]);
    expect(messageIn(outcome)).toMatchObject({ stop: "calls", message: { calls: [{ id: "toolu_1" }] } });
  });

  test("a paused turn is not taken for an answer", async () => {
    const outcome = await askEvents([begin, ...text(0, "First I"), ...finish("pause_turn")]);
    expect(outcome.error).toMatchObject({ kind: "incomplete", retryable: true });
    const withCalls = await askEvents([begin, ...toolUse(0, "toolu_1", "{}"), ...finish("pause_turn")]);
    expect(messageIn(withCalls).stop).toBe("calls");
  });

  test("what was said once holds", async () => {
    const later = { type: "message_delta", delta: {}, usage: { output_tokens: 16 } };
    const outcome = await askEvents([begin, ...text(0, "ok"), stopping("max_tokens"), later]);
    expect(messageIn(outcome)).toMatchObject({ stop: "length", usage: { output: 16 } });
  });

  test("without message_stop, and without the connection's end", async () => {
    const server = await serve(({ write }) =>
      write(streamHead, ...[begin, ...text(0, "ok"), stopping("end_turn")].map(namedEvent)),
    );
    const outcome = await collect(anthropicAt(server.url));
    expect(messageIn(outcome)).toMatchObject({ stop: "stop", message: { text: "ok" } });
  });
});

describe("what other servers send", () => {
  test("unknown events, blocks and pieces", async () => {
    const outcome = await askEvents([
      begin,
      { type: "something_new" },
      block(0, { type: "server_tool_use", id: "srv_1", name: "web_search", input: {}, text: "no" }),
      delta(0, { type: "input_json_delta", partial_json: '{"query":"x"}' }),
      delta(0, { type: "text_delta", text: "no" }),
      blockEnd(0),
      block(1, { type: "text", text: "" }),
      delta(1, { type: "citations_delta", citation: { cited_text: "x" } }),
      delta(1, { type: "text_delta", text: "ok" }),
      delta(7, { type: "text_delta", text: "no" }),
      ...finish("end_turn"),
    ]);
    expect(outcome.text).toBe("ok");
    expect(messageIn(outcome).message).toEqual({ role: "assistant", text: "ok", calls: [] });
  });

  test("blocks that all have one index, or none", async () => {
    const both = { type: "content_block_start", content_block: { type: "text", text: "b" } };
    const piece = { type: "content_block_delta", delta: { type: "text_delta", text: "c" } };
    const outcome = await askEvents([
      begin,
      ...text(0, "a"),
      ...toolUse(0, "toolu_1", '{"path":"a"}'),
      ...toolUse(0, "toolu_2", '{"path":"b"}'),
      both,
      piece,
      ...finish("tool_use"),
    ]);
    expect(messageIn(outcome).message).toMatchObject({
      text: "abc",
      calls: [
        { id: "toolu_1", arguments: '{"path":"a"}' },
        { id: "toolu_2", arguments: '{"path":"b"}' },
      ],
    });
  });

  test("a call that is whole at once, one without id, one whose id is taken", async () => {
    const outcome = await askEvents([
      begin,
      block(0, { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } }),
      block(1, { type: "tool_use", name: "read" }),
      block(2, { type: "tool_use", id: "toolu_1", name: "read" }),
      ...finish("tool_use"),
    ]);
    const { calls } = messageIn(outcome).message;
    expect(calls[0]).toEqual({ id: "toolu_1", name: "read", arguments: '{"path":"a"}' });
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
    expect(calls.every(({ id }) => id !== "")).toBe(true);
  });

  test("fields of other types do no harm", async () => {
    const outcome = await askEvents([
      { ...begin, message: null },
      block(0, { type: "text", text: null }),
      delta(0, { type: "text_delta", text: "ok" }),
      delta(0, { type: "text_delta", text: 7 }),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: "many" },
    ]);
    expect(messageIn(outcome)).toMatchObject({ usage: {}, message: { text: "ok" } });
  });

  test.each<[string, unknown, unknown, unknown]>([
    [
      "only at the end",
      { input_tokens: 0, output_tokens: 0 },
      { input_tokens: 9, output_tokens: 4 },
      { input: 9, output: 4 },
    ],
    ["at the end as 0", { input_tokens: 9 }, { input_tokens: 0, output_tokens: 4 }, { input: 9, output: 4 }],
    [
      "with the tokens of thinking",
      { input_tokens: 9 },
      { output_tokens: 4, output_tokens_details: { thinking_tokens: 3 } },
      { input: 9, output: 4, reasoning: 3 },
    ],
    ["nowhere", undefined, undefined, {}],
  ])("counts %s", async (_, first, last, usage) => {
    const outcome = await askEvents([
      { type: "message_start", message: { usage: first } },
      ...text(0, "ok"),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: last },
    ]);
    expect(messageIn(outcome).usage).toEqual(usage);
  });

  test("a JSON body instead of a stream", async () => {
    const body = JSON.stringify({
      type: "message",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "text", text: "ok" },
        { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 9, output_tokens: 4 },
    });
    const outcome = await askAnthropic([head(200, { "content-type": "application/json" }), body], {
      compat: { promptCache: true, streaming: false, toolChoice: true },
    });
    expect(outcome.events.map(({ type }) => type)).toEqual(["reasoning", "text", "tool_call", "done"]);
    expect(messageIn(outcome)).toMatchObject({
      stop: "calls",
      usage: { input: 9, output: 4 },
      message: { text: "ok", calls: [{ id: "toolu_1", arguments: '{"path":"a"}' }] },
    });
    expect(JSON.parse(outcome.requests[0]?.body ?? "")).toMatchObject({ stream: false });
  });
});

test("the request has exactly our headers, and a base URL may end in /v1 or not", async () => {
  const answer = [streamHead, ...[begin, ...text(0, "ok"), ...finish("end_turn")].map(namedEvent)];
  const server = await serve(async ({ write, end }) => {
    await write(...answer);
    end();
  });
  await collect(anthropicAt(server.url, { headers: { "anthropic-beta": "b-1" } }));
  await collect(anthropicAt(server.url.replace("/v1", ""), { apiKey: undefined }));
  expect(server.requests.map(({ line }) => line)).toEqual(Array(2).fill("POST /v1/messages HTTP/1.1"));
  const sent = server.requests.map(({ headers }) => headers);
  const transport = [
    "host",
    "connection",
    "content-length",
    "accept-encoding",
    "accept-language",
    "sec-fetch-mode",
  ];
  const ours = sent.map((headers) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !transport.includes(name))),
  );
  const always = {
    accept: "text/event-stream, application/json",
    "anthropic-version": "2023-06-01",
    "content-type": "application/json",
    "user-agent": "minicode",
  };
  expect(ours).toEqual([{ ...always, "x-api-key": KEY, "anthropic-beta": "b-1" }, always]);
});

const piece = fc.string({ unit: "grapheme", maxLength: 6 });
interface Content {
  events(index: number): { type: string }[];
  text?: string;
  json?: string;
}
const content: fc.Arbitrary<Content> = fc.oneof(
  fc
    .array(piece, { maxLength: 3 })
    .map((pieces) => ({ events: (index: number) => text(index, ...pieces), text: pieces.join("") })),
  fc.tuple(fc.uuid(), fc.json({ maxDepth: 1 }), fc.nat(20)).map(([id, json, at]) => ({
    events: (index: number) => toolUse(index, id, json.slice(0, at), json.slice(at)),
    json,
  })),
  fc
    .tuple(piece, piece)
    .map(([thought, signature]) => ({ events: (index: number) => thinking(index, thought, signature) })),
  piece.map((data) => ({
    events: (index: number) => [block(index, { type: "redacted_thinking", data }), blockEnd(index)],
  })),
);
const stream = fc
  .record({
    contents: fc.array(content, { maxLength: 4 }),
    reason: fc.constantFrom("end_turn", "tool_use", "max_tokens", "refusal"),
    pings: fc.boolean(),
    lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
    named: fc.boolean(),
  })
  .map(({ contents, reason, pings, lineEnd, named }) => {
    const events = [begin, ...contents.flatMap((one, at) => one.events(at)), ...finish(reason)];
    const written = events
      .flatMap((data) => (pings ? [": alive\n\n", namedEvent(ping), data] : [data]))
      .map((data) => (typeof data === "string" ? data : named ? namedEvent(data) : event(data)))
      .join("")
      .replaceAll("\n", lineEnd);
    return {
      written,
      text: contents.map((one) => one.text ?? "").join(""),
      arguments: contents.flatMap(({ json }) => (json === undefined ? [] : [json])),
    };
  });

async function read(pieces: Uint8Array[]): Promise<ModelEvent[]> {
  const server = { label: "Test server", baseUrl: "http://x", model: "m-1", apiKey: undefined };
  const watch = createWatch(
    { connectMs: 10_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 10_000 },
    new AbortController().signal,
  );
  const answer = createAnthropicAnswer(server, new Set());
  const events: ModelEvent[] = [];
  for await (const value of answerValues(new Response(ReadableStream.from(pieces)), server, watch))
    events.push(...answer.take(value));
  events.push(...answer.end());
  watch.close();
  return events;
}

test("any stream gives what is in it, and the same events however its bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(stream, fc.array(fc.nat(), { maxLength: 6 }), async (answer, places) => {
      const bytes = Buffer.from(answer.written);
      const cuts = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
      const pieces = [...cuts, bytes.length].map((cut, at) => bytes.subarray(cuts[at - 1] ?? 0, cut));
      const expected = await read([bytes]);
      expect(expected.at(-1)).toMatchObject({
        type: "done",
        message: { text: answer.text, calls: answer.arguments.map((json) => ({ arguments: json })) },
      });
      expect(await read(pieces.filter(({ length }) => length > 0))).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});
