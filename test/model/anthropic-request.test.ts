// The body of a request to Anthropic's API beside its messages: limits, thinking, cache marks, a forced tool.
import { describe, expect, test } from "vitest";
import { type AnthropicRequestOptions, toAnthropicBody } from "../../src/model/anthropic-request.ts";
import type { Message } from "../../src/protocol/message.ts";
import type { ModelRequest } from "../../src/protocol/model.ts";

const mark = { cache_control: { type: "ephemeral" } };
const read = { name: "read", description: "reads", parameters: { type: "object", properties: {} } };
const list = { ...read, name: "list" };
const user = (text: string): Message => ({ role: "user", text });

function bodyOf(options: Partial<AnthropicRequestOptions> = {}, request: Partial<ModelRequest> = {}) {
  return toAnthropicBody(
    { model: "m-1", compat: { promptCache: true, streaming: true, toolChoice: true }, ...options },
    { messages: [user("hi")], tools: [], ...request },
  );
}

test("the least there is", () => {
  expect(bodyOf({ compat: { promptCache: false, streaming: false, toolChoice: true } })).toEqual({
    model: "m-1",
    max_tokens: 8192,
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    stream: false,
  });
});

test("the profile's further fields do not replace ours", () => {
  expect(bodyOf({ body: { temperature: 0.2, model: "m-2" } })).toMatchObject({
    temperature: 0.2,
    model: "m-1",
  });
});

describe("thinking", () => {
  test.each<[Partial<AnthropicRequestOptions>, unknown, number]>([
    [{}, undefined, 8192],
    [{ thinking: false }, { type: "disabled" }, 8192],
    [{ thinking: true }, { type: "adaptive" }, 8192],
    [{ thinking: true, thinkingBudget: 10_000 }, { type: "enabled", budget_tokens: 10_000 }, 18_192],
    [
      { thinking: true, thinkingBudget: 10_000, maxOutputTokens: 12_000 },
      { type: "enabled", budget_tokens: 10_000 },
      12_000,
    ],
  ])("%j", (options, thinking, max) => {
    expect(bodyOf(options)).toMatchObject({ max_tokens: max, ...(thinking ? { thinking } : {}) });
    expect("thinking" in bodyOf(options)).toBe(thinking !== undefined);
  });

  test("a tool is forced only without it, and where the server can be told", () => {
    const forced = { tools: [read], forceTool: "read" };
    expect(bodyOf({}, forced)).toMatchObject({ tool_choice: { type: "tool", name: "read" } });
    expect(bodyOf({ thinking: true }, forced)).not.toHaveProperty("tool_choice");
    const compat = { promptCache: true, streaming: true, toolChoice: false };
    expect(bodyOf({ compat }, forced)).not.toHaveProperty("tool_choice");
  });
});

describe("cache marks", () => {
  const step: Message[] = [
    { role: "system", text: "be brief" },
    user("hi"),
    { role: "assistant", text: "", calls: [{ id: "c1", name: "read", arguments: "{}" }] },
    { role: "tool", callId: "c1", outcome: "ok", content: "one" },
  ];

  test("end the tools, the system text, and the last two user messages", () => {
    const { tools, system, messages } = bodyOf({}, { messages: step, tools: [list, read] });
    expect(tools).toEqual([
      { name: "list", description: "reads", input_schema: list.parameters },
      { name: "read", description: "reads", input_schema: read.parameters, ...mark },
    ]);
    expect(system).toEqual([{ type: "text", text: "be brief", ...mark }]);
    expect(messages).toEqual([
      { role: "user", content: [{ type: "text", text: "hi", ...mark }] },
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "one", ...mark }] },
    ]);
  });

  test("move on, so that there are never more than four", () => {
    const more: Message[] = [...step, { role: "assistant", text: "done", calls: [] }, user("more")];
    const { messages } = bodyOf({}, { messages: more, tools: [read] });
    expect(messages.map(({ content }) => JSON.stringify(content).includes("cache_control"))).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  test("are left out for servers without", () => {
    const body = bodyOf(
      { compat: { promptCache: false, streaming: true, toolChoice: true } },
      { messages: step, tools: [read] },
    );
    expect(JSON.stringify(body)).not.toContain("cache_control");
  });
});
