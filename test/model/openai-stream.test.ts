// Streams as servers really send them: framing, odd fields, calls in pieces (cases S01 to S04).
import { describe, expect, test } from "vitest";
import { event, head, streamHead } from "../helpers/raw-server.ts";
import { ask, askStream, callDelta, collect, delta, messageIn, modelAt, question, serve } from "./ask.ts";

const call = (index: unknown, id: unknown, name: unknown, args: unknown): unknown =>
  callDelta({ index, id, type: "function", function: { name, arguments: args } });
const calls = delta({}, "tool_calls");
/** The answer of a server that does not stream. */
const whole = (message: unknown, finish = "stop"): unknown => ({
  choices: [{ message, finish_reason: finish }],
});

describe("S01: every call has index 0", () => {
  test("two whole calls with ids of their own", async () => {
    const outcome = await askStream([
      call(0, "c1", "read", '{"path":"a"}'),
      call(0, "c2", "read", '{"path":"b"}'),
      calls,
      "[DONE]",
    ]);
    const expected = [
      { id: "c1", name: "read", arguments: '{"path":"a"}' },
      { id: "c2", name: "read", arguments: '{"path":"b"}' },
    ];
    expect(outcome.error).toBeUndefined();
    expect(outcome.events.flatMap((event) => (event.type === "tool_call" ? [event.call] : []))).toEqual(
      expected,
    );
    expect(messageIn(outcome)).toMatchObject({ stop: "calls", message: { calls: expected } });
  });

  test.each<[string, unknown[], [string, string][]]>([
    [
      "whole calls without ids",
      [call(0, null, "read", '{"path":"a"}'), call(0, null, "read", '{"path":"b"}')],
      [
        ["read", '{"path":"a"}'],
        ["read", '{"path":"b"}'],
      ],
    ],
    [
      "no index at all, in pieces",
      [
        call(undefined, "c1", "read", '{"pa'),
        call(undefined, null, null, 'th":"a"}'),
        call(undefined, "c2", "list", "{}"),
      ],
      [
        ["read", '{"path":"a"}'],
        ["list", "{}"],
      ],
    ],
    [
      "pieces of two calls mixed",
      [
        call(0, "c1", "read", ""),
        call(1, "c2", "list", ""),
        call(0, "", "", '{"a":1}'),
        call(1, "", "", '{"b":2}'),
      ],
      [
        ["read", '{"a":1}'],
        ["list", '{"b":2}'],
      ],
    ],
    [
      "the name repeated on every piece",
      [call(0, "c1", "read", '{"path"'), call(0, null, "read", ':"a"}'), call(0, null, "read", "")],
      [["read", '{"path":"a"}']],
    ],
    [
      "id and name repeated on every piece",
      [call(0, "c1", "read", '{"path"'), call(0, "c1", "read", ':"a"}')],
      [["read", '{"path":"a"}']],
    ],
    [
      "the id after the name",
      [call(0, null, "read", ""), call(0, "c1", null, '{"path":"a"}')],
      [["read", '{"path":"a"}']],
    ],
    [
      "pieces numbered instead of calls",
      [call(0, "c1", "read", '{"path"'), call(1, null, null, ':"a"'), call(2, "c1", null, "}")],
      [["read", '{"path":"a"}']],
    ],
    [
      "one id for all calls",
      [call(0, "x", "read", '{"path":"a"}'), call(1, "x", "read", '{"path":"b"}')],
      [
        ["read", '{"path":"a"}'],
        ["read", '{"path":"b"}'],
      ],
    ],
    [
      "several calls in one chunk, arguments as an object",
      [
        delta({
          tool_calls: [
            { index: 0, id: "c1", function: { name: "read", arguments: { path: "a" } } },
            null,
            { index: 1, id: "c2", function: { name: "list" } },
          ],
        }),
      ],
      [
        ["read", '{"path":"a"}'],
        ["list", "{}"],
      ],
    ],
    [
      "several without numbers, piece by piece, by their places",
      [
        delta({ tool_calls: [{ function: { name: "read" } }, { function: { name: "list" } }] }),
        delta({ tool_calls: [{ function: { arguments: '{"path":' } }, { function: { arguments: "{" } }] }),
        delta({ tool_calls: [{ function: { arguments: '"a"}' } }, { function: { arguments: "}" } }] }),
      ],
      [
        ["read", '{"path":"a"}'],
        ["list", "{}"],
      ],
    ],
    [
      "a second call that begins under the first one's number",
      [
        call(0, "c1", "read", '{"path":"a"}'),
        call(0, "c2", "read", ""),
        call(1, null, null, '{"path":'),
        call(1, null, null, '"b"}'),
      ],
      [
        ["read", '{"path":"a"}'],
        ["read", '{"path":"b"}'],
      ],
    ],
    [
      "one id and one number for all calls",
      [call(0, "x", "read", '{"path":"a"}'), call(0, "x", "read", '{"path":"b"}')],
      [
        ["read", '{"path":"a"}'],
        ["read", '{"path":"b"}'],
      ],
    ],
    [
      "name and arguments without a function around them",
      [
        callDelta({ id: "c1", name: "read", arguments: '{"path":' }),
        callDelta({ id: "c1", arguments: '"a"}' }),
      ],
      [["read", '{"path":"a"}']],
    ],
    [
      "the old form of one call",
      [
        delta({ function_call: { name: "read", arguments: '{"path"' } }),
        delta({ function_call: { arguments: ':"a"}' } }),
      ],
      [["read", '{"path":"a"}']],
    ],
    [
      "text and calls in choices of their own",
      [
        {
          choices: [
            { index: 0, delta: { content: "I look." } },
            { index: 1, delta: { tool_calls: [{ index: 0, id: "c1", function: { name: "list" } }] } },
          ],
        },
      ],
      [["list", "{}"]],
    ],
    [
      "everything so far with every piece",
      ['{"path"', '{"path":"a', '{"path":"a"}'].map((json) => call(0, "c1", "read", json)),
      [["read", '{"path":"a"}']],
    ],
    [
      "everything once more at the end",
      ['{"path"', ':"a"}', '{"path":"a"}'].map((json, n) =>
        call(0, n === 0 ? "c1" : null, n === 0 ? "read" : null, json),
      ),
      [["read", '{"path":"a"}']],
    ],
    [
      "the same three times",
      [1, 2, 3].map(() => call(0, "c1", "read", '{"path":"a"}')),
      [["read", '{"path":"a"}']],
    ],
    [
      "an empty object first",
      [call(0, "c1", "read", "{}"), call(0, null, null, '{"path"'), call(0, null, null, ':"a"}')],
      [["read", '{"path":"a"}']],
    ],
    [
      "an object that repeats itself inside",
      [call(0, "c1", "read", '{"a":'), call(0, null, null, '{"a":1}'), call(0, null, null, "}")],
      [["read", '{"a":{"a":1}}']],
    ],
    [
      "an empty piece first",
      [callDelta({ index: 0 }), call(0, "c1", "read", '{"path":"a"}')],
      [["read", '{"path":"a"}']],
    ],
  ])("%s", async (_, chunks, expected) => {
    const { message } = messageIn(await askStream([...chunks, calls, "[DONE]"]));
    expect(message.calls.map((call) => [call.name, call.arguments])).toEqual(expected);
    expect(new Set(message.calls.map((call) => call.id)).size).toBe(expected.length);
  });

  test("ids that are missing or used before get new ones, the same each time", async () => {
    const before = [
      { role: "assistant" as const, text: "", calls: [{ id: "call_0", name: "read", arguments: "{}" }] },
      { role: "tool" as const, callId: "call_0", outcome: "ok" as const, content: "x" },
    ];
    const pieces = [
      streamHead,
      event(call(0, "call_0", "read", '{"path":"a"}')),
      event(call(1, null, "read", '{"path":"b"}')),
      event(calls),
    ];
    const first = messageIn(await ask(pieces, {}, before));
    expect(first.message.calls.map((call) => call.id)).toEqual(["call00002", "call00003"]);
    expect(messageIn(await ask(pieces, {}, before))).toEqual(first);
  });
});

describe("S02: empty and broken arguments", () => {
  test.each([
    ["empty", call(0, "c1", "list", ""), "{}"],
    ["never sent", callDelta({ index: 0, id: "c1", function: { name: "list" } }), "{}"],
    ["null", call(0, "c1", "list", null), "{}"],
    ["broken, kept as it came", call(0, "c1", "read", '{"path": '), '{"path": '],
  ])("%s", async (_, chunk, args) => {
    const { message, stop } = messageIn(await askStream([chunk, calls]));
    expect(message.calls).toMatchObject([{ id: "c1", arguments: args }]);
    expect(stop).toBe("calls");
  });
});

describe("S03: cut off by the output limit", () => {
  test.each([
    ["a text field", '{"path":"big.txt","old":"","new":"hello wor'],
    ["a command", '{"command":"rm -r build'],
    ["a list", '{"files":["a","b"'],
    ["arguments that look whole", '{"path":"a"}'],
  ])("%s", async (_, args) => {
    const outcome = await askStream([call(0, "c1", "patch", args), delta({}, "length"), "[DONE]"]);
    expect(outcome.error).toBeUndefined();
    expect(outcome.events.some((event) => event.type === "tool_call")).toBe(false);
    expect(messageIn(outcome)).toMatchObject({ stop: "length", message: { calls: [{ arguments: args }] } });
  });
});

describe("S04: framing", () => {
  test("comments, no space, CRLF, a split character, null, no delta, usage at the end", async () => {
    const [before, after] = splitIn(
      "café",
      Buffer.from('data:{"choices":[{"index":0,"delta":{"content":"café"}}]}\r\n\r\n'),
    );
    const outcome = await ask([
      streamHead,
      ": OPENROUTER PROCESSING\r\n\r\n",
      before,
      after,
      "data: null\n\n",
      event({ choices: [{ index: 0 }] }),
      event(delta({}, "stop")),
      event({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } }),
      event("[DONE]"),
    ]);
    expect(outcome.error).toBeUndefined();
    expect(outcome.text).toBe("café");
    expect(messageIn(outcome)).toEqual({
      type: "done",
      message: { role: "assistant", text: "café", calls: [] },
      usage: { input: 10, output: 2 },
      stop: "stop",
    });
  });

  test("events without data, of other kinds and with other fields", async () => {
    const outcome = await ask([
      streamHead,
      "retry: 3000\n\n",
      "event: ping\n\n",
      "data:\n\n",
      "event: ping\ndata: {}\n\n",
      "id: 7\nevent: message\n",
      event(delta({ content: "hi" }, "stop")),
    ]);
    expect(outcome.error).toBeUndefined();
    expect(outcome.text).toBe("hi");
  });

  test("a byte order mark, bare CRs, an end without a blank line, two values in one event", async () => {
    const two = `data: ${JSON.stringify(delta({ content: "b" }))}\ndata: ${JSON.stringify(delta({ content: "c" }))}\n\n`;
    const outcome = await ask([
      streamHead,
      `\ufeff${event(delta({ content: "a" })).replaceAll("\n", "\r")}`,
      two,
      event(delta({ content: "d" }, "stop")).trimEnd(),
    ]);
    expect(outcome.error).toBeUndefined();
    expect(outcome.text).toBe("abcd");
  });

  test.each([
    ["events called JSON", "application/json", event(delta({ content: "hi" }, "stop"))],
    ["events called a page", "text/html", event(delta({ content: "hi" }, "stop"))],
    ["JSON called a stream", "text/event-stream", JSON.stringify(whole({ content: "hi" }))],
    ["JSON called nothing", undefined, `\n ${JSON.stringify(whole({ content: "hi" }), null, 2)}`],
    [
      "a value per line",
      "text/plain",
      [delta({ content: "h" }), delta({ content: "i" }, "stop")]
        .map((line) => JSON.stringify(line))
        .join("\n"),
    ],
  ])("%s are read as what they are", async (_, type, body) => {
    const outcome = await ask([head(200, type === undefined ? {} : { "content-type": type }), body]);
    expect(outcome.error).toBeUndefined();
    expect(messageIn(outcome).message.text).toBe("hi");
  });
});

describe("other things servers do", () => {
  test("stop together with calls: the calls count", async () => {
    const outcome = await askStream([call(0, "c1", "read", "{}"), delta({}, "stop")]);
    expect(messageIn(outcome)).toMatchObject({ stop: "calls", message: { calls: [{ id: "c1" }] } });
  });

  test("reasoning under either name, once", async () => {
    const outcome = await askStream([
      delta({ reasoning: "a" }),
      delta({ reasoning_content: "b", reasoning: "b", content: null }),
      delta({ content: "ok" }, "stop"),
    ]);
    expect(messageIn(outcome).message).toEqual({ role: "assistant", text: "ok", reasoning: "ab", calls: [] });
    expect(outcome.events.map((event) => event.type)).toEqual(["reasoning", "reasoning", "text", "done"]);
  });

  test("content as an array of parts, and a refusal", async () => {
    const parts = [{ type: "text", text: "a" }, { type: "image" }, 3, { type: "text", text: "b" }];
    expect((await askStream([delta({ content: parts }), delta({ refusal: "c" }, "stop")])).text).toBe("abc");
  });

  test.each([
    [
      "in a choice",
      { choices: [{ delta: {}, usage: { prompt_tokens: 3, prompt_cache_hit_tokens: 2 } }] },
      { input: 3, cached: 2 },
    ],
    [
      "beside the choices",
      { choices: [], usage: { prompt_tokens: 3, prompt_tokens_details: { cached_tokens: 1 } } },
      { input: 3, cached: 1 },
    ],
    [
      "of reasoning",
      { usage: { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 4 } } },
      { output: 9, reasoning: 4 },
    ],
    ["of Kimi", { usage: { prompt_tokens: 3, cached_tokens: 2 } }, { input: 3, cached: 2 }],
    ["of Groq", { x_groq: { usage: { completion_tokens: 2 } } }, { output: 2 }],
    [
      "of a cache that is written",
      { usage: { prompt_tokens: 3, prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 2 } } },
      { input: 3, cached: 0, cacheWritten: 2 },
    ],
    ["that were not counted", { usage: { prompt_tokens: 0, completion_tokens: 0 } }, {}],
    ["null or senseless", { usage: { prompt_tokens: null, completion_tokens: "many" } }, {}],
  ])("token counts %s", async (_, chunk, usage) => {
    expect(messageIn(await askStream([delta({ content: "x" }, "stop"), chunk])).usage).toEqual(usage);
    expect(messageIn(await askStream([chunk, delta({ content: "x" }, "stop")])).usage).toEqual(usage);
  });

  test("token counts that grow with each chunk: the last holds, and what is 0 at the end does not", async () => {
    const counted = (n: number) => ({
      ...Object(delta({ content: "x" })),
      usage: { prompt_tokens: 9, completion_tokens: n },
    });
    const ends = { ...Object(delta({}, "stop")), usage: { prompt_tokens: 0, completion_tokens: 0 } };
    const outcome = await askStream([counted(1), counted(2), counted(3), ends, "[DONE]"]);
    expect(messageIn(outcome).usage).toEqual({ input: 9, output: 3 });
  });

  test("calls without calls: a plain end", async () => {
    const outcome = await askStream([delta({ content: "hi" }), calls, "[DONE]"]);
    expect(messageIn(outcome)).toMatchObject({ stop: "stop", message: { text: "hi", calls: [] } });
  });

  test("a whole message after its pieces is not said again", async () => {
    const message = {
      content: "hi",
      tool_calls: [{ id: "c1", function: { name: "list", arguments: "{}" } }],
    };
    const outcome = await askStream([delta({ content: "hi" }), call(0, "c1", "list", "{}"), whole(message)]);
    expect(messageIn(outcome).message).toMatchObject({ text: "hi", calls: [{ id: "c1", arguments: "{}" }] });
  });

  test.each([
    ["max_tokens", "length"],
    ["content_filter", "filtered"],
    ["end_turn", "stop"],
  ])("finish reason %s", async (finish, stop) => {
    expect(messageIn(await askStream([delta({ content: "x" }, finish)])).stop).toBe(stop);
  });

  test("a JSON body instead of a stream", async () => {
    const outcome = await ask([
      "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n",
      JSON.stringify({
        choices: [
          {
            message: {
              content: "hi",
              tool_calls: [{ id: "c1", function: { name: "list", arguments: "{}" } }],
            },
            finish_reason: "tool_calls",
          },
        ],
        usage: { prompt_tokens: 1 },
      }),
    ]);
    expect(outcome.text).toBe("hi");
    expect(messageIn(outcome)).toMatchObject({ stop: "calls", usage: { input: 1 } });
  });

  test("a connection left open, or reset, after the answer", async () => {
    const open = await serve(({ write }) =>
      write(streamHead, event(delta({ content: "hi" }, "stop")), event("[DONE]")),
    );
    expect(messageIn(await collect(modelAt(open.url))).message.text).toBe("hi");
    const silent = await serve(({ write }) => write(streamHead, event(delta({ content: "hi" }, "stop"))));
    const limits = { connectMs: 5_000, firstByteMs: 5_000, idleMs: 20, totalMs: 5_000 };
    expect(messageIn(await collect(modelAt(silent.url, { limits }), question)).message.text).toBe("hi");
    const broken = await serve(async ({ write, reset }) => {
      await write(streamHead, event(delta({ content: "hi" }, "stop")));
      reset();
    });
    // A reset can overtake what was written; then the answer is lost and must be said to be.
    const outcome = await collect(modelAt(broken.url));
    expect(outcome.error?.kind ?? messageIn(outcome).message.text).toMatch(/^(network|hi)$/);
  });
});

/** The bytes in two pieces, cut inside the last character of `word`. */
function splitIn(word: string, bytes: Buffer): [Buffer, Buffer] {
  const cut = bytes.indexOf(Buffer.from(word)) + Buffer.byteLength(word) - 1;
  return [bytes.subarray(0, cut), bytes.subarray(cut)];
}
