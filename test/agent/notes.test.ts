// MiniCode's own words to the model, and where they go.
import { describe, expect, it } from "vitest";
import { withNotes } from "../../src/agent/notes.ts";
import type { ToolMessage } from "../../src/protocol/message.ts";
import { note } from "../../src/protocol/note.ts";

const tool = (content: string): ToolMessage => ({ role: "tool", callId: content, outcome: "ok", content });

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
