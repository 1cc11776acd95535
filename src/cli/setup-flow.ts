// Set-up as a talk: from whose model to a profile on disk. Behind `minicode setup`, the first screen and /model setup alike.
import { checkBaseUrl, isLoopback } from "../config/base-url.ts";
import type { Folders } from "../config/folders.ts";
import { settingKey } from "../config/setting-keys.ts";
import { en } from "../i18n/en.ts";
import { safeLine } from "../policy/safe-text.ts";
import type { Dialogue } from "../tui/dialogue.ts";
import { AppError } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import { type Row, span } from "../view/row.ts";
import { askFor, confirm, say } from "./questions.ts";
import { isLocal, isSet, missingKey, type ServerProfile } from "./server-profile.ts";
import { askModel } from "./setup-model.ts";
import { findOffers, type Offer } from "./setup-offers.ts";
import {
  isFreeId,
  isVariableName,
  type MadeProfile,
  madeProfile,
  profilePlace,
  startWith,
  writeProfile,
} from "./setup-profile.ts";

/** Asks, writes, and says what is missing; null when the user leaves before that. Offline, only this machine is asked. */
export async function setUp(
  dialogue: Dialogue,
  places: Folders,
  env: NodeJS.ProcessEnv,
  offline: boolean,
): Promise<MadeProfile | null> {
  try {
    return await talk(dialogue, places, env, offline);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "E_LEFT") throw error;
    say(dialogue, error.message, "warn");
    return null;
  }
}

async function talk(
  dialogue: Dialogue,
  places: Folders,
  env: NodeJS.ProcessEnv,
  offline: boolean,
): Promise<MadeProfile> {
  say(dialogue, en["setup.opening"]);
  const chosen = await askProvider(dialogue, places, env);
  const server = await askServer(dialogue, chosen, env);
  const model = await askModel(dialogue, server, env, offline);
  const body = await askBody(dialogue, server, model.model);
  const id = await askId(dialogue, server.id, places);
  const start = await confirm(dialogue, en["setup.default"](id), true);
  const profile = madeProfile({ ...server, body }, id, model);
  say(dialogue, en["setup.wrote"](await writeProfile(places, profile)), "ok");
  if (start) {
    say(dialogue, en["setup.now-default"](id, await startWith(places, id)), "ok");
    const { variable } = settingKey("profile");
    if (isSet(variable, env)) say(dialogue, en["setup.beaten"](variable), "warn");
  }
  const missing = missingKey(profile, env);
  if (missing !== null) say(dialogue, en["setup.export"](missing), "warn");
  return { id, ready: missing === null, start };
}

async function askProvider(
  dialogue: Dialogue,
  places: Folders,
  env: NodeJS.ProcessEnv,
): Promise<ServerProfile> {
  say(dialogue, en["setup.looking"], "dim");
  const { offers, broken } = await findOffers(places, env, dialogue.signal);
  for (const { id, why } of broken) say(dialogue, en["setup.broken"](id, why), "warn");
  const ids = offers.map(({ profile }) => profile.id);
  const column = Math.max(...ids.map((id) => id.length)) + 2;
  dialogue.say(offers.flatMap((offer, i) => offerRows(offer, i + 1, column, dialogue.width())));
  return askFor(dialogue, en["setup.provider"], undefined, (answer) => {
    if (answer === "") return { wrong: en["setup.provider.needed"] };
    const named = offers.find(({ profile }) => profile.id === answer.toLowerCase());
    const offer = named ?? (/^\d+$/.test(answer) ? offers[Number(answer) - 1] : undefined);
    if (offer !== undefined) return { value: offer.profile };
    return { wrong: en["setup.provider.unknown"](answer, nearest(answer, ids) ?? "") };
  });
}

/** One row where there is room for it, without the label where that helps; else two. */
function offerRows({ profile, note, usable }: Offer, number: number, column: number, width: number): Row[] {
  const head = [span(`${String(number).padStart(4)}  `, "dim"), span(profile.id.padEnd(column), "accent")];
  const label = `${safeLine(profile.label)} · `;
  const said = span(note, usable ? "ok" : "dim");
  const room = width - 6 - column - note.length;
  if (room >= label.length) return [[...head, span(label), said]];
  return room >= 0 ? [[...head, said]] : [head, [span(" ".repeat(8)), said]];
}

/** Asks for base URL and key variable where the profile leaves them open; of a server on this machine for the URL alone. */
async function askServer(
  dialogue: Dialogue,
  profile: ServerProfile,
  env: NodeJS.ProcessEnv,
): Promise<ServerProfile> {
  const { baseUrl: known, baseUrlEnv, ...rest } = profile;
  const open = baseUrlEnv !== undefined || known === undefined;
  if (!open && !isLocal(profile, env)) return profile;
  const fromEnv = baseUrlEnv === undefined ? undefined : env[baseUrlEnv]?.trim() || undefined;
  const baseUrl = await askFor(dialogue, en["setup.url"], fromEnv ?? known, (answer) => {
    const checked = checkBaseUrl(answer, env);
    return checked.ok ? { value: checked.url } : { wrong: en["setup.url.wrong"](checked.why, checked.hint) };
  });
  if (!open && isLoopback(baseUrl)) return { ...rest, baseUrl };
  // A profile with a place of its own has only other regions.
  const named = known === undefined ? { id: idFor(baseUrl), label: new URL(baseUrl).host } : {};
  const server = { ...rest, ...named, baseUrl };
  return askVariable(dialogue, server, env);
}

/** A name from a server's: "example" for api.example.com. */
function idFor(baseUrl: string): string {
  if (isLoopback(baseUrl)) return "local";
  const name = new URL(baseUrl).hostname.split(".").at(-2) ?? "";
  return /^[a-z]/.test(name) ? name : "server";
}

async function askVariable(
  dialogue: Dialogue,
  profile: ServerProfile,
  env: NodeJS.ProcessEnv,
): Promise<ServerProfile> {
  const none = "-";
  const { apiKeyEnv: known, keyRequired, ...rest } = profile;
  const byDefault = isLocal(profile, env) ? none : known;
  const variable = await askFor(dialogue, en["setup.variable"], byDefault, (answer) =>
    answer === none || isVariableName(answer, env)
      ? { value: answer }
      : { wrong: en["setup.variable.wrong"] },
  );
  return variable === none ? { ...rest, keyRequired: false } : { ...rest, keyRequired, apiKeyEnv: variable };
}

/** The further fields of each request, which may be for the profile's own model alone. */
async function askBody(
  dialogue: Dialogue,
  { body, model: own }: ServerProfile,
  model: string,
): Promise<ServerProfile["body"]> {
  if (body === undefined || own === undefined || own === model) return body;
  const keep = await confirm(dialogue, en["setup.body"](JSON.stringify(body), own, model), true);
  return keep ? body : undefined;
}

/** A name for the profile that is free, or whose file may be overwritten. */
function askId(dialogue: Dialogue, byDefault: string, places: Folders): Promise<string> {
  return askFor(dialogue, en["setup.id"], byDefault, async (answer) => {
    if (!isFreeId(answer)) return { wrong: en["setup.id.wrong"] };
    const { file, exists } = await profilePlace(places, answer);
    const free = !exists || (await confirm(dialogue, en["setup.overwrite"](file), false));
    return free ? { value: answer } : { wrong: "" };
  });
}
