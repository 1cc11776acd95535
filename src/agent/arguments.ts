// Reads the arguments a model wrote for a tool call. What is unambiguous is mended, the rest is said so that one step puts it right.

import type * as z from "zod";
import type { ZodType } from "zod";
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { readLooseJson } from "../util/loose-json.ts";
import { nearest } from "../util/nearest.ts";

const ECHO_LIMIT = 300;

/**
 * Parses `raw` against `schema`. Mended without a word (documented in docs/architecture.md): empty text for `{}`, a code
 * fence around the JSON, JSON inside a JSON string, a list or number given as text, one item where a list is wanted,
 * `null` for an absent field. Refuses with outcome `invalid`, naming each field and echoing what came.
 */
export function parseArguments<I>(raw: string, schema: ZodType<I>): Result<I> {
  const json = readLooseJson(raw.trim() === "" ? "{}" : raw);
  if (!json.ok)
    return refuse(
      "invalid",
      `The arguments are not valid JSON (${json.why}). Nothing was run. You sent: ${echo(raw)}`,
    );
  const object = json.value;
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    return refuse("invalid", `The arguments must be one JSON object. You sent: ${echo(raw)}`);
  }
  let value: object = object;
  for (let pass = 0; ; pass++) {
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) return ok(parsed.data);
    const mended = pass < 4 ? mend(value, parsed.error.issues) : undefined;
    if (mended === undefined) {
      const problems = parsed.error.issues.map((issue) => describe(issue, schema)).join("; ");
      return refuse("invalid", `${problems}. Nothing was run. You sent: ${echo(raw)}`);
    }
    value = mended;
  }
}

/** A copy of `value` with every issue mended that has only one reading, or undefined when none has. */
function mend(value: object, issues: readonly z.core.$ZodIssue[]): object | undefined {
  const copy: object = structuredClone(value);
  let changed = false;
  for (const issue of issues) {
    const last = issue.path.at(-1);
    const holder = issue.path.slice(0, -1).reduce<unknown>(step, copy);
    if (last === undefined || typeof holder !== "object" || holder === null) continue;
    const given = step(holder, last);
    const better = issue.code === "invalid_type" ? coerce(given, issue.expected) : undefined;
    if (better === undefined && given !== null) continue;
    // Whatever a field takes but null: where it is required after all, the next pass says that it is missing.
    if (given === null) Reflect.deleteProperty(holder, last);
    else Reflect.set(holder, last, better);
    changed = true;
  }
  return changed ? copy : undefined;
}

function step(holder: unknown, key: PropertyKey): unknown {
  return typeof holder === "object" && holder !== null ? Reflect.get(holder, key) : undefined;
}

function coerce(given: unknown, expected: string): unknown {
  if (typeof given === "string" && expected !== "string") {
    const json = readLooseJson(given);
    if (json.ok && kindOf(json.value) === (expected === "int" ? "number" : expected)) return json.value;
    if (expected === "array" && !/^\s*[[{]/.test(given)) return [given];
    return undefined;
  }
  if (expected === "array" && given !== undefined && given !== null && !Array.isArray(given)) return [given];
  if (expected === "string" && (typeof given === "number" || typeof given === "boolean"))
    return String(given);
  return undefined;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}

function describe(issue: z.core.$ZodIssue, schema: ZodType): string {
  const at = issue.path.length > 0 ? issue.path.join(".") : "arguments";
  if (issue.code === "unrecognized_keys") {
    const known = fieldsAt(schema, issue.path);
    const named = issue.keys.map((key) => {
      const close = nearest(key, known);
      return close ? `"${key}" (did you mean "${close}"?)` : `"${key}"`;
    });
    return `${at === "arguments" ? "" : `${at}: `}unknown field ${named.join(", ")}; the fields are ${known.join(", ")}`;
  }
  if (issue.code === "invalid_type" && issue.input === undefined) return `"${at}" is missing`;
  return `"${at}": ${issue.message}`;
}

/** Names of the fields an object schema has at `path`, read from its JSON Schema. */
function fieldsAt(schema: ZodType, path: readonly PropertyKey[]): string[] {
  let node: unknown = schema.toJSONSchema({ io: "input" });
  for (const key of path) {
    node = typeof key === "number" ? step(node, "items") : step(step(node, "properties"), key);
  }
  const properties = step(node, "properties");
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}

function echo(raw: string): string {
  return raw.length > ECHO_LIMIT ? `${raw.slice(0, ECHO_LIMIT)}… (${raw.length} characters)` : raw;
}
