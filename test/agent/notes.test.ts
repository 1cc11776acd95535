// MiniCode's own words to the model: where they go, and that they never make a conversation that a server refuses.
import { describe, expect, it } from "vitest";
import { bridged, note, withNotes } from "../../src/agent/notes.ts";
import type { Message, ToolMessage } from "../../src/protocol/message.ts";

const tool = (content: string): ToolMessage => ({ role: "tool", callId: content, outcome: "ok", content });
const user: Message = { role: "user", text: "u" };
const assistant: Message = { role: "assistant", text: "a", calls: [] };
const roles = (messages: readonly Message[]): string => messages.map(({ role }) => role[0]).join("");

describe("notes", () => {
  it("stand under the marker behind the last result, and the others stay as they are", () => {
    expect(note("x")).toBe("[MiniCode] x");
    expect(withNotes([tool("one"), tool("two")], ["first", "second"])).toEqual([
      tool("one"),
      { ...tool("two"), content: "two\n\n[MiniCode] first\n\n[MiniCode] second" },
    ]);
  });

  it("change nothing where there is none, or no result", () => {
    expect(withNotes([tool("one")], [])).toEqual([tool("one")]);
    expect(withNotes([], ["lost"])).toEqual([]);
  });
});

describe("a bridge", () => {
  it.each([
    ["ua", "ua"],
    ["uu", "uau"],
    ["uatu", "uatau"],
    ["uattau", "uattau"],
    ["uuu", "uauau"],
    ["", ""],
  ])("%s becomes %s", (given, expected) => {
    const messages = [...given].map((c) => (c === "u" ? user : c === "t" ? tool("t") : assistant));
    expect(roles(bridged(messages))).toBe(expected);
  });

  it("is the same each time, so that requests extend each other", () => {
    const short = [user, assistant, tool("t"), user];
    expect(bridged([...short, assistant, user]).slice(0, 5)).toEqual(bridged(short));
  });
});
