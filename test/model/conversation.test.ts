// What every server refuses a conversation for, and what is made of it (cases S02, S06).
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bridged, wellFormed } from "../../src/model/conversation.ts";
import type { Message } from "../../src/protocol/message.ts";
import { brokenHistory, soundHistory } from "./histories.ts";

const user: Message = { role: "user", text: "hi" };
const answer = (text: string, ...ids: string[]): Message => ({
  role: "assistant",
  text,
  calls: ids.map((id) => ({ id, name: "read", arguments: "{}" })),
});
const result = (callId: string, content: string): Message => ({
  role: "tool",
  callId,
  outcome: "ok",
  content,
});
const argumentsOf = (json: string): string | undefined => {
  const [, message] = wellFormed([
    user,
    { role: "assistant", text: "", calls: [{ id: "c", name: "read", arguments: json }] },
  ]);
  return message?.role === "assistant" ? message.calls[0]?.arguments : undefined;
};

/** One line per message, for what is not about the words. */
const outline = (messages: readonly Message[]): string[] =>
  messages.map((message) => {
    if (message.role === "tool") return `${message.callId}: ${message.content}`;
    const ids = message.role === "assistant" ? message.calls.map(({ id }) => id).join(" ") : "";
    return `${message.role}${ids === "" ? "" : ` ${ids}`}`;
  });

it("gives a sound conversation back as it is", () => {
  fc.assert(
    fc.property(soundHistory, (messages) => {
      const unparted = messages.some(({ role }, at) => role === "user" && messages[at - 1]?.role === "user");
      fc.pre(!unparted);
      expect(wellFormed(messages)).toEqual(messages);
    }),
    { numRuns: 1_000 },
  );
});

it("has nothing left to mend after the first time", () => {
  fc.assert(
    fc.property(brokenHistory, (messages) => {
      const formed = wellFormed(messages);
      expect(wellFormed(formed)).toEqual(formed);
    }),
    { numRuns: 1_000 },
  );
});

describe("results", () => {
  it("stand right after their calls, in call order, each once; the rest is left out", () => {
    const messages = [
      user,
      result("c0", "an orphan"),
      answer("", "c1", "c2", "c3"),
      user,
      result("c2", "two"),
      result("c1", "one"),
      result("c1", "one again"),
      answer("done"),
      result("c3", "too late"),
    ];
    expect(outline(wellFormed(messages))).toEqual([
      ...["user", "assistant c1 c2 c3", "c1: one", "c2: two"],
      "c3: cancelled: nothing is known of how this call ended",
      ...["user", "assistant"],
    ]);
    expect(wellFormed(messages)[4]).toMatchObject({ outcome: "cancelled" });
  });

  it("of one id that was used twice go to the calls in their order", () => {
    const messages = [user, answer("", "x", "x"), result("x", "one"), result("x", "two"), answer("", "x")];
    expect(outline([...wellFormed([...messages, result("x", "three")])])).toEqual([
      ...["user", "assistant x call00002", "x: one", "call00002: two"],
      ...["assistant call00003", "call00003: three"],
    ]);
  });
});

describe("ids", () => {
  it("that are missing or not accepted are replaced, also by one that comes later", () => {
    const messages = [user, answer("", "", "call00001", "a.b")];
    const accepted = (id: string): boolean => /^\w+$/.test(id);
    expect(outline(wellFormed(messages, accepted))[1]).toBe("assistant call00001 call00002 call00003");
  });
});

describe("messages", () => {
  it("without words are left out or say so", () => {
    const messages = [user, answer(" \n"), { ...user, text: "" }, answer("", "c1"), result("c1", " ")];
    expect(wellFormed(messages)).toMatchObject([
      user,
      { role: "assistant", text: "[MiniCode] The task ended here without an answer." },
      { role: "user", text: "(empty)" },
      { role: "assistant", text: "", calls: [{ id: "c1" }] },
      { role: "tool", content: "(empty)" },
    ]);
  });

  it("of the system are one, at the beginning; later ones are data", () => {
    const system = (text: string): Message => ({ role: "system", text });
    expect(wellFormed([system("one"), system(""), system("two"), user, answer("a"), system("late")])).toEqual(
      [system("one\n\ntwo"), user, answer("a"), { role: "user", text: "late" }],
    );
    expect(wellFormed([system(" ")])).toEqual([]);
  });

  it("of the assistant never come first, and never one after the other", () => {
    expect(wellFormed([answer("a"), answer("b")])).toEqual([
      { role: "user", text: "[MiniCode] What came before is left out." },
      answer("a"),
      { role: "user", text: "[MiniCode] Go on." },
      answer("b"),
    ]);
  });

  it("keep no half of a character", () => {
    const torn: Message = { role: "assistant", text: "a\ud83d", reasoning: "\udc4d", calls: [] };
    expect(wellFormed([user, torn])[1]).toEqual({ ...torn, text: "a\ufffd", reasoning: "\ufffd" });
  });

  it("keep what was carried", () => {
    const carried = { provider: "p", model: "m", blocks: [{ signature: "s" }] };
    const message: Message = { role: "assistant", text: "a", carried, calls: [] };
    expect(wellFormed([user, message])[1]).toEqual(message);
  });
});

describe("arguments", () => {
  it.each(["", "{", '{"path": ', "null", "[1]", '"text"', "undefined"])("%j become {}", (json) => {
    expect(argumentsOf(json)).toBe("{}");
  });

  it("that are an object keep their bytes", () => {
    const json = '{ "b": 1,\n"a": "\\u00e9" }';
    expect(argumentsOf(json)).toBe(json);
  });

  it("are what was run where they were mended: JSON in a string, in a fence", () => {
    expect(argumentsOf(JSON.stringify('{"path":"a"}'))).toBe('{"path":"a"}');
    expect(argumentsOf('```json\n{"path":"a"}\n```')).toBe('{"path":"a"}');
  });

  it("keep no half of a character, escaped or not", () => {
    expect(argumentsOf('{"a\\ud83d":["\\uD83D",{"b":1}]}')).toBe('{"a\ufffd":["\ufffd",{"b":1}]}');
    expect(argumentsOf('{"a":"\ud83d"}')).toBe('{"a":"\ufffd"}');
    expect(argumentsOf('{"a":"\\ud83d\\udc4d"}')).toBe('{"a":"👍"}');
  });
});

it.each([
  ["functions.read file", "functions_read_file"],
  ["", "unknown"],
  ["x".repeat(99), "x".repeat(64)],
])("the name %j, which servers refuse, is mended", (name, sent) => {
  const call = { id: "c1", name, arguments: "{}" };
  expect(wellFormed([user, { role: "assistant", text: "", calls: [call] }])[1]).toMatchObject({
    calls: [{ name: sent }],
  });
});

describe("a bridge", () => {
  it("parts a user message from a result, and nothing else", () => {
    const messages = [user, answer("", "c1"), result("c1", "x"), user, answer("done"), user];
    expect(outline(bridged(messages))).toEqual([
      ...["user", "assistant c1", "c1: x", "assistant", "user", "assistant", "user"],
    ]);
  });
});
