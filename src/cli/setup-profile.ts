// What set-up makes of its answers: a profile in the user's folder, and the settings' word to start with it.
import { access } from "node:fs/promises";
import { join } from "node:path";
import { setSetting } from "../config/edit-settings.ts";
import type { Folders } from "../config/folders.ts";
import { settingKey } from "../config/setting-keys.ts";
import { writeJson } from "../config/write-json.ts";
import { AppError, errnoOf } from "../util/errors.ts";
import { isSet, type ServerProfile } from "./server-profile.ts";
import type { ChosenModel } from "./setup-model.ts";

export interface MadeProfile {
  id: string;
  /** Whether it can be used in this process: the key that it needs is in the environment. */
  ready: boolean;
  /** Whether MiniCode starts with it from now on. */
  start: boolean;
}

/** The server's profile with another id and model; what it says of its own model alone is not kept for another one. */
export function madeProfile(
  server: ServerProfile,
  id: string,
  { model, contextWindow }: ChosenModel,
): ServerProfile {
  const { $schema, modelEnv, contextWindow: own, maxOutputTokens, pricing, ...rest } = server;
  const kept = server.model === undefined || model === server.model ? { maxOutputTokens, pricing } : {};
  return { ...rest, ...kept, id, model, contextWindow };
}

/** Whether a new profile may have this id. */
export function isFreeId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(id) && !["offline", "scripted", "setup"].includes(id);
}

/** Whether this is a variable's name and not, by mistake, a key: one with a "_" in it, or one that is set. */
export function isVariableName(text: string, env: NodeJS.ProcessEnv): boolean {
  return /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(text) || (/^[A-Za-z_]\w*$/.test(text) && isSet(text, env));
}

/** Where the user's profile of this id is kept, and whether it is there. */
export async function profilePlace(places: Folders, id: string): Promise<{ file: string; exists: boolean }> {
  const file = join(places.config, "profiles", `${id}.json`);
  try {
    await access(file);
    return { file, exists: true };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { file, exists: false };
    throw new AppError("E_PROFILE", `cannot look at ${file} (${errnoOf(error)})`, { cause: error });
  }
}

/** Writes the profile, whole or not at all, for its user alone; gives its path. */
export async function writeProfile(places: Folders, profile: ServerProfile): Promise<string> {
  const { file } = await profilePlace(places, profile.id);
  await writeJson(file, Object.fromEntries(Object.entries(profile).sort(byPlace)), "E_PROFILE");
  return file;
}

/** The fields that say most come first: people read and change these files. */
const leading = ["id", "label", "provider", "baseUrl", "model", "apiKeyEnv", "keyRequired", "contextWindow"];

function byPlace([a]: [string, unknown], [b]: [string, unknown]): number {
  const place = (name: string): number => (leading.includes(name) ? leading.indexOf(name) : leading.length);
  return place(a) - place(b);
}

/** Makes MiniCode start with the profile; gives the settings file's path. Throws `E_SETTINGS` for settings that are broken. */
export async function startWith(places: Folders, id: string): Promise<string> {
  return setSetting(places, settingKey("profile"), id);
}
