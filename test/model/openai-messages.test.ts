// The conversation in OpenAI's form, and what a profile's switches change of it.
import { describe, expect, test } from "vitest";
import { type MessageStyle, toOpenAiMessages } from "../../src/model/openai-messages.ts";
import type { Message } from "../../src/protocol/message.ts";

const conversation: Message[] = [
  { role: "system", text: "be brief" },
  { role: "user", text: "hi" },
  {
    role: "assistant",
    text: "",
    reasoning: "hm",
    calls: [
      { id: "c1", name: "read", arguments: '{"path":"a"}' },
      { id: "c2", name: "list", arguments: "{}" },
    ],
  },
  { role: "tool", callId: "c1", outcome: "ok", content: "one" },
  { role: "tool", callId: "c2", outcome: "error", content: "two" },
  { role: "user", text: "more" },
  { role: "assistant", text: "done", calls: [] },
];
const calls = [
  { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
  { id: "c2", type: "function", function: { name: "list", arguments: "{}" } },
];

function sent(compat: Partial<MessageStyle["compat"]> = {}, thinking?: boolean, messages = conversation) {
  const plain = {
    developerRole: false,
    reasoningField: "none",
    userAfterTool: false,
    toolName: false,
    shortCallIds: false,
  } as const;
  return toOpenAiMessages(messages, { model: "m-1", thinking, compat: { ...plain, ...compat } });
}

test("a whole conversation, plain", () => {
  const plain = [
    { role: "system", content: "be brief" },
    { role: "user", content: "hi" },
    { role: "assistant", content: null, tool_calls: calls },
    { role: "tool", tool_call_id: "c1", content: "one" },
    { role: "tool", tool_call_id: "c2", content: "two" },
    { role: "assistant", content: "[MiniCode] The task ended here without an answer." },
    { role: "user", content: "more" },
    { role: "assistant", content: "done" },
  ];
  expect(sent()).toEqual(plain);
  expect(toOpenAiMessages(conversation)).toEqual(plain);
});

test("developerRole", () => {
  expect(sent({ developerRole: true })[0]).toEqual({ role: "developer", content: "be brief" });
});

test("userAfterTool: nothing is put between", () => {
  const roles = sent({ userAfterTool: true }).map(({ role }) => role);
  expect(roles).toEqual(["system", "user", "assistant", "tool", "tool", "user", "assistant"]);
});

test("toolName", () => {
  expect(sent({ toolName: true }).slice(3, 5)).toEqual([
    { role: "tool", tool_call_id: "c1", name: "read", content: "one" },
    { role: "tool", tool_call_id: "c2", name: "list", content: "two" },
  ]);
});

test("shortCallIds: only nine letters and digits go, the same each time", () => {
  const own: Message[] = conversation.map((message) =>
    message.role === "assistant" && message.calls.length > 0
      ? { ...message, calls: [...message.calls, { id: "aB3dE6gH9", name: "read", arguments: "{}" }] }
      : message,
  );
  const messages = sent({ shortCallIds: true }, undefined, own);
  expect(messages[2]).toMatchObject({
    tool_calls: [{ id: "call00001" }, { id: "call00002" }, { id: "aB3dE6gH9" }],
  });
  expect(messages.flatMap((m) => (m.role === "tool" ? [m.tool_call_id] : []))).toEqual([
    ...["call00001", "call00002", "aB3dE6gH9"],
  ]);
});

describe("reasoningField", () => {
  test.each(["reasoning_content", "reasoning"] as const)("%s: on every answer, never empty", (field) => {
    const answers = sent({ reasoningField: field }).filter(({ role }) => role === "assistant");
    expect(answers).toMatchObject([{ [field]: "hm", tool_calls: calls }, { [field]: " " }, { [field]: " " }]);
  });

  test("nothing goes back where thinking is switched off", () => {
    expect(sent({ reasoningField: "reasoning" }, false)).toEqual(sent());
    expect(sent({ reasoningField: "reasoning" }, true)).not.toEqual(sent());
  });
});

describe("what was carried", () => {
  const details = [{ type: "reasoning.text", text: "hm", signature: "s", index: 0, format: "x" }];
  const carried = (provider: string, model: string): Message[] =>
    conversation.map((message) =>
      message.role === "assistant" && message.calls.length > 0
        ? {
            ...message,
            carried: {
              provider,
              model,
              blocks: [
                { reasoning_details: details },
                { call: 1, extra_content: { google: { thought_signature: "g" } } },
                { of: "another version" },
              ],
            },
          }
        : message,
    );

  test("goes back as it came", () => {
    expect(sent({}, undefined, carried("openai-compatible", "m-1"))[2]).toEqual({
      role: "assistant",
      content: null,
      reasoning_details: details,
      tool_calls: [calls[0], { ...calls[1], extra_content: { google: { thought_signature: "g" } } }],
    });
  });

  test.each([
    ["another provider", "anthropic", "m-1"],
    ["another model", "openai-compatible", "m-2"],
  ])("of %s stays here", (_, provider, model) => {
    expect(sent({}, undefined, carried(provider, model))).toEqual(sent());
  });
});
