// What `minicode doctor` finds out about the chosen profile: can it be used, does its server answer, does it have the model.
// Used by doctor.ts; the question to the model itself is in doctor-online.ts.
import { isLoopback } from "../config/base-url.ts";
import type { Folders } from "../config/folders.ts";
import { loadProfile } from "../config/profiles.ts";
import { readyProfile } from "../config/ready-profile.ts";
import { remoteHost } from "../config/remote-host.ts";
import { ModelError } from "../model/error.ts";
import type { OfferedModel } from "../model/list-models.ts";
import { isSameModel } from "../model/same-model.ts";
import { AppError } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import { type Check, failed } from "./check.ts";
import { roundTrip } from "./doctor-online.ts";
import { tokens } from "./models.ts";
import {
  isServerProfile,
  isSet,
  listOffered,
  missingKey,
  type ReadyServer,
  readyServer,
  type ServerProfile,
} from "./server-profile.ts";
import { profilePlace } from "./setup-profile.ts";

const LIST_MS = 15_000;

export interface ModelQuestion {
  /** Id of the chosen profile; undefined when none is. */
  profile: string | undefined;
  places: Folders;
  env: NodeJS.ProcessEnv;
  /** Whether the model may be asked something, which costs a few tokens. */
  online: boolean;
  /** Whether only this machine may be asked anything. */
  offline: boolean;
  signal: AbortSignal;
}

export async function modelChecks(question: ModelQuestion): Promise<Check[]> {
  const { profile: id, places, env } = question;
  if (id === undefined || id === "offline") {
    const detail = "none is chosen, so there is no model to ask";
    const hint = "minicode setup makes one; --profile ID looks at one that is there.";
    return [{ name: "profile", state: "fail", detail, hint }, ...skipped("no profile", ...afterProfile)];
  }
  const profile = await caught(async () => loadProfile(id, places));
  if (profile instanceof AppError)
    return [failed("profile", profile), ...skipped("no profile", ...afterProfile)];
  const { file, exists } = await profilePlace(places, id);
  const from = exists ? file : "comes with MiniCode";
  const row: Check = { name: "profile", state: "ok", detail: `${id} (${profile.label}), ${from}` };
  if (!isServerProfile(profile)) {
    const ready = await caught(async () => readyProfile(profile, env));
    const asksNone = skipped("this profile asks no server", ...afterProfile);
    return [ready instanceof AppError ? failed("profile", ready) : row, ...asksNone];
  }

  // First without the key, so that each row says what it is about.
  const { apiKeyEnv } = profile;
  const keyless = apiKeyEnv === undefined ? env : { ...env, [apiKeyEnv]: undefined };
  const usable = await caught(async () => readyServer({ ...profile, keyRequired: false }, keyless));
  if (usable instanceof AppError)
    return [failed("profile", usable), ...skipped("the profile is not ready", ...afterProfile)];
  const missing = missingKey(profile, env);
  if (missing !== null) {
    const hint = `export ${missing}=… with the key, in this shell or in its start-up file.`;
    const key: Check = { name: "key", state: "fail", detail: `${missing} is not set`, hint };
    return [row, key, ...skipped("the key is missing", "endpoint", "model", "round trip")];
  }
  const ready = await caught(async () => readyServer(profile, env));
  if (ready instanceof AppError)
    return [row, failed("key", ready), ...skipped("the key is missing", "endpoint", "model", "round trip")];
  return [row, ...(await serverChecks(profile, ready, question))];
}

const afterProfile = ["key", "endpoint", "model", "round trip"] as const;

async function serverChecks(
  profile: ServerProfile,
  ready: ReadyServer,
  { env, online, offline, signal }: ModelQuestion,
): Promise<Check[]> {
  const key: Check = { name: "key", state: "ok", detail: keyDetail(profile.apiKeyEnv, env) };
  const host = offline ? remoteHost(ready) : null;
  if (host !== null)
    return [
      key,
      ...skipped(`MiniCode is offline, and this is at ${host}`, "endpoint", "model", "round trip"),
    ];
  const endpoint: Check = {
    name: "endpoint",
    state: "ok",
    detail: `${ready.baseUrl} answered when asked for its models`,
  };
  const listed = await listOffered(ready, LIST_MS, signal).catch(asModelError);
  const trip = async (): Promise<Check[]> => (online ? roundTrip(ready, signal) : [notAsked]);
  if (!(listed instanceof ModelError))
    return [key, endpoint, modelCheck(ready.model, listed), ...(await trip())];
  if (listed.kind === "auth")
    return [failed("key", listed), endpoint, ...skipped("the key was refused", "model", "round trip")];
  if (!answeredAtAll(listed)) {
    const why = "the endpoint does not answer";
    return [key, unreachable(listed, ready), ...skipped(why, "model", "round trip")];
  }
  // Without a list the model may work all the same; without credit it does not.
  const unlisted: Check = {
    ...failed("model", listed),
    ...(listed.kind === "payment" ? {} : { state: "warn" }),
  };
  return [key, endpoint, unlisted, ...(await trip())];
}

/** Whether a model's server is there, though it would not list its models: a proxy's word is not the server's, nor a redirect. */
function answeredAtAll({ kind, status }: ModelError): boolean {
  if (status === undefined || kind === "network" || kind === "invalid_response") return false;
  return status >= 400 && status < 500;
}

/** A server on this machine that cannot be reached is mostly one that was not started. */
function unreachable(error: ModelError, { baseUrl }: ReadyServer): Check {
  const row = failed("endpoint", error);
  if (error.kind !== "network" || !isLoopback(baseUrl)) return row;
  return { ...row, hint: `Start the server; the profile looks for it at ${baseUrl}.` };
}

const notAsked: Check = {
  name: "round trip",
  state: "skipped",
  detail: "--online asks the model one small thing, for a few tokens",
};

function keyDetail(variable: string | undefined, env: NodeJS.ProcessEnv): string {
  if (variable === undefined) return "none is needed";
  return isSet(variable, env) ? `${variable} is set` : `none is needed here (${variable} is not set)`;
}

function modelCheck(model: string, listed: readonly OfferedModel[]): Check {
  const name = "model";
  const found = listed.find(({ id }) => isSameModel(id, model));
  if (found !== undefined) {
    const room =
      found.contextWindow === undefined ? "" : `, with a context of ${tokens(found.contextWindow)} tokens`;
    return { name, state: "ok", detail: `${model} is one of the ${listed.length} it lists${room}` };
  }
  const near = nearest(
    model,
    listed.map(({ id }) => id),
  );
  const detail = `${model} is none of the ${listed.length} it lists${near === undefined ? "" : `; the nearest is ${near}`}`;
  const hint =
    "minicode models shows them; minicode setup chooses another. Some servers take names they do not list.";
  return { name, state: "warn", detail, hint };
}

function skipped(why: string, ...names: readonly string[]): Check[] {
  return names.map((name) => ({ name, state: "skipped", detail: why }));
}

function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  throw error;
}

async function caught<T>(job: () => Promise<T>): Promise<T | AppError> {
  try {
    return await job();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
