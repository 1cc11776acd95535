// The scripted model: steps in order, what they may expect, and how they fail.
import { describe, expect, test } from "vitest";
import { ModelError } from "../../src/model/error.ts";
import { createScripted, type Step } from "../../src/model/scripted.ts";
import type { Message } from "../../src/protocol/message.ts";
import type { ModelRequest } from "../../src/protocol/model.ts";
import { collect, messageIn } from "./ask.ts";

const asking = (...messages: Message[]): ModelRequest => ({ messages, tools: [] });
const hi = asking({ role: "user", text: "hi there" });
const afterCall = (outcome: "ok" | "rejected", content: string): ModelRequest =>
  asking(
    { role: "user", text: "hi there" },
    { role: "assistant", text: "", calls: [{ id: "call_1", name: "read", arguments: "{}" }] },
    { role: "tool", callId: "call_1", outcome, content },
  );

describe("steps", () => {
  test("are played in order, with everything they hold", async () => {
    const model = createScripted([
      {
        reasoning: "hm",
        text: "a👩b",
        chunk: 2,
        calls: [
          { name: "read", arguments: { path: "a" } },
          { name: "x", arguments: "{broken", id: "mine" },
        ],
        usage: { input: 3 },
      },
      { text: "done" },
    ]);
    const { events } = await collect(model, hi);
    const calls = [
      { id: "call00001", name: "read", arguments: '{"path":"a"}' },
      { id: "mine", name: "x", arguments: "{broken" },
    ];
    expect(events).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "a👩" },
      { type: "text", text: "b" },
      ...calls.map((call) => ({ type: "tool_call", call })),
      {
        type: "done",
        message: { role: "assistant", text: "a👩b", reasoning: "hm", calls },
        usage: { input: 3 },
        stop: "calls",
      },
    ]);
    expect(messageIn(await collect(model, afterCall("ok", "x")))).toMatchObject({ stop: "stop", usage: {} });
    expect(model.requests).toEqual([hi, afterCall("ok", "x")]);
    expect(model.requests[0]).not.toBe(hi);
  });

  test("ids that the script leaves out are new in the conversation", async () => {
    const model = createScripted([{ calls: [{ name: "list", arguments: {} }] }]);
    expect(messageIn(await collect(model, afterCall("ok", ""))).message.calls).toMatchObject([
      { id: "call00002" },
    ]);
  });

  test("a cut-off answer has its calls in the message only", async () => {
    const { events } = await collect(
      createScripted([{ calls: [{ name: "a", arguments: "{" }], stop: "length" }]),
    );
    expect(events.map((event) => event.type)).toEqual(["done"]);
  });

  test("can be computed from the request", async () => {
    const model = createScripted([(request) => ({ text: `${request.messages.length} messages` })]);
    expect((await collect(model, hi)).text).toBe("1 messages");
  });

  test("used up", async () => {
    const { error } = await collect(createScripted([]));
    expect(error).toMatchObject({ kind: "bad_request", retryable: false });
    expect(error?.message).toBe("The script is used up: request 1 came after its 0 steps");
  });

  test("fail on purpose, after their text", async () => {
    const { text, error } = await collect(
      createScripted([
        { text: "Hel", error: { kind: "rate_limit", status: 429, message: "slow", retryAfterMs: 5 } },
      ]),
    );
    expect(text).toBe("Hel");
    expect(error).toMatchObject({
      kind: "rate_limit",
      status: 429,
      message: "slow",
      retryAfterMs: 5,
      retryable: true,
    });
  });
});

describe("expectations", () => {
  test.each<[Step, ModelRequest, string | undefined]>([
    [
      { when: { lastRole: "user", lastContains: ["hi", "there"], lastUserContains: "hi", stepIndex: 0 } },
      hi,
      undefined,
    ],
    [
      { when: { lastRole: "tool", toolOutcome: "ok", lastContains: "bytes" } },
      afterCall("ok", "9 bytes"),
      undefined,
    ],
    [{ when: { lastRole: "tool" } }, hi, 'expected the last message to be of "tool", got "user"'],
    [
      { when: { lastContains: ["hi", "bye"] } },
      hi,
      'expected the last message to hold "bye", got "hi there"',
    ],
    [
      { when: { lastUserContains: "bye" } },
      afterCall("ok", "bye"),
      'expected the last user message to hold "bye"',
    ],
    [
      { when: { toolOutcome: "ok" } },
      afterCall("rejected", "no"),
      'expected the last tool result to be "ok", got "rejected": "no"',
    ],
    [{ when: { toolOutcome: "ok" } }, hi, 'expected the last tool result to be "ok", got none'],
    [{ when: { stepIndex: 1 } }, hi, "expected request 1, got request 0"],
    [{ when: { results: [{ outcome: "ok", contains: "9" }] } }, afterCall("ok", "9 bytes"), undefined],
    [{ when: { results: [] } }, hi, undefined],
    [{ when: { results: [] } }, afterCall("ok", "x"), "expected 0 results, got 1"],
    [
      { when: { results: [{ outcome: "ok" }] } },
      afterCall("rejected", "no"),
      'expected result 1 to be "ok", got "rejected": "no"',
    ],
    [
      { when: { results: [{ outcome: "ok", contains: ["9", "lines"] }] } },
      afterCall("ok", "9 bytes"),
      'expected result 1 to hold "lines", got "9 bytes"',
    ],
  ])("%j", async (step, request, fault) => {
    const { error } = await collect(createScripted([step]), request);
    expect(error?.kind).toBe(fault === undefined ? undefined : "bad_request");
    if (fault !== undefined) expect(error?.message).toContain(`The script step 1: ${fault}`);
  });

  test("a repeated step answers as long as it fits", async () => {
    const model = createScripted([
      { when: { lastRole: "user" }, text: "again", repeat: true },
      { when: { lastRole: "tool" }, text: "last", repeat: true },
    ]);
    const texts = [];
    for (const request of [hi, hi, hi, afterCall("ok", "")]) texts.push((await collect(model, request)).text);
    expect(texts).toEqual(["again", "again", "again", "last"]);
    expect((await collect(model, hi)).error?.message).toContain("step 2: expected");
  });
});

describe("a session that is gone on with", () => {
  const steps: Step[] = [
    { messages: 1, text: "first" },
    { messages: 3, text: "second" },
    { messages: 5, text: "third" },
  ];
  const later = asking({ role: "system", text: "s" }, ...afterCall("ok", "x").messages);

  test("begins at the step whose messages it holds, without the system's", async () => {
    const model = createScripted(steps);
    const texts = [];
    for (const request of [later, hi]) texts.push((await collect(model, request)).text);
    expect(texts).toEqual(["second", "third"]);
  });

  test("begins at the first step where none fits", async () => {
    const two = asking({ role: "user", text: "a" }, { role: "user", text: "b" });
    expect((await collect(createScripted(steps), two)).text).toBe("first");
    expect((await collect(createScripted([{ text: "any" }]), later)).text).toBe("any");
  });
});

describe("cancelling", () => {
  test("ends a delay at once", async () => {
    const controller = new AbortController();
    const model = createScripted([{ text: "abc", chunk: 1, delayMs: 3_600_000 }]);
    const outcome = collect(model, hi, controller.signal);
    controller.abort();
    expect(await outcome).toMatchObject({ events: [], error: { kind: "cancelled" } });
  });

  test("stops between pieces, also without a delay", async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    await expect(async () => {
      for await (const event of createScripted([{ text: "abc", chunk: 1 }]).stream(hi, controller.signal)) {
        seen.push(event.type);
        controller.abort();
      }
    }).rejects.toThrow(ModelError);
    expect(seen).toEqual(["text"]);
  });
});
