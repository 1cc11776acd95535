// The profiles that come with MiniCode: each can be used once its variables are set, and none holds a key.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { looksLikeKey } from "../../src/config/key-like.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import type { Profile } from "../../src/config/profile-schema.ts";
import { loadProfile } from "../../src/config/profiles.ts";
import { readyProfile } from "../../src/config/ready-profile.ts";

const folder = join(packageRoot(), "profiles");
const ids = readdirSync(folder).map((file) => file.replace(/\.json$/, ""));
const nowhere = { config: "/no/such/folder", data: "", state: "" };
const local = ["ollama", "lmstudio", "llamacpp", "vllm"];
const priced = ["deepseek", "openai", "anthropic", "qwen", "kimi", "glm", "gemini", "groq", "mistral"];
const remote = [...priced, "openrouter"];

test("they are all there", () => {
  const others = ["offline", "scripted", "openai-compatible"];
  expect(ids.toSorted()).toEqual([...others, ...remote, ...local].toSorted());
});

test.each(ids)("%s is ready with its variables", async (id) => {
  const profile = await loadProfile(id, nowhere);
  expect(readyProfile(profile, variablesOf(profile))).toMatchObject({ id, provider: profile.provider });
});

test.each(ids.filter((id) => id !== "offline"))("%s says what it lacks without them", async (id) => {
  const profile = await loadProfile(id, nowhere);
  const variables = Object.keys(variablesOf(profile));
  expect(() => readyProfile(profile, {})).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(`profile "${id}" is not ready`),
      hint: expect.stringMatching(new RegExp(`^export (${variables.join("|")})=`)),
    }),
  );
});

test.each(remote)("%s goes over https, to a model of its own", async (id) => {
  const profile = await loadProfile(id, nowhere);
  expect(profile).toMatchObject({
    baseUrl: expect.stringMatching(/^https:\/\//),
    model: expect.any(String),
    modelEnv: expect.stringMatching(/_MODEL$/),
    contextWindow: expect.any(Number),
  });
});

test.each(local)("%s stays on this machine and needs no key", async (id) => {
  const profile = await loadProfile(id, nowhere);
  if (!("apiKeyEnv" in profile) || profile.apiKeyEnv === undefined) throw new Error("no variable for a key");
  const { [profile.apiKeyEnv]: _, ...keyless } = variablesOf(profile);
  expect(readyProfile(profile, keyless)).toMatchObject({
    baseUrl: expect.stringMatching(/^http:\/\/localhost:\d+/),
    apiKey: undefined,
  });
});

test.each(ids)("%s holds no key", (id) => {
  expect(looksLikeKey(readFileSync(join(folder, `${id}.json`), "utf8"))).toBe(false);
});

test.each(priced)("%s has prices that can be", async (id) => {
  const profile = await loadProfile(id, nowhere);
  if (!("pricing" in profile) || profile.pricing === undefined) throw new Error("no prices");
  const { input, cachedInput = 0, cacheWrite = input, output } = profile.pricing;
  expect([cachedInput, input, cacheWrite, output]).toEqual(
    [cachedInput, input, cacheWrite, output].toSorted((x, y) => x - y),
  );
});

/** Its variables with values that could be; a variable's address only where the profile has none of its own. */
function variablesOf(profile: Profile): Record<string, string> {
  switch (profile.provider) {
    case "offline":
      return {};
    case "scripted":
      return { [profile.scriptEnv]: "/s.json" };
    default: {
      const { baseUrl, baseUrlEnv, model, modelEnv, apiKeyEnv } = profile;
      return {
        ...(baseUrl === undefined && baseUrlEnv !== undefined ? { [baseUrlEnv]: "https://h.test/v1" } : {}),
        ...(model === undefined && modelEnv !== undefined ? { [modelEnv]: "m" } : {}),
        ...(apiKeyEnv === undefined ? {} : { [apiKeyEnv]: "k" }),
      };
    }
  }
}
