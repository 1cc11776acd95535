// The settings as a flat list of dotted keys, each with its schema and its variable, read off the schema itself. Used to resolve
// and edit them, and by `minicode config`.
import * as z from "zod";
import { AppError } from "../util/errors.ts";
import { issueWords } from "../util/issue-words.ts";
import { nearest } from "../util/nearest.ts";
import { settingsSchema } from "./settings.ts";

export interface SettingKey {
  /** Such as "checks.timeoutSeconds". */
  key: string;
  /** The names on the way to it from the file's top. */
  path: readonly string[];
  /** Of its value, when it has one. */
  schema: z.core.$ZodType;
  /** The variable that beats the file, such as "MINICODE_CHECKS_TIMEOUT". */
  variable: string;
  /** What holds where nobody says; undefined: nothing does. */
  byDefault: unknown;
}

/** Every setting, in the order of the schema. */
export const settingKeys: readonly SettingKey[] = keysOf(settingsSchema, []);

/** The setting of that name. Throws `E_SETTINGS` with the nearest one. */
export function settingKey(key: string): SettingKey {
  const found = settingKeys.find((setting) => setting.key === key);
  if (found !== undefined) return found;
  const keys = settingKeys.map((setting) => setting.key);
  const meant = nearest(key, keys);
  const message = `there is no setting "${key}"${meant === undefined ? "" : `, did you mean "${meant}"?`}`;
  throw new AppError("E_SETTINGS", message, { hint: `Settings: ${keys.join(", ")}.` });
}

/**
 * A value written as text, in a variable or on the command line: text and words as they are, a switch also as 1 or 0, all else as
 * JSON. `place` is what a fault is called by. Throws `E_SETTINGS` for a value that the setting cannot have.
 */
export function readValue({ schema }: SettingKey, text: string, place: string): unknown {
  const value = typed(schema, text, place);
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return value;
  const faults = parsed.error.issues.map(
    (issue) => `${[place, ...issue.path].join(".")}: ${issueWords(issue)}`,
  );
  throw new AppError("E_SETTINGS", faults.join("; "));
}

function keysOf(object: z.ZodObject, path: readonly string[]): SettingKey[] {
  return Object.entries(object.shape).flatMap(([name, field]) => {
    if (name === "$schema") return [];
    const here = [...path, name];
    const schema = field instanceof z.ZodOptional ? field.unwrap() : field;
    if (schema instanceof z.ZodObject) return keysOf(schema, here);
    const byDefault = z.globalRegistry.get(field)?.["default"];
    return [{ key: here.join("."), path: here, schema, variable: variableOf(here), byDefault }];
  });
}

/** The key in capitals behind MINICODE_, without the unit at its end. */
function variableOf(path: readonly string[]): string {
  const words = path.join(".").replace(/(Seconds|Usd)$/, "");
  return `MINICODE_${words.replace(/[A-Z]/g, "_$&").replaceAll(".", "_").toUpperCase()}`;
}

const switches: ReadonlyMap<string, boolean> = new Map([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);

function typed(schema: z.core.$ZodType, text: string, place: string): unknown {
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return text;
  if (schema instanceof z.ZodBoolean) return switches.get(text) ?? text;
  if (schema instanceof z.ZodNumber) return Number(text);
  return readJsonText(text, place);
}

function readJsonText(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const hint = `Lists are written as JSON, in quotes for the shell: '["npm", "test"]'.`;
    throw new AppError("E_SETTINGS", `${place}: this is no JSON value`, { hint, cause: error });
  }
}
