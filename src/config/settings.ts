// The user's settings.json: what it may hold, and what holds without it. Read through resolve-settings.ts, where flags and
// environment variables beat it, and edited by edit-settings.ts.
import { join } from "node:path";
import * as z from "zod";
import { permissionModeSchema, ruleSchema } from "../policy/rules.ts";
import { readJson } from "../util/read-json.ts";
import type { Folders } from "./folders.ts";

const argvSchema = z.array(z.string()).min(1);
/** Longest time limit a program can be given: one day. */
const secondsSchema = z.number().int().positive().max(86_400);

/** What holds where nobody says otherwise; a setting without a value here is then simply not there. */
export const settingDefaults = {
  profile: "offline",
  maxSteps: 50,
  checks: { timeoutSeconds: 600 },
  commandTimeoutSeconds: 120,
  offline: false,
  sandbox: "auto",
  permissions: { mode: "auto-read" },
} as const;

/**
 * Every setting has a description. Its dotted key and its variable (setting-keys.ts) come from its place here; a default stands
 * in `settingDefaults`.
 */
export const settingsSchema = z
  .strictObject({
    $schema: z.string().optional().meta({
      description: "Where the JSON Schema of this file is, for editors.",
    }),
    profile: z.string().min(1).optional().meta({
      description: "Id of the profile to start with; --profile beats it.",
      default: settingDefaults.profile,
    }),
    maxSteps: z.number().int().positive().optional().meta({
      description: "Model requests one task may use; --max-steps beats it.",
      default: settingDefaults.maxSteps,
    }),
    maxCostUsd: z.number().positive().optional().meta({
      description:
        "US dollars one task may cost, as far as the profile's prices tell; no limit when absent. --max-cost beats it.",
    }),
    checks: z
      .strictObject({
        required: z.array(argvSchema).min(1).optional().meta({
          description:
            "argv of each program of the required check, run in order, instead of the project's own test.",
        }),
        timeoutSeconds: secondsSchema.optional().meta({
          description: "Time limit of a check, in seconds.",
          default: settingDefaults.checks.timeoutSeconds,
        }),
      })
      .optional()
      .meta({ description: "What must pass before a change counts as verified." }),
    commandTimeoutSeconds: secondsSchema.optional().meta({
      description: "Time limit of a command that is no check, in seconds.",
      default: settingDefaults.commandTimeoutSeconds,
    }),
    offline: z.boolean().optional().meta({
      description:
        "Nothing leaves this machine: no pages, no network commands, only models on it. --offline sets it for one run.",
      default: settingDefaults.offline,
    }),
    sandbox: z.enum(["auto", "require", "off"]).optional().meta({
      description:
        "Whether approved programs are confined with bubblewrap: where it works (auto), or else not at all (require: the session does not start), or never (off). --sandbox beats it.",
      default: settingDefaults.sandbox,
    }),
    permissions: z
      .strictObject({
        mode: permissionModeSchema.optional().meta({
          description: "What passes without asking in free sessions; --permissions beats it.",
          default: settingDefaults.permissions.mode,
        }),
        rules: z.array(ruleSchema).optional().meta({
          description: "Your own rules; deny wins over ask, ask over allow.",
        }),
      })
      .optional()
      .meta({ description: "What MiniCode may do without asking." }),
    tools: z.array(z.string()).min(1).optional().meta({
      description: "Names of the tools a session offers, instead of the default set.",
    }),
  })
  .meta({ title: "MiniCode's settings" });
export type Settings = z.infer<typeof settingsSchema>;

export function settingsFile(folders: Folders): string {
  return join(folders.config, "settings.json");
}

/** The settings of this user; empty when there is no file. Throws an `AppError` `E_SETTINGS` that names file and field. */
export async function loadSettings(folders: Folders): Promise<Settings> {
  return (await readJson(settingsFile(folders), settingsSchema, "E_SETTINGS")) ?? {};
}
