// Profiles: which model to ask, and how. Shipped in profiles/, the user's own in <config>/profiles/ override them by id.
// A profile holds names of environment variables, never a key; src/config/ready-profile.ts reads the variables.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { AppError, errnoOf } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import { readJson } from "../util/read-json.ts";
import type { Folders } from "./folders.ts";
import { packageRoot } from "./package-root.ts";
import { type Profile, profileSchema } from "./profile-schema.ts";

/** Ids of all profiles there are, shipped and the user's, sorted. */
export async function listProfiles(folders: Folders): Promise<string[]> {
  const ids = await Promise.all(profileFolders(folders).map(idsIn));
  return [...new Set(ids.flat())].sort();
}

/** One profile. Throws an `AppError` `E_PROFILE` that names the nearest and all others, or the file and field at fault. */
export async function loadProfile(id: string, folders: Folders): Promise<Profile> {
  const ids = await listProfiles(folders);
  if (!ids.includes(id)) {
    const meant = nearest(id, ids);
    throw new AppError(
      "E_PROFILE",
      `there is no profile "${id}"${meant === undefined ? "" : `, did you mean "${meant}"?`}`,
      {
        hint: `Profiles: ${ids.join(", ")}.`,
      },
    );
  }
  for (const folder of profileFolders(folders)) {
    const file = join(folder, `${id}.json`);
    const profile = await readJson(file, profileSchema, "E_PROFILE");
    if (profile === undefined) continue;
    if (profile.id === id) return profile;
    throw new AppError("E_PROFILE", `${file}: id: must be "${id}" like the file's name, not "${profile.id}"`);
  }
  throw new AppError("E_PROFILE", `the profile "${id}" was removed while it was read`);
}

/** The first that has a profile wins. */
function profileFolders(folders: Folders): string[] {
  return [join(folders.config, "profiles"), join(packageRoot(), "profiles")];
}

async function idsIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw new AppError("E_PROFILE", `cannot list ${folder}`, { cause: error });
  }
}
