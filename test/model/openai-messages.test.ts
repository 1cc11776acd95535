// The conversation as a server gets it: always valid, byte-stable (cases S02, S06).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toOpenAiMessages } from "../../src/model/openai-messages.ts";
import type { Message } from "../../src/protocol/message.ts";

const user: Message = { role: "user", text: "hi" };
const assistant = (text: string, ...calls: [id: string, name: string, args: string][]): Message => ({
  role: "assistant",
  text,
  reasoning: "secret thoughts",
  calls: calls.map(([id, name, args]) => ({ id, name, arguments: args })),
});
const result = (callId: string, content: string): Message => ({
  role: "tool",
  callId,
  outcome: "ok",
  content,
});
const argumentsOf = (args: string): unknown => {
  const [message] = toOpenAiMessages([assistant("", ["c1", "read", args])]);
  return message?.role === "assistant" ? message.tool_calls : undefined;
};

test("a whole step", () => {
  expect(
    toOpenAiMessages([
      { role: "system", text: "be brief" },
      user,
      assistant("", ["c1", "read", '{"path":"a"}'], ["c2", "list", "{}"]),
      result("c1", "one"),
      result("c2", "two"),
      assistant("done"),
    ]),
  ).toEqual([
    { role: "system", content: "be brief" },
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
        { id: "c2", type: "function", function: { name: "list", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: "one" },
    { role: "tool", tool_call_id: "c2", content: "two" },
    { role: "assistant", content: "done" },
  ]);
});

test("assistant messages without text and calls are left out", () => {
  expect(toOpenAiMessages([user, assistant(""), assistant(" \n")])).toEqual([
    { role: "user", content: "hi" },
  ]);
});

describe("arguments are a valid JSON object", () => {
  test.each(["", "{", '{"path": ', "null", "[1]", '"text"', "undefined"])("%s becomes {}", (args) => {
    expect(argumentsOf(args)).toMatchObject([{ function: { arguments: "{}" } }]);
  });
  test("valid ones keep their bytes", () => {
    const args = '{ "b": 1,\n"a": "\\u00e9" }';
    expect(argumentsOf(args)).toMatchObject([{ function: { arguments: args } }]);
  });
});

test.each([
  ["functions.read file", "functions_read_file"],
  ["", "unknown"],
  ["x".repeat(99), "x".repeat(64)],
])("the name %j a server would refuse", (name, sent) => {
  expect(toOpenAiMessages([assistant("", ["c1", name, "{}"])])[0]).toMatchObject({
    tool_calls: [{ function: { name: sent } }],
  });
});

test("S06: every call is followed by its one result, whatever is stored", () => {
  const sent = toOpenAiMessages([
    result("c0", "an orphan"),
    assistant("", ["c1", "a", "{}"], ["c2", "b", "{}"], ["c3", "c", "{}"]),
    user,
    result("c2", "two"),
    result("c1", "one"),
    result("c1", "one again"),
    assistant("", ["c1", "a", "{}"]),
    result("c1", "new"),
  ]);
  expect(
    sent.map((message) =>
      "tool_call_id" in message ? `${message.tool_call_id}: ${message.content}` : message.role,
    ),
  ).toEqual([
    "assistant",
    "c1: one",
    "c2: two",
    "c3: This call was not run; nothing is known of it.",
    "user",
    "assistant",
    "c1: new",
  ]);
});

test("a longer conversation begins with the bytes of the shorter one", () => {
  const text = fc.string({ maxLength: 20 });
  const step = fc
    .record({
      text,
      calls: fc.array(fc.record({ name: text, args: fc.oneof(text, fc.json()) }), { maxLength: 3 }),
      user: text,
    })
    .map(({ text, calls, user }): Message[] => [
      assistant(text, ...calls.map(({ name, args }, i): [string, string, string] => [`c${i}`, name, args])),
      ...calls.map((_, i) => result(`c${i}`, text)),
      { role: "user", text: user },
    ]);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), fc.array(step, { maxLength: 5 }), (before, after) => {
      const shorter = JSON.stringify(toOpenAiMessages([user, ...before.flat()]));
      const longer = JSON.stringify(toOpenAiMessages([user, ...before.flat(), ...after.flat()]));
      expect(longer.startsWith(shorter.slice(0, -1))).toBe(true);
    }),
    { numRuns: 300 },
  );
});
