// What is mended in a model's arguments, and what is said so that one step puts it right.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseArguments } from "../../src/agent/arguments.ts";

const schema = z.strictObject({
  path: z.string(),
  start: z.int().min(1).optional(),
  argv: z.array(z.string()).optional(),
  edits: z.array(z.strictObject({ old: z.string(), new: z.string() })).optional(),
  kind: z.enum(["a", "b"]).optional(),
});

function parsed(raw: string): unknown {
  const result = parseArguments(raw, schema);
  return result.ok ? result.value : result.refusal.message;
}

describe("mended without a word", () => {
  it.each([
    ["a fence", '```json\n{"path":"a"}\n```', { path: "a" }],
    ["JSON in a string", JSON.stringify('{"path":"a"}'), { path: "a" }],
    ["a number as text", '{"path":"a","start":"3"}', { path: "a", start: 3 }],
    ["null for absent", '{"path":"a","start":null,"kind":null}', { path: "a" }],
    ["one item for a list", '{"path":"a","argv":"npm"}', { path: "a", argv: ["npm"] }],
    ["a list as text", '{"path":"a","argv":"[\\"npm\\",\\"test\\"]"}', { path: "a", argv: ["npm", "test"] }],
    [
      "an object for a list",
      '{"path":"a","edits":{"old":"x","new":"y"}}',
      { path: "a", edits: [{ old: "x", new: "y" }] },
    ],
    ["a number for text", '{"path":7}', { path: "7" }],
  ])("%s", (_name, raw, expected) => {
    expect(parsed(raw)).toEqual(expected);
  });

  it("empty text for no arguments", () => {
    expect(parseArguments("", z.strictObject({})).ok).toBe(true);
  });
});

describe("refused, fixable in one step", () => {
  it.each([
    ["broken JSON", '{"path": ', /not valid JSON.*You sent: \{"path": /s],
    ["a missing field", "{}", /"path" is missing/],
    ["null for a field that is needed", '{"path":null}', /"path" is missing/],
    [
      "an unknown field",
      '{"paht":"a","path":"b"}',
      /unknown field "paht" \(did you mean "path"\?\); the fields are path, start, argv, edits, kind/,
    ],
    [
      "a nested unknown field",
      '{"path":"a","edits":[{"oldd":"x","old":"x","new":"y"}]}',
      /edits\.0: unknown field "oldd" \(did you mean "old"\?\)/,
    ],
    ["a wrong number", '{"path":"a","start":0}', /"start"/],
    ["a list", "[1]", /one JSON object/],
    ["text for a number", '{"path":"a","start":"soon"}', /"start"/],
  ])("%s", (_name, raw, message) => {
    expect(parsed(raw)).toMatch(message);
  });
});
