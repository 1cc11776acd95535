// Conversation validity is a property: whatever a session holds, the request that the OpenAI-compatible adapter makes of it
// satisfies the protocol, loses nothing that was sound, and goes on from the request before.

import fc from "fast-check";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { expect, it } from "vitest";
import { type MessageStyle, toOpenAiMessages } from "../../src/model/openai-messages.ts";
import type { Message } from "../../src/protocol/message.ts";
import { brokenHistory, soundHistory } from "./histories.ts";

const anyStyle: fc.Arbitrary<MessageStyle> = fc.record({
  model: fc.constant("m-1"),
  thinking: fc.constantFrom(undefined, true, false),
  compat: fc.record({
    developerRole: fc.boolean(),
    reasoningField: fc.constantFrom("none", "reasoning_content", "reasoning"),
    userAfterTool: fc.boolean(),
    toolName: fc.boolean(),
    shortCallIds: fc.boolean(),
  }),
});

/** Everything in `messages` that a server with this style may refuse. */
function faults(messages: readonly ChatCompletionMessageParam[], { compat }: MessageStyle): string[] {
  const found: string[] = [];
  const ids = new Set<string>();
  let open: string[] = [];
  let before = "start";
  for (const [at, message] of messages.entries()) {
    const fault = (what: string): void => {
      found.push(`message ${at}, ${message.role}: ${what}`);
    };
    if (message.role !== "tool" && open.length > 0) fault(`${open.join(", ")} not answered`);
    switch (message.role) {
      case "system":
      case "developer":
        if (at > 0) fault("not at the beginning");
        if (message.role !== (compat.developerRole ? "developer" : "system")) fault("a role nobody wants");
        break;
      case "user":
        if (before === "user" || (before === "tool" && !compat.userAfterTool)) fault(`after ${before}`);
        break;
      case "assistant":
        if (before !== "user" && before !== "tool") fault(`after ${before}`);
        open = (message.tool_calls ?? []).map((call) => {
          if (ids.has(call.id)) fault(`${call.id} again`);
          if (compat.shortCallIds ? !/^[A-Za-z0-9]{9}$/.test(call.id) : call.id === "")
            fault(`id ${call.id}`);
          ids.add(call.id);
          const called = call.type === "function" ? call.function : { name: "", arguments: "" };
          if (!/^[A-Za-z0-9_-]{1,64}$/.test(called.name)) fault(`name ${called.name}`);
          if (!isObject(called.arguments)) fault(`arguments ${called.arguments}`);
          return call.id;
        });
        if (message.content === null && open.length === 0) fault("nothing in it");
        break;
      case "tool":
        if (open.shift() !== message.tool_call_id) fault(`${message.tool_call_id} out of turn`);
        break;
      default:
        fault("a role nobody knows");
    }
    if (message.content !== null && (typeof message.content !== "string" || message.content.trim() === ""))
      fault("blank");
    if (/\\ud[89a-f]/.test(JSON.stringify(message))) fault("half a character");
    before = message.role;
  }
  if (open.length > 0) found.push(`at the end: ${open.join(", ")} not answered`);
  return found;
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

it("any history becomes messages that no server refuses", () => {
  fc.assert(
    fc.property(brokenHistory, anyStyle, (history, style) => {
      expect(faults(toOpenAiMessages(history, style), style)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

/** What is said, called and answered, in order; for the server, without our own bridges. */
const ofHistory = (history: readonly Message[]): string[] =>
  history.flatMap((message) => {
    if (message.role === "tool") return [`${message.callId} = ${message.content}`];
    if (message.role !== "assistant") return [`${message.role}: ${message.text}`];
    const said = message.text.trim() === "" ? [] : [`assistant: ${message.text}`];
    return [...said, ...message.calls.map((call) => `${call.id} ${call.name} ${call.arguments}`)];
  });
const ofRequest = (messages: readonly ChatCompletionMessageParam[]): string[] =>
  messages.flatMap((message) => {
    if (message.role === "tool") return [`${message.tool_call_id} = ${message.content}`];
    const said = message.content === null ? [] : [`${message.role}: ${message.content}`];
    const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
    return [
      ...said.filter((words) => words !== "assistant: [MiniCode] The task ended here without an answer."),
      ...calls.map((call) =>
        call.type === "function" ? `${call.id} ${call.function.name} ${call.function.arguments}` : "",
      ),
    ];
  });

it("of a sound history nothing is lost, and everything keeps its order", () => {
  fc.assert(
    fc.property(soundHistory, anyStyle, (history, style) => {
      const plain = { ...style, compat: { ...style.compat, developerRole: false, shortCallIds: false } };
      const sent = toOpenAiMessages(history, plain);
      expect(ofRequest(sent)).toEqual(ofHistory(history));
      expect(faults(sent, plain)).toEqual([]);
      if (style.compat.reasoningField === "none" || style.thinking === false) return;
      const thoughts = history.flatMap((m) => (m.role === "assistant" && m.reasoning ? [m.reasoning] : []));
      const field = style.compat.reasoningField;
      const back = sent.flatMap((m) => (field in m ? [String(Reflect.get(m, field))] : []));
      expect(back.filter((thought) => thought !== " ")).toEqual(thoughts);
    }),
    { numRuns: 1_000 },
  );
});

it("each request goes on from the one before, byte for byte", () => {
  fc.assert(
    fc.property(fc.oneof(soundHistory, brokenHistory), anyStyle, (history, style) => {
      // A request is made before each answer.
      const asked = history.flatMap(({ role }, at) => (role === "assistant" && at > 0 ? [at] : []));
      const bodies = asked.map((at) =>
        JSON.stringify(toOpenAiMessages(history.slice(0, at), style)).slice(0, -1),
      );
      for (const [n, body] of bodies.entries()) {
        expect(body.startsWith(bodies[n - 1] ?? "")).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});

it("a sound history's requests grow with every step", () => {
  fc.assert(
    fc.property(soundHistory, anyStyle, (history, style) => {
      const asked = history.flatMap(({ role }, at) => (role === "assistant" ? [at] : []));
      const lengths = asked.map((at) => JSON.stringify(toOpenAiMessages(history.slice(0, at), style)).length);
      expect(lengths.every((length, n) => length > (lengths[n - 1] ?? 0))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
