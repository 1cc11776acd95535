// Profiles that ask a server, as set-up, doctor and models see them.
import { checkBaseUrl, isLoopback } from "../config/base-url.ts";
import type { Profile } from "../config/profile-schema.ts";
import { type ReadyProfile, readyProfile } from "../config/ready-profile.ts";
import { listModels, type OfferedModel } from "../model/list-models.ts";

type Unconnected = { provider: "offline" } | { provider: "scripted" };
export type ServerProfile = Exclude<Profile, Unconnected>;
export type ReadyServer = Exclude<ReadyProfile, Unconnected>;

export function isServerProfile(profile: Profile): profile is ServerProfile {
  return profile.provider !== "offline" && profile.provider !== "scripted";
}

/** The profile ready to be used. Throws what `readyProfile` throws. */
export function readyServer(profile: ServerProfile, env: NodeJS.ProcessEnv): ReadyServer {
  const ready = readyProfile(profile, env);
  if (ready.provider === "offline" || ready.provider === "scripted") {
    throw new TypeError(`the profile "${profile.id}" changed its provider`);
  }
  return ready;
}

/** Whether the profile, or its variable, names a model. */
export function isModelNamed({ model, modelEnv }: ServerProfile, env: NodeJS.ProcessEnv): boolean {
  return model !== undefined || (modelEnv !== undefined && isSet(modelEnv, env));
}

/**
 * Ready to be asked what models there are, when none is chosen yet; for `keyless`, without a key too. Throws `E_PROFILE` for what
 * is missing or wrong.
 */
export function readyToList(profile: ServerProfile, env: NodeJS.ProcessEnv, keyless: boolean): ReadyServer {
  const model = profile.model ?? "none";
  return readyServer({ ...profile, model, ...(keyless ? { keyRequired: false } : {}) }, env);
}

/** Whether its server is on this machine. */
export function isLocal({ baseUrl, baseUrlEnv }: ServerProfile, env: NodeJS.ProcessEnv): boolean {
  const url = (baseUrlEnv === undefined ? undefined : env[baseUrlEnv]?.trim() || undefined) ?? baseUrl;
  return url !== undefined && checkBaseUrl(url, env).ok && isLoopback(url);
}

/** Whether the variable is set to more than blanks. */
export function isSet(variable: string, env: NodeJS.ProcessEnv): boolean {
  return (env[variable] ?? "").trim() !== "";
}

/** The variable of a key that must be set before the profile can be used; null when none is missing. */
export function missingKey(profile: ServerProfile, env: NodeJS.ProcessEnv): string | null {
  const { apiKeyEnv, keyRequired } = profile;
  if (apiKeyEnv === undefined || isSet(apiKeyEnv, env)) return null;
  return (keyRequired ?? !isLocal(profile, env)) ? apiKeyEnv : null;
}

/** What the server offers, asked for within `ms`. Throws a `ModelError`. */
export function listOffered(server: ReadyServer, ms: number, signal: AbortSignal): Promise<OfferedModel[]> {
  const { connectMs } = server.limits;
  const limits = { connectMs: Math.min(connectMs, ms), firstByteMs: ms, idleMs: ms, totalMs: ms };
  return listModels({ ...server, limits }, signal);
}
