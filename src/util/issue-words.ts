// What zod found wrong with a value, in words for whoever wrote it. Used for flags, variables, settings, profiles and scripts.
import type * as z from "zod";

const kinds: Readonly<Record<string, string>> = {
  string: "text in double quotes",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list in square brackets",
  object: "an object in braces",
  record: "an object in braces",
};

/** Such as `must be a whole number`, to stand behind the name of the field. */
export function issueWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return bounded(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return bounded(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    default:
      return issue.message;
  }
}

function bounded(origin: string, how: string, bound: number | bigint): string {
  const one = how === "at least" && bound === 1;
  if (origin === "string") return one ? "must not be empty" : `must have ${how} ${bound} characters`;
  if (origin === "array") return one ? "must not be empty" : `must have ${how} ${bound} items`;
  return `must be ${how} ${bound}`;
}
