// A profile with everything the environment adds to it: what src/app.ts makes the model from. The key lives here, in memory,
// and nowhere else.
import { AppError } from "../util/errors.ts";
import { checkBaseUrl, isLoopback } from "./base-url.ts";
import {
  type AnthropicCompat,
  anthropicCompatDefaults,
  type OpenAiCompat,
  openAiCompatDefaults,
} from "./compat.ts";
import type {
  AnthropicProfile,
  OllamaProfile,
  OpenAiCompatibleProfile,
  Pricing,
  Profile,
} from "./profile-schema.ts";

interface Common {
  id: string;
  label: string;
  contextWindow: number | undefined;
  pricing: Pricing | undefined;
  tools: string[] | undefined;
}
/** What every profile that asks a server has, whatever it speaks. */
interface Server extends Common {
  /** Without a slash at its end. */
  baseUrl: string;
  model: string;
  apiKey: string | undefined;
  apiKeyEnv: string | undefined;
  maxOutputTokens: number | undefined;
  headers: Record<string, string> | undefined;
  body: Record<string, unknown> | undefined;
  /** Undefined: the server does what it does by itself. */
  thinking: boolean | undefined;
  limits: { connectMs: number; firstByteMs: number; idleMs: number; totalMs: number };
}
export type ReadyProfile =
  | (Common & { provider: "offline" })
  | (Common & { provider: "scripted"; script: string })
  | (Server & { provider: "openai-compatible"; compat: OpenAiCompat })
  | (Server & { provider: "ollama"; compat: OpenAiCompat; keepAlive: string | undefined })
  | (Server & { provider: "anthropic"; compat: AnthropicCompat; thinkingBudget: number | undefined });

/**
 * The profile, ready to be used. Throws an `AppError` `E_PROFILE` for the first thing that is missing or wrong: base URL, model,
 * key; its hint names the variable to export. Values of keys are never in a message.
 */
export function readyProfile(profile: Profile, env: NodeJS.ProcessEnv): ReadyProfile {
  const { id, label } = profile;
  switch (profile.provider) {
    case "offline":
      return {
        provider: "offline",
        id,
        label,
        contextWindow: undefined,
        pricing: undefined,
        tools: undefined,
      };
    case "scripted": {
      const { contextWindow, pricing, tools } = profile;
      const script = readVariable(profile.scriptEnv, env);
      if (script === undefined) throw missing(profile, "script", profile.scriptEnv, "the script's path");
      return { provider: "scripted", id, label, contextWindow, pricing, tools, script };
    }
    case "openai-compatible": {
      const compat = { ...openAiCompatDefaults, ...profile.compat };
      return { provider: "openai-compatible", ...readyServer(profile, env), compat };
    }
    case "ollama": {
      const compat = { ...openAiCompatDefaults, ...profile.compat };
      return { provider: "ollama", ...readyServer(profile, env), compat, keepAlive: profile.keepAlive };
    }
    case "anthropic": {
      const compat = { ...anthropicCompatDefaults, ...profile.compat };
      const { thinkingBudget } = profile;
      return { provider: "anthropic", ...readyServer(profile, env), compat, thinkingBudget };
    }
  }
}

type ServerProfile = OpenAiCompatibleProfile | AnthropicProfile | OllamaProfile;

function readyServer(profile: ServerProfile, env: NodeJS.ProcessEnv): Server {
  const { limits } = profile;
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
  // What is said of the profile's own model does not hold for another one that a variable names.
  const facts = profile.model === undefined || profile.model === model ? profile : undefined;
  return {
    id: profile.id,
    label: profile.label,
    contextWindow: facts?.contextWindow,
    pricing: facts?.pricing,
    tools: profile.tools,
    baseUrl,
    model,
    apiKey,
    apiKeyEnv: profile.apiKeyEnv,
    maxOutputTokens: facts?.maxOutputTokens,
    headers: profile.headers,
    body: facts?.body,
    thinking: profile.thinking,
    limits: {
      connectMs: (limits?.connectSeconds ?? 15) * 1000,
      firstByteMs: (limits?.firstByteSeconds ?? 240) * 1000,
      idleMs: (limits?.idleSeconds ?? 120) * 1000,
      totalMs: (limits?.totalSeconds ?? 1800) * 1000,
    },
  };
}

function readBaseUrl(profile: ServerProfile, env: NodeJS.ProcessEnv): string {
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
      ? `Add ${what === "API key" ? "its variable's name, as apiKeyEnv," : "it"} to the profile's file.`
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
