// The user's settings.json. Read once at start by src/app.ts; a flag or an environment variable beats what is written here.
import { join } from "node:path";
import * as z from "zod";
import { readJson } from "../util/read-json.ts";
import type { Folders } from "./folders.ts";

const argvSchema = z.array(z.string()).min(1);
/** Longest time limit a program can be given: one day. */
const secondsSchema = z.number().int().positive().max(86_400);

const settingsSchema = z.strictObject({
  /** Id of the profile to start with; `--profile` beats it. */
  profile: z.string().optional(),
  /** Model requests one task may use; `--max-steps` beats it. */
  maxSteps: z.number().int().positive().optional(),
  checks: z
    .strictObject({
      /** argv of each program of the required check, run in order, instead of the project's own test. */
      required: z.array(argvSchema).min(1).optional(),
      /** Time limit of a check, in seconds. */
      timeoutSeconds: secondsSchema.optional(),
    })
    .optional(),
  /** Time limit of a command that is no check, in seconds. */
  commandTimeoutSeconds: secondsSchema.optional(),
  /** Names of the tools a session offers, instead of the default set. */
  tools: z.array(z.string()).min(1).optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

/** The settings of this user; empty when there is no file. Throws an `AppError` `E_SETTINGS` that names file and field. */
export async function loadSettings(folders: Folders): Promise<Settings> {
  return (await readJson(join(folders.config, "settings.json"), settingsSchema, "E_SETTINGS")) ?? {};
}
