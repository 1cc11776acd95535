// Changes one setting in the user's settings.json and leaves the rest of the file as it is. Used by `minicode config`.
import * as z from "zod";
import { AppError } from "../util/errors.ts";
import { readJson } from "../util/read-json.ts";
import type { Folders } from "./folders.ts";
import { looksLikeKey } from "./key-like.ts";
import { loadProfile } from "./profiles.ts";
import { readValue, type SettingKey } from "./setting-keys.ts";
import { loadSettings, settingsFile } from "./settings.ts";
import { type Data, valueAt, withoutValue, withValue } from "./value-at.ts";
import { writeJson } from "./write-json.ts";

/**
 * Sets one setting from text (see `readValue`); gives the file's path. Throws `E_SETTINGS` for a value that the setting cannot
 * have or that looks like a key, and for a file that is broken: that one is never overwritten; `E_PROFILE` for a profile that is
 * not there.
 */
export async function setSetting(folders: Folders, setting: SettingKey, text: string): Promise<string> {
  const { key, path } = setting;
  if (looksLikeKey(text)) {
    throw new AppError("E_SETTINGS", `${key}: this looks like a key, and a key does not belong in a file`, {
      hint: "Export it as an environment variable, and name that variable as apiKeyEnv in a profile.",
    });
  }
  const value = readValue(setting, text, key);
  if (key === "profile") await loadProfile(text, folders);
  return write(folders, withValue(await readData(folders), path, value));
}

/** Takes the setting out of the file; gives the file's path, null when it was not there. Throws `E_SETTINGS` for a broken file. */
export async function unsetSetting(folders: Folders, { path }: SettingKey): Promise<string | null> {
  const data = await readData(folders);
  return valueAt(data, path) === undefined ? null : write(folders, withoutValue(data, path));
}

/** The file as it is, once it is known to hold settings and nothing else. */
async function readData(folders: Folders): Promise<Data> {
  await loadSettings(folders);
  return (await readJson(settingsFile(folders), z.record(z.string(), z.json()), "E_SETTINGS")) ?? {};
}

async function write(folders: Folders, data: Data): Promise<string> {
  const file = settingsFile(folders);
  await writeJson(file, data, "E_SETTINGS");
  return file;
}
