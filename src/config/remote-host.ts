// Where a profile's requests go, and whether they may: offline, only to this machine. Used by src/app.ts and by the commands
// that ask a server.
import { AppError } from "../util/errors.ts";
import { isLoopback } from "./base-url.ts";
import type { ReadyProfile } from "./ready-profile.ts";

/** The host that a profile's requests go to; null when that is this machine, or nothing is sent. */
export function remoteHost(profile: ReadyProfile): string | null {
  return "baseUrl" in profile && !isLoopback(profile.baseUrl) ? new URL(profile.baseUrl).host : null;
}

/** Throws an `AppError` `E_OFFLINE` where MiniCode is offline and the profile's server is on another machine. */
export function checkReach(profile: ReadyProfile, offline: boolean): void {
  const host = offline ? remoteHost(profile) : null;
  if (host === null) return;
  throw new AppError("E_OFFLINE", `${profile.label} is at ${host}, and MiniCode is offline`, {
    hint: "Choose a model on this machine (ollama, lmstudio, llamacpp), or leave --offline and the setting away.",
  });
}
