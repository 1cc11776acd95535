import fc from "fast-check";
import { expect, it } from "vitest";
import { redactedEvents } from "../../src/agent/redacted-events.ts";
import { redactorFor } from "../../src/policy/secrets.ts";
import type { AgentEvent } from "../../src/protocol/event.ts";

const key = "sk-abc-0123456789";

function play(events: readonly AgentEvent[]): AgentEvent[] {
  const out: AgentEvent[] = [];
  const sink = redactedEvents(redactorFor([key]), (event) => out.push(event));
  for (const event of events) sink(event);
  return out;
}

it("a key streamed in any pieces, as text or output, shows in none of them and not in all of them together (TH70)", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(8), { minLength: 1, maxLength: 20 }),
      fc.constantFrom("", "before ", "sk-", "sk-abc-"),
      fc.boolean(),
      (sizes, before, asText) => {
        const whole = `${before}${key} after`;
        const pieces: string[] = [];
        let at = 0;
        for (const size of sizes) {
          pieces.push(whole.slice(at, at + size));
          at += size;
        }
        pieces.push(whole.slice(at));
        const events = pieces.map(
          (text): AgentEvent => (asText ? { type: "text", text } : { type: "output", seq: 3, text }),
        );
        const out = play([...events, { type: "note", text: "end" }]);
        const shown = out.map((e) => ("text" in e && e.type !== "note" ? e.text : "")).join("");
        expect(shown).toBe(whole.replace(key, "<redacted>"));
      },
    ),
    { numRuns: 1_000 },
  );
});

it("what was held back comes before what ends the stream", () => {
  expect(
    play([
      { type: "text", text: "it is sk-a" },
      { type: "answer", text: "it is sk-a" },
      { type: "output", seq: 1, text: "sk-" },
      { type: "output", seq: 2, text: "other" },
      { type: "step-started", step: 2, of: 50 },
    ]),
  ).toEqual([
    { type: "text", text: "it is " },
    { type: "text", text: "sk-a" },
    { type: "answer", text: "it is sk-a" },
    { type: "output", seq: 2, text: "other" },
    { type: "output", seq: 1, text: "sk-" },
    { type: "step-started", step: 2, of: 50 },
  ]);
});
