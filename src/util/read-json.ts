// Reads one JSON file of the user's through its schema. Says what is wrong by file, field and, for a mistyped field, by its
// nearest name. Used for settings, profiles and scripts.
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { AppError, errnoOf, messageOf } from "./errors.ts";
import { issueWords } from "./issue-words.ts";
import { jsonFault } from "./json-fault.ts";
import { nearest } from "./nearest.ts";

/**
 * The file's content as the schema gives it, or undefined when there is no such file. Anything else that is wrong is an
 * `AppError` with `code` that names the file and every field at fault.
 */
export async function readJson<T>(file: string, schema: z.ZodType<T>, code: string): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw new AppError(code, `cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
  const json = text.replace(/^\uFEFF/, "");
  const fault = jsonFault(json);
  if (fault !== undefined) {
    throw new AppError(code, `${file} is not JSON: ${fault}`, { hint: "Correct the file, or move it away." });
  }
  const data: unknown = JSON.parse(json);
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => describe(issue, schema));
  throw new AppError(code, `${file}: ${faults.join("; ")}`, { hint: "Correct the file, or move it away." });
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  const where = issue.path.join(".");
  if (issue.code !== "unrecognized_keys")
    return where === "" ? issueWords(issue) : `${where}: ${issueWords(issue)}`;
  const known = [...knownKeys(schema, issue.path)];
  return issue.keys
    .map((key) => {
      const name = where === "" ? key : `${where}.${key}`;
      const meant = nearest(
        key,
        known.filter((other) => other !== key),
      );
      return `unknown field "${name}"${meant === undefined ? "" : `, did you mean "${meant}"?`}`;
    })
    .join("; ");
}

/** The keys that an object at `path` may have; empty where the schema has no object. */
function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): Set<string> {
  if (schema instanceof z.ZodOptional) return knownKeys(schema.unwrap(), path);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return new Set(schema.options.flatMap((option) => [...knownKeys(option, path)]));
  }
  if (schema instanceof z.ZodArray) return knownKeys(schema.element, path.slice(1));
  if (!(schema instanceof z.ZodObject)) return new Set();
  const [head, ...rest] = path;
  if (head === undefined) return new Set(Object.keys(schema.shape));
  const inner: z.core.$ZodType | undefined = schema.shape[String(head)];
  return inner === undefined ? new Set() : knownKeys(inner, rest);
}
