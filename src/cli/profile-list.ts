// The profiles as /model lists them: the usable ones first, the others with what they lack. No URLs, no keys.
import { type Folders, folders } from "../config/folders.ts";
import { listProfiles, loadProfile } from "../config/profiles.ts";
import { readyProfile } from "../config/ready-profile.ts";
import { en } from "../i18n/en.ts";
import { safeLine } from "../policy/safe-text.ts";
import { AppError } from "../util/errors.ts";
import { isServerProfile, missingKey } from "./server-profile.ts";

interface State {
  id: string;
  /** Label and model, as far as they are known. */
  about: string;
  /** What it lacks to be used; null for nothing. */
  lacks: string | null;
}

/** A name and a meaning for each profile that a session can go on with; `current` is marked. */
export async function profileItems(current: string, env: NodeJS.ProcessEnv): Promise<[string, string][]> {
  const places = folders(env, process.platform);
  const ids = (await listProfiles(places)).filter((id) => id !== "offline");
  const states = await Promise.all(ids.map((id) => stateOf(id, places, env)));
  const ready = states.filter(({ lacks }) => lacks === null);
  return [...ready, ...states.filter(({ lacks }) => lacks !== null)].map(({ id, about, lacks }) => [
    `${id === current ? "❯" : " "} ${safeLine(id)}`,
    safeLine([lacks ?? en["tui.model.ready"], about].filter((part) => part !== "").join(" · ")),
  ]);
}

async function stateOf(id: string, places: Folders, env: NodeJS.ProcessEnv): Promise<State> {
  let about = "";
  try {
    const profile = await loadProfile(id, places);
    about = profile.label;
    const missing = isServerProfile(profile) ? missingKey(profile, env) : null;
    const ready = readyProfile(isServerProfile(profile) ? { ...profile, keyRequired: false } : profile, env);
    if ("model" in ready) about = `${profile.label}, ${ready.model}`;
    return { id, about, lacks: missing === null ? null : en["setup.key.needed"](missing) };
  } catch (error) {
    if (error instanceof AppError)
      return { id, about, lacks: error.message.replace(/^profile ".*?" is /, "") };
    throw error;
  }
}
