// A profile with everything the environment adds to it: what src/app.ts makes the model from. The key lives here, in memory,
// and nowhere else.
import { AppError } from "../util/errors.ts";
import { checkBaseUrl, isLoopback } from "./base-url.ts";
import type { OpenAiCompatibleProfile, Profile } from "./profiles.ts";

interface Common {
  id: string;
  label: string;
  contextWindow: number | undefined;
  tools: string[] | undefined;
}
export type ReadyProfile = Common &
  (
    | { provider: "offline" }
    | { provider: "scripted"; script: string }
    | {
        provider: "openai-compatible";
        baseUrl: string;
        model: string;
        apiKey: string | undefined;
        apiKeyEnv: string | undefined;
        maxOutputTokens: number | undefined;
        headers: Record<string, string> | undefined;
        body: Record<string, unknown> | undefined;
        limits: { firstByteMs: number; idleMs: number; totalMs: number };
        compat: { streamOptions: boolean; maxCompletionTokens: boolean };
      }
  );

/**
 * The profile, ready to be used. Throws an `AppError` `E_PROFILE` for the first thing that is missing or wrong: base URL, model,
 * key; its hint names the variable to export. Values of keys are never in a message.
 */
export function readyProfile(profile: Profile, env: NodeJS.ProcessEnv): ReadyProfile {
  const { id, label, contextWindow, tools } = profile;
  const common = { id, label, contextWindow, tools };
  switch (profile.provider) {
    case "offline":
      return { ...common, provider: "offline" };
    case "scripted": {
      const script = readVariable(profile.scriptEnv, env);
      if (script === undefined) throw missing(profile, "script", profile.scriptEnv, "the script's path");
      return { ...common, provider: "scripted", script };
    }
    case "openai-compatible":
      return { ...common, provider: "openai-compatible", ...connection(profile, env) };
  }
}

function connection(profile: OpenAiCompatibleProfile, env: NodeJS.ProcessEnv) {
  const { limits, compat } = profile;
  const baseUrl = readBaseUrl(profile, env);
  const model = readVariable(profile.modelEnv, env) ?? profile.model;
  if (model === undefined) throw missing(profile, "model", profile.modelEnv, "the model's name");
  const apiKey = readVariable(profile.apiKeyEnv, env);
  if (apiKey === undefined && (profile.keyRequired ?? !isLoopback(baseUrl))) {
    throw missing(profile, "API key", profile.apiKeyEnv, "your key");
  }
  // It would not fit into a header, and the error would quote it.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw notReady(profile, `${profile.apiKeyEnv} holds characters that no key has`, "Copy the key again.");
  }
  return {
    baseUrl,
    model,
    apiKey,
    apiKeyEnv: profile.apiKeyEnv,
    maxOutputTokens: profile.maxOutputTokens,
    headers: profile.headers,
    body: profile.body,
    limits: {
      firstByteMs: (limits?.firstByteSeconds ?? 240) * 1000,
      idleMs: (limits?.idleSeconds ?? 120) * 1000,
      totalMs: (limits?.totalSeconds ?? 1800) * 1000,
    },
    compat: {
      streamOptions: compat?.streamOptions ?? true,
      maxCompletionTokens: compat?.maxCompletionTokens ?? false,
    },
  };
}

function readBaseUrl(profile: OpenAiCompatibleProfile, env: NodeJS.ProcessEnv): string {
  const fromEnv = readVariable(profile.baseUrlEnv, env);
  const given = fromEnv ?? profile.baseUrl;
  if (given === undefined) throw missing(profile, "base URL", profile.baseUrlEnv, "https://…/v1");
  const checked = checkBaseUrl(given, env);
  if (checked.ok) return checked.url;
  const place = fromEnv === undefined ? "its baseUrl" : profile.baseUrlEnv;
  throw notReady(profile, `${place} ${checked.why}`, checked.hint);
}

function missing(profile: Profile, what: string, name: string | undefined, value: string): AppError {
  const hint =
    name === undefined
      ? "Add it to the profile's file."
      : `export ${name}=${value}, or choose another profile with --profile.`;
  return notReady(profile, `it has no ${what}`, hint);
}

function notReady(profile: Profile, why: string, hint: string): AppError {
  return new AppError("E_PROFILE", `profile "${profile.id}" is not ready: ${why}`, { hint });
}

/** A variable's value without blanks around it; one that is blank counts as not set. */
function readVariable(name: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  return name === undefined ? undefined : env[name]?.trim() || undefined;
}
