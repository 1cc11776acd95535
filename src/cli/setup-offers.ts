// What set-up can offer: every profile that asks a server, with what the environment and this machine say about it. Nothing
// but this machine is asked. Used by setup-flow.ts.
import type { Folders } from "../config/folders.ts";
import { listProfiles, loadProfile } from "../config/profiles.ts";
import { en } from "../i18n/en.ts";
import { AppError } from "../util/errors.ts";
import {
  isLocal,
  isServerProfile,
  isSet,
  listOffered,
  readyToList,
  type ServerProfile,
} from "./server-profile.ts";

export interface Offer {
  profile: ServerProfile;
  /** What is known of its key, or of its server on this machine. */
  note: string;
  /** Whether it could be used now, as far as can be seen. */
  usable: boolean;
}

interface Broken {
  id: string;
  why: string;
}

const PROBE_MS = 1_000;

export async function findOffers(
  places: Folders,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ offers: Offer[]; broken: Broken[] }> {
  const ids = await listProfiles(places);
  const read = await Promise.all(ids.map((id) => offerOf(id, places, env, signal)));
  return {
    offers: read.flatMap((one) => (one !== null && "profile" in one ? [one] : [])),
    broken: read.flatMap((one) => (one !== null && "why" in one ? [one] : [])),
  };
}

/** Null for a profile that asks no server. */
async function offerOf(
  id: string,
  places: Folders,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Offer | Broken | null> {
  try {
    const profile = await loadProfile(id, places);
    return isServerProfile(profile) ? { profile, ...(await noteOn(profile, env, signal)) } : null;
  } catch (error) {
    if (error instanceof AppError) return { id, why: error.message };
    throw error;
  }
}

async function noteOn(
  profile: ServerProfile,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Pick<Offer, "note" | "usable">> {
  if (isLocal(profile, env) && profile.baseUrl !== undefined) {
    const { host } = new URL(profile.baseUrl);
    const usable = await answers(profile, env, signal);
    return { usable, note: en[usable ? "setup.answers" : "setup.silent"](host) };
  }
  if (profile.baseUrl === undefined) return { usable: false, note: en["setup.any"] };
  const variable = profile.apiKeyEnv;
  if (variable === undefined) return { usable: false, note: en["setup.key.none"] };
  const usable = isSet(variable, env);
  return { usable, note: en[usable ? "setup.key.set" : "setup.key.needed"](variable) };
}

async function answers(
  profile: ServerProfile,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await listOffered(readyToList(profile, env, true), PROBE_MS, signal);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
