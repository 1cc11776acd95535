// Tools as the model is told of them: JSON Schema without `$schema` and default bounds, the same bytes all session long.
import * as z from "zod";
import type { ToolSpec } from "../protocol/model.ts";
import type { Tool } from "../tools/contract.ts";

const made = new WeakMap<readonly Tool[], ToolSpec[]>();

export function toolSpecs(tools: readonly Tool[]): ToolSpec[] {
  const known = made.get(tools);
  if (known) return known;
  const specs = tools.map(({ name, description, input }) => ({
    name,
    description,
    parameters: parametersOf(input),
  }));
  made.set(tools, specs);
  return specs;
}

function parametersOf(input: z.ZodType): Record<string, unknown> {
  const schema = z.toJSONSchema(input, { io: "input", override: ({ jsonSchema }) => slim(jsonSchema) });
  const { $schema: _, ...rest } = schema;
  return rest;
}

/** zod writes the bounds of a safe integer out in full; they tell a model nothing. */
function slim(schema: Record<string, unknown>): void {
  if (schema["maximum"] === Number.MAX_SAFE_INTEGER) delete schema["maximum"];
  if (schema["minimum"] === Number.MIN_SAFE_INTEGER) delete schema["minimum"];
}
