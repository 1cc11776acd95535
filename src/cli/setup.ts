// `minicode setup`: a few questions make a profile; with flags, none are asked. No key is asked for, stored or shown.
import { checkBaseUrl } from "../config/base-url.ts";
import { type Folders, folders } from "../config/folders.ts";
import { listProfiles, loadProfile } from "../config/profiles.ts";
import { settingsInForce } from "../config/resolve-settings.ts";
import { loadSettings, settingDefaults } from "../config/settings.ts";
import { en } from "../i18n/en.ts";
import { withDialogue } from "./dialogue.ts";
import { exitCodes } from "./exit-codes.ts";
import { type Flags, flagSettings, usage } from "./flags.ts";
import { type Io, write } from "./io.ts";
import { isServerProfile, missingKey, readyServer, type ServerProfile } from "./server-profile.ts";
import { setUp } from "./setup-flow.ts";
import {
  isFreeId,
  isVariableName,
  type MadeProfile,
  madeProfile,
  profilePlace,
  startWith,
  writeProfile,
} from "./setup-profile.ts";

const BY_FLAGS =
  "Without questions: minicode setup --profile ID [--base-url URL] [--model NAME] [--key-env NAME].";
/** What a profile of a new id is made from. */
const ANY_SERVER = "openai-compatible";

export async function setup(words: readonly string[], flags: Flags, io: Io): Promise<number> {
  if (words.length > 0) throw usage("setup takes no words", BY_FLAGS);
  const { profile, "base-url": baseUrl, model, "key-env": keyEnv } = flags;
  if (profile !== undefined) {
    await byFlags(profile, { baseUrl, model, keyEnv }, io);
    return exitCodes.done;
  }
  if (baseUrl !== undefined || model !== undefined || keyEnv !== undefined)
    throw usage("these flags need --profile ID", BY_FLAGS);
  if (!io.stdin.isTTY || !io.stdout.isTTY) throw usage("setup asks questions and needs a terminal", BY_FLAGS);
  const made = await talkThrough(flags, io);
  if (made === null) return exitCodes.interrupted;
  await write(io.stdout, `${en["setup.next"](made.start ? "" : ` --profile ${made.id}`)}\n`);
  return exitCodes.done;
}

/** The questions, on the terminal as it is; null when the user leaves. */
export async function talkThrough(flags: Flags, io: Io): Promise<MadeProfile | null> {
  const places = folders(io.env, process.platform);
  const offline = await isOffline(places, flags, io.env);
  return withDialogue(io, (dialogue) => setUp(dialogue, places, io.env, offline));
}

/** Whether only this machine may be asked anything. */
export async function isOffline(places: Folders, flags: Flags, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { settings } = await settingsInForce(places, env, flagSettings(flags));
  return settings.offline ?? settingDefaults.offline;
}

interface Given {
  baseUrl: string | undefined;
  model: string | undefined;
  keyEnv: string | undefined;
}

async function byFlags(id: string, given: Given, { env, stdout }: Io): Promise<void> {
  const places = folders(env, process.platform);
  const profile = withGiven(await baseProfile(id, places), id, given, env);
  // What is wrong is said now and not at the first task; the key may come later.
  readyServer({ ...profile, keyRequired: false }, env);
  const { file, exists } = await profilePlace(places, id);
  if (exists) throw usage(`${file} is there already`, "Move it away first, or give another --profile ID.");
  const lines = [en["setup.wrote"](await writeProfile(places, profile))];
  const first = (await loadSettings(places)).profile === undefined;
  lines.push(first ? en["setup.now-default"](id, await startWith(places, id)) : en["setup.not-default"](id));
  const missing = missingKey(profile, env);
  if (missing !== null) lines.push(en["setup.export"](missing));
  lines.push(en["setup.next"](first ? "" : ` --profile ${id}`));
  await write(stdout, `${lines.join("\n")}\n`);
}

/** The profile of this id, or, for a new id, the one for any server with OpenAI's protocol. */
async function baseProfile(id: string, places: Folders): Promise<ServerProfile> {
  if (!isFreeId(id)) throw usage(`--profile: ${en["setup.id.wrong"]}`);
  const known = (await listProfiles(places)).includes(id);
  const profile = await loadProfile(known ? id : ANY_SERVER, places);
  if (isServerProfile(profile)) return profile;
  throw usage(`the profile "${id}" asks no server, so there is nothing to set up`);
}

function withGiven(profile: ServerProfile, id: string, given: Given, env: NodeJS.ProcessEnv): ServerProfile {
  const { baseUrl, model = profile.model, keyEnv } = given;
  if (model === undefined) throw usage("this profile needs --model NAME", BY_FLAGS);
  if (baseUrl === undefined && profile.baseUrl === undefined)
    throw usage("this profile needs --base-url URL", BY_FLAGS);
  if (keyEnv !== undefined && !isVariableName(keyEnv, env))
    throw usage(`--key-env: ${en["setup.variable.wrong"]}`);
  const checked = baseUrl === undefined ? undefined : checkBaseUrl(baseUrl, env);
  if (checked?.ok === false) throw usage(`--base-url ${checked.why}`, checked.hint);
  const { baseUrlEnv, ...rest } = profile;
  const server =
    checked === undefined ? profile : { ...rest, baseUrl: checked.url, label: new URL(checked.url).host };
  const own = profile.model === undefined || model === profile.model;
  const contextWindow = own ? profile.contextWindow : undefined;
  return madeProfile({ ...server, ...(keyEnv === undefined ? {} : { apiKeyEnv: keyEnv }) }, id, {
    model,
    contextWindow,
  });
}
