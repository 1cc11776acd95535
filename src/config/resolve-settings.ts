// What every setting is and who said so: a flag beats the environment, that the user's file, that the default. Used by
// src/app.ts and by the commands that show the configuration.
import type { Folders } from "./folders.ts";
import { readValue, type SettingKey, settingKeys } from "./setting-keys.ts";
import { loadSettings, type Settings, settingsSchema } from "./settings.ts";
import { type Data, valueAt, withValue } from "./value-at.ts";

export type Origin = "flag" | "environment" | "user" | "default";

export interface ResolvedSetting extends SettingKey {
  /** Undefined: nobody says anything, and there is no default. */
  value: unknown;
  origin: Origin;
}

export interface ResolvedSettings {
  /** What somebody said; defaults are not filled in. */
  settings: Settings;
  /** Each setting there is, in the order of the schema, with defaults. */
  each: readonly ResolvedSetting[];
}

/** Reads the user's file and resolves. Throws `E_SETTINGS` for a file or a variable that is wrong, naming the field. */
export async function settingsInForce(
  folders: Folders,
  env: NodeJS.ProcessEnv,
  flags: Settings,
): Promise<ResolvedSettings> {
  return resolveSettings(await loadSettings(folders), env, flags);
}

/** The same with the file's content. A variable that is empty or blank counts as not set. */
export function resolveSettings(file: Settings, env: NodeJS.ProcessEnv, flags: Settings): ResolvedSettings {
  const each = settingKeys.map((setting) => resolve(setting, file, env, flags));
  const said = each
    .filter(({ origin }) => origin !== "default")
    .reduce<Data>((all, { path, value }) => withValue(all, path, value), {});
  return { settings: settingsSchema.parse(said), each };
}

function resolve(
  setting: SettingKey,
  file: Settings,
  env: NodeJS.ProcessEnv,
  flags: Settings,
): ResolvedSetting {
  const { path, variable, byDefault } = setting;
  const fromFlag = valueAt(flags, path);
  if (fromFlag !== undefined) return { ...setting, value: fromFlag, origin: "flag" };
  const text = env[variable]?.trim() ?? "";
  if (text !== "") return { ...setting, value: readValue(setting, text, variable), origin: "environment" };
  const fromFile = valueAt(file, path);
  if (fromFile !== undefined) return { ...setting, value: fromFile, origin: "user" };
  return { ...setting, value: byDefault, origin: "default" };
}
