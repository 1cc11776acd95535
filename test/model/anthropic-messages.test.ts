// The conversation as Anthropic's API gets it: always valid, nothing of a valid one lost, and byte-stable.
import type { ContentBlockParam } from "@anthropic-ai/sdk/resources/messages/messages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Turn, toAnthropicMessages } from "../../src/model/anthropic-messages.ts";
import { toAnthropicBody } from "../../src/model/anthropic-request.ts";
import { type AssistantMessage, callOutcomeSchema, type Message } from "../../src/protocol/message.ts";
import { brokenHistory } from "./histories.ts";

const MODEL = "m-1";
const user = (text: string): Message => ({ role: "user", text });
const thought = { type: "thinking", thinking: "hm", signature: "s1" };
const hidden = { type: "redacted_thinking", data: "d1" };
const says = (text: string, ...ids: string[]): AssistantMessage => ({
  role: "assistant",
  text,
  calls: ids.map((id) => ({ id, name: "read", arguments: `{"path":"${id}"}` })),
});
const result = (callId: string, outcome: "ok" | "skipped" | "rejected" = "ok"): Message => ({
  role: "tool",
  callId,
  outcome,
  content: `of ${callId}`,
});
const turns = (...messages: Message[]): Turn[] => toAnthropicMessages(messages, MODEL).turns;

describe("a step", () => {
  test("its results are one user message, what the user says next stands behind them", () => {
    const conversation = toAnthropicMessages(
      [
        { role: "system", text: "be brief" },
        user("hi"),
        says("I look", "c1", "c2"),
        result("c2", "rejected"),
        result("c1", "skipped"),
        user("and now?"),
      ],
      MODEL,
    );
    expect(conversation).toEqual({
      system: [{ type: "text", text: "be brief" }],
      turns: [
        { role: "user", content: [{ type: "text", text: "hi" }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look" },
            { type: "tool_use", id: "c1", name: "read", input: { path: "c1" } },
            { type: "tool_use", id: "c2", name: "read", input: { path: "c2" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", content: "of c1" },
            { type: "tool_result", tool_use_id: "c2", content: "of c2", is_error: true },
            { type: "text", text: "and now?" },
          ],
        },
      ],
    });
  });

  test("ids that this API would refuse are replaced, in call and result", () => {
    const [, assistant, after] = turns(user("hi"), says("", "functions.read:0"), result("functions.read:0"));
    const id = expect.stringMatching(/^[A-Za-z0-9_-]+$/);
    expect(assistant?.content).toEqual([{ type: "tool_use", id, name: "read", input: expect.anything() }]);
    expect(after?.content).toEqual([
      {
        type: "tool_result",
        tool_use_id: assistant?.content.map((block) => "id" in block && block.id)[0],
        content: "of functions.read:0",
      },
    ]);
  });
});

describe("thinking", () => {
  const carried = (blocks: NonNullable<AssistantMessage["carried"]>["blocks"], model = MODEL) => ({
    provider: "anthropic",
    model,
    blocks,
  });
  const sent = (message: AssistantMessage): ContentBlockParam[] => {
    const [, assistant] = turns(user("hi"), message, ...message.calls.map(({ id }) => result(id)));
    return assistant?.content ?? [];
  };
  const call = (id: string) => ({ type: "tool_use", id, name: "read", input: { path: id } });
  const text = (said: string) => ({ type: "text", text: said });

  test("goes back first and unchanged", () => {
    const message = { ...says("I look", "c1"), reasoning: "hm", carried: carried([thought, hidden]) };
    expect(sent(message)).toEqual([thought, hidden, text("I look"), call("c1")]);
  });

  test("goes back between texts and calls where it stood there", () => {
    const blocks = [
      thought,
      { type: "text", length: 2 },
      hidden,
      { type: "tool_use" },
      { type: "text", length: 1 },
      { type: "tool_use" },
    ];
    const message = { ...says("ab\n", "c1", "c2"), carried: carried(blocks) };
    expect(sent(message)).toEqual([thought, text("ab"), hidden, call("c1"), call("c2")]);
  });

  test("stands first when the kept order would part a character", () => {
    const blocks = [{ type: "text", length: 1 }, thought, { type: "text", length: 1 }];
    expect(sent({ ...says("👩"), carried: carried(blocks) })).toEqual([thought, text("👩")]);
  });

  test("stands first when the kept order is not that of the message", () => {
    const blocks = [{ type: "text", length: 99 }, thought, { type: "tool_use" }];
    expect(sent({ ...says("ab", "c1"), carried: carried(blocks) })).toEqual([
      thought,
      text("ab"),
      call("c1"),
    ]);
  });

  test.each([
    ["another model's", carried([thought], "m-2")],
    ["another provider's", { ...carried([thought]), provider: "openai-compatible" }],
    ["something else", carried([{ type: "thinking" }, 1])],
  ])("%s is left out", (_, kept) => {
    expect(sent({ ...says("ab", "c1"), carried: kept })).toEqual([text("ab"), call("c1")]);
  });
});

const outcome = fc.constantFrom(...callOutcomeSchema.options);
const anyText = fc.oneof(
  fc.constantFrom("", " ", "\n", "\ud800"),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const anyCarried = fc.record({
  provider: fc.constantFrom("anthropic", "openai-compatible"),
  model: fc.constantFrom(MODEL, "m-2"),
  blocks: fc.array(
    fc.oneof(
      fc.constantFrom(thought, hidden, { type: "tool_use" }),
      fc.record({ type: fc.constant("text"), length: fc.nat(4) }),
    ),
    { maxLength: 3 },
  ),
});
const anyId = fc.oneof(fc.constantFrom("c1", "c2", "c3"), fc.string({ maxLength: 4 }));
const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ role: fc.constant("system" as const), text: anyText }) },
  { weight: 3, arbitrary: fc.record({ role: fc.constant("user" as const), text: anyText }) },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        role: fc.constant("assistant" as const),
        text: anyText,
        carried: anyCarried,
        calls: fc.array(
          fc.record({
            id: anyId,
            name: anyText,
            arguments: fc.oneof(
              fc.json({ maxDepth: 1 }),
              fc.constantFrom("", "{", "[1]", '"x"', '{"a":"\\ud800"}', '"{\\"a\\":1}"'),
            ),
          }),
          { maxLength: 3 },
        ),
      },
      { requiredKeys: ["role", "text", "calls"] },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({ role: fc.constant("tool" as const), callId: anyId, outcome, content: anyText }),
  },
);

/** What the API would refuse in a conversation, in words. */
function faults(turns: readonly Turn[]): string[] {
  const found: string[] = [];
  const ids = new Set<string>();
  for (const [at, { role, content }] of turns.entries()) {
    if (role !== (at % 2 === 0 ? "user" : "assistant")) found.push(`${at}: ${role} does not alternate`);
    if (content.length === 0) found.push(`${at}: no content`);
    const before = turns[at - 1]?.content ?? [];
    const asked = before.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    const answered = content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
    if (role === "user" && asked.join() !== answered.join()) found.push(`${at}: ${asked} but ${answered}`);
    if (role === "user" && content.slice(0, answered.length).some(({ type }) => type !== "tool_result"))
      found.push(`${at}: results are not first`);
    if (at === turns.length - 1 && content.some(({ type }) => type === "tool_use"))
      found.push(`${at}: calls without results`);
    for (const block of content) {
      if (!allowed[role].includes(block.type)) found.push(`${at}: ${block.type} from ${role}`);
      if (block.type === "text" && block.text.trim() === "") found.push(`${at}: blank text`);
      if (block.type === "tool_result" && `${block.content}`.trim() === "") found.push(`${at}: blank result`);
      if (block.type !== "tool_use") continue;
      if (!/^[A-Za-z0-9_-]+$/.test(block.id) || ids.has(block.id)) found.push(`${at}: id ${block.id}`);
      ids.add(block.id);
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(block.name)) found.push(`${at}: name ${block.name}`);
      if (typeof block.input !== "object" || block.input === null || Array.isArray(block.input))
        found.push(`${at}: input ${JSON.stringify(block.input)}`);
    }
  }
  if (/\\ud[89a-f]/i.test(JSON.stringify(turns))) found.push("half a character");
  return found;
}
const allowed = {
  user: ["text", "tool_result"],
  assistant: ["text", "tool_use", "thinking", "redacted_thinking"],
};

test("whatever the history, the request is one that the API takes", () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(anyMessage, { maxLength: 10 }), brokenHistory), (messages) => {
      const { system, turns } = toAnthropicMessages(messages, MODEL);
      expect(faults(turns)).toEqual([]);
      expect(system.every(({ text }) => text.trim() !== "")).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

const word = fc.stringMatching(/^[a-z]{1,6}$/);
/** One step of a sound session, with its results; ids are given by the place of the step. */
const step = fc.record({
  text: fc.oneof(fc.constant(""), word),
  calls: fc.array(fc.record({ name: word, path: word, outcome, content: word }), { maxLength: 3 }),
  thoughts: fc.array(fc.constantFrom(thought, hidden), { maxLength: 2 }),
  said: fc.oneof(fc.constant(undefined), word),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const session = fc
  .array(step, { maxLength: 5 })
  .map((steps) => [user("first"), ...steps.flatMap((one, at) => soundStep(one, at))]);

function soundStep({ text, calls, thoughts, said }: Step, at: number): Message[] {
  const withId = calls.map((call, n) => ({ ...call, id: `c${at}_${n}` }));
  const assistant: Message = {
    role: "assistant",
    text: text === "" && calls.length === 0 ? "done" : text,
    ...(thoughts.length === 0
      ? {}
      : { carried: { provider: "anthropic", model: MODEL, blocks: [...thoughts] } }),
    calls: withId.map(({ id, name, path }) => ({ id, name, arguments: JSON.stringify({ path }) })),
  };
  const results = withId.map(
    ({ id, outcome, content }): Message => ({ role: "tool", callId: id, outcome, content }),
  );
  // An answer without calls ends a task: the user speaks next.
  const next = said ?? (calls.length === 0 ? "go on" : undefined);
  return [assistant, ...results, ...(next === undefined ? [] : [user(next)])];
}

/** What a sound conversation holds, read back from the request; outcomes as far as they are sent. */
function readBack(turns: readonly Turn[]): unknown[] {
  return turns.flatMap(({ role, content }): unknown[] => {
    if (role === "user") {
      return content.map((block) =>
        block.type === "tool_result"
          ? { callId: block.tool_use_id, content: block.content, failed: block.is_error === true }
          : { user: block.type === "text" && block.text },
      );
    }
    return [
      {
        thoughts: content.filter(({ type }) => /thinking/.test(type)),
        text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
        calls: content.flatMap((block) =>
          block.type === "tool_use"
            ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }]
            : [],
        ),
      },
    ];
  });
}

function held(messages: readonly Message[]): unknown[] {
  return messages.map((message) => {
    if (message.role === "assistant")
      return { thoughts: message.carried?.blocks ?? [], text: message.text, calls: message.calls };
    if (message.role === "tool") {
      const failed = message.outcome !== "ok" && message.outcome !== "skipped";
      return { callId: message.callId, content: message.content, failed };
    }
    return { user: message.text };
  });
}

test("nothing of a sound session is lost or added", () => {
  fc.assert(
    fc.property(session, (messages) => {
      const { turns } = toAnthropicMessages(messages, MODEL);
      expect(readBack(turns)).toEqual(held(messages));
      // Thinking that stood first stands first.
      for (const { content } of turns) {
        const thinking = content.map(({ type }) => /thinking/.test(type));
        expect(thinking.lastIndexOf(true) + 1).toBe(thinking.filter(Boolean).length);
      }
    }),
    { numRuns: 1_000 },
  );
});

test("each request begins with the bytes of the one before, but for the marks", () => {
  const options = { model: MODEL, compat: { promptCache: true, streaming: true, toolChoice: true } };
  const tools = [{ name: "read", description: "reads", parameters: { type: "object", properties: {} } }];
  const bytes = (messages: readonly Message[]): string => {
    const body = toAnthropicBody(options, { messages, tools });
    const marks = JSON.stringify(body).match(/"cache_control":\{"type":"ephemeral"\}/g) ?? [];
    expect(marks.length).toBeGreaterThanOrEqual(3);
    expect(marks.length).toBeLessThanOrEqual(4);
    return JSON.stringify([body.tools, body.system, body.messages]).replaceAll(
      ',"cache_control":{"type":"ephemeral"}',
      "",
    );
  };
  const head: Message = { role: "system", text: "be brief" };
  fc.assert(
    fc.property(session, (messages) => {
      let before = "";
      for (const [at, message] of messages.entries()) {
        // A request goes out when the user, or the last of the calls, has been answered.
        if (message.role === "assistant" || messages[at + 1]?.role === "tool") continue;
        const now = bytes([head, ...messages.slice(0, at + 1)]);
        expect(now.startsWith(before)).toBe(true);
        before = now.replace(/(\]\})?\]\]$/, "");
      }
    }),
    { numRuns: 1_000 },
  );
});
