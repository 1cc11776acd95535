// What zod finds, in words.
import { expect, it } from "vitest";
import * as z from "zod";
import { issueWords } from "../../src/util/issue-words.ts";

it.each<[z.ZodType, unknown, string]>([
  [z.coerce.number(), "many", "must be a number"],
  [z.number(), "1", "must be a number"],
  [z.number().int(), 2.5, "must be a whole number"],
  [z.number().positive(), 0, "must be more than 0"],
  [z.number().min(1), 0, "must be at least 1"],
  [z.number().max(5), 9, "must be at most 5"],
  [z.string(), 1, "must be text in double quotes"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().max(2), "abc", "must have at most 2 characters"],
  [z.boolean(), 1, "must be true or false"],
  [z.array(z.string()), {}, "must be a list in square brackets"],
  [z.array(z.string()).min(1), [], "must not be empty"],
  [z.array(z.string()).min(2), ["a"], "must have at least 2 items"],
  [z.strictObject({}), [], "must be an object in braces"],
  [z.record(z.string(), z.number()), [], "must be an object in braces"],
  [z.enum(["a", "b"]), "c", "must be one of a, b"],
  [z.literal(true), false, "must be true"],
  [z.string().refine((text) => text !== "x", "must not be x"), "x", "must not be x"],
])("%# %j", (schema, value, words) => {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  expect(issue && issueWords(issue)).toBe(words);
});
