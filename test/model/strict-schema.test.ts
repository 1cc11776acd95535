// Schemas as `strict` wants them, and that our own check takes what such a schema lets a model say.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseArguments } from "../../src/agent/arguments.ts";
import { toolSpecs } from "../../src/agent/specs.ts";
import { strictSchema } from "../../src/model/strict-schema.ts";
import { toolsFor } from "../../src/tools/registry.ts";
import { unconfined } from "../helpers/sandbox.ts";

const limits = { timeoutMs: 1_000, environment: {}, sandbox: unconfined };
const tools = toolsFor({ mode: "edit", guided: false }, { check: limits, command: limits });
const specs = toolSpecs(tools);

describe("a schema", () => {
  test("that allows fields without a name cannot be strict", () => {
    const open = { type: "object", properties: {} };
    expect(strictSchema(open)).toBeUndefined();
    const inside = {
      type: "object",
      properties: { a: { type: "array", items: open } },
      additionalProperties: false,
    };
    expect(strictSchema(inside)).toBeUndefined();
    const either = { ...inside, properties: { a: { anyOf: [{ type: "null" }, open] } } };
    expect(strictSchema(either)).toBeUndefined();
    expect(strictSchema({ oneOf: [] })).toBeUndefined();
  });

  test("keeps what it says otherwise, also inside of lists", () => {
    const item = {
      type: "object",
      properties: { b: { type: "string", default: "x" } },
      additionalProperties: false,
    };
    const schema = {
      type: "object",
      properties: { a: { type: "array", minItems: 1, items: item, description: "d" } },
      required: ["a"],
      additionalProperties: false,
    };
    const b = { anyOf: [{ type: "string" }, { type: "null" }] };
    const strictItem = { ...item, properties: { b }, required: ["b"] };
    expect(strictSchema(schema)).toEqual({
      ...schema,
      properties: { a: { type: "array", minItems: 1, items: strictItem, description: "d" } },
    });
  });
});

/** What a model may say under a strict schema: null wherever that is allowed, or a value that fits. */
function saidUnder(schema: unknown): fc.Arbitrary<unknown> {
  const { type, anyOf, properties, items, enum: values, minimum }: Record<string, unknown> = Object(schema);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(saidUnder));
  if (Array.isArray(values)) return fc.constantFrom(...values);
  switch (type) {
    case "null":
      return fc.constant(null);
    case "string":
      return fc.constantFrom("a", "b.txt");
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: Number(minimum ?? 0), max: 5 });
    case "array":
      return fc.array(saidUnder(items), { minLength: 1, maxLength: 2 });
    default:
      return fc.record(
        Object.fromEntries(Object.entries(Object(properties)).map(([name, part]) => [name, saidUnder(part)])),
      );
  }
}

test.each(tools.map((tool, n) => [tool.name, tool, specs[n]?.parameters ?? {}] as const))(
  "%s: what its strict schema allows is accepted, null for an absent field",
  (_, tool, parameters) => {
    const schema = strictSchema(parameters);
    expect(schema).toBeDefined();
    fc.assert(
      fc.property(saidUnder(schema), (said) => {
        expect(parseArguments(JSON.stringify(said), tool.input)).toMatchObject({ ok: true });
      }),
      { numRuns: 200 },
    );
  },
);
