// What the environment must add to a profile before it can be used.
import { expect, test } from "vitest";
import { openAiCompatDefaults } from "../../src/config/compat.ts";
import type { Profile } from "../../src/config/profile-schema.ts";
import { loadProfile } from "../../src/config/profiles.ts";
import { readyProfile } from "../../src/config/ready-profile.ts";

const profile: Profile = {
  id: "p",
  label: "P",
  provider: "openai-compatible",
  baseUrlEnv: "P_URL",
  modelEnv: "P_MODEL",
  apiKeyEnv: "P_KEY",
};
const full = { P_URL: "https://h.test/v1/", P_MODEL: "m", P_KEY: "sk-secret" };

test("everything is there", () => {
  expect(readyProfile(profile, { ...full, P_KEY: " sk-secret\n" })).toEqual({
    id: "p",
    label: "P",
    provider: "openai-compatible",
    baseUrl: "https://h.test/v1",
    model: "m",
    apiKey: "sk-secret",
    apiKeyEnv: "P_KEY",
    limits: { connectMs: 15_000, firstByteMs: 240_000, idleMs: 120_000, totalMs: 1_800_000 },
    compat: {
      streaming: true,
      streamOptions: true,
      maxCompletionTokens: false,
      developerRole: false,
      parallelToolCalls: true,
      strictSchemas: false,
      toolChoice: true,
      thinkingSwitch: "none",
      reasoningField: "none",
      userAfterTool: false,
      toolName: false,
      shortCallIds: false,
      thinkingOpen: false,
    },
  });
});

test.each<[string, Record<string, string>, string, string]>([
  ["nothing", {}, "it has no base URL", "export P_URL=https://…/v1"],
  [
    "a bad base URL",
    { P_URL: "ftp://h" },
    "P_URL must begin with https:// or http://",
    "https://api.example.com/v1",
  ],
  ["no model", { P_URL: full.P_URL }, "it has no model", "export P_MODEL="],
  ["no key", { ...full, P_KEY: " " }, "it has no API key", "export P_KEY="],
  [
    "no possible key",
    { ...full, P_KEY: "sk-secret schlüssel" },
    "P_KEY holds characters that no key has",
    "Copy",
  ],
])("%s", (_, env, fault, hint) => {
  expect(() => readyProfile(profile, env)).toThrow(
    expect.objectContaining({
      code: "E_PROFILE",
      message: `profile "p" is not ready: ${fault}`,
      hint: expect.stringContaining(hint),
    }),
  );
});

test("a variable beats the profile's own value", () => {
  const both: Profile = { ...profile, baseUrl: "https://other.test", model: "default" };
  expect(readyProfile(both, full)).toMatchObject({ baseUrl: "https://h.test/v1", model: "m" });
  expect(readyProfile(both, { P_KEY: "k" })).toMatchObject({
    baseUrl: "https://other.test",
    model: "default",
  });
});

test("a server on this machine needs no key, unless the profile says so", () => {
  const env = { ...full, P_URL: "http://localhost:8080/v1", P_KEY: "" };
  expect(readyProfile(profile, env)).toMatchObject({ apiKey: undefined });
  expect(() => readyProfile({ ...profile, keyRequired: true }, env)).toThrow("it has no API key");
  expect(readyProfile({ ...profile, keyRequired: false }, { ...full, P_KEY: "" })).toMatchObject({
    apiKey: undefined,
  });
});

test("offline needs nothing, scripted its script", async () => {
  const nowhere = { config: "/no/such/folder", data: "", state: "" };
  expect(readyProfile(await loadProfile("offline", nowhere), {})).toMatchObject({ provider: "offline" });
  const scripted = await loadProfile("scripted", nowhere);
  expect(() => readyProfile(scripted, {})).toThrow("it has no script");
  expect(readyProfile(scripted, { MINICODE_SCRIPT: "/s.json" })).toMatchObject({ script: "/s.json" });
});

test("what a profile says goes through, in the adapters' words", () => {
  const said = {
    headers: { "X-Team": "a" },
    body: { temperature: 0 },
    thinking: true,
    pricing: { input: 1, cachedInput: 0.1, output: 2, asOf: "2026-01-02" },
    contextWindow: 9_000,
    maxOutputTokens: 3_000,
    tools: ["read_file"],
  };
  const limits = { connectSeconds: 1, firstByteSeconds: 2, idleSeconds: 3, totalSeconds: 4 };
  const compat = { thinkingSwitch: "thinking", streaming: false } as const;
  expect(readyProfile({ ...profile, ...said, limits, compat }, full)).toMatchObject({
    ...said,
    limits: { connectMs: 1_000, firstByteMs: 2_000, idleMs: 3_000, totalMs: 4_000 },
    compat: { ...openAiCompatDefaults, ...compat },
  });
  const anthropic: Profile = { ...profile, provider: "anthropic", ...said, thinkingBudget: 1_024 };
  expect(readyProfile({ ...anthropic, compat: { promptCache: false } }, full)).toMatchObject({
    ...said,
    provider: "anthropic",
    thinkingBudget: 1_024,
    compat: { promptCache: false, streaming: true, toolChoice: true },
  });
  expect(readyProfile({ ...profile, provider: "ollama", keepAlive: "5m" }, full)).toMatchObject({
    provider: "ollama",
    keepAlive: "5m",
    compat: openAiCompatDefaults,
  });
});

test("what it says of its own model does not hold for another one", () => {
  const own: Profile = {
    ...profile,
    model: "own",
    contextWindow: 9_000,
    maxOutputTokens: 3_000,
    pricing: { input: 1, output: 2, asOf: "2026-01-02" },
  };
  const { P_MODEL, ...rest } = full;
  const facts = { contextWindow: 9_000, maxOutputTokens: 3_000, pricing: { input: 1 } };
  expect(readyProfile(own, rest)).toMatchObject({ model: "own", ...facts });
  expect(readyProfile(own, { ...rest, P_MODEL: "own" })).toMatchObject({ model: "own", ...facts });
  expect(readyProfile(own, { ...rest, P_MODEL })).toMatchObject({
    model: "m",
    contextWindow: undefined,
    maxOutputTokens: undefined,
    pricing: undefined,
  });
});

test("what is said of the profile's own model does not hold for another one that a variable names", () => {
  const said = {
    model: "own",
    modelEnv: "P_MODEL",
    contextWindow: 9_000,
    body: { reasoning_effort: "none" },
  };
  const asked = (model: string) => readyProfile({ ...profile, ...said }, { ...full, P_MODEL: model });
  expect(asked("own")).toMatchObject({ model: "own", contextWindow: 9_000, body: said.body });
  expect(asked("other")).toMatchObject({ model: "other", contextWindow: undefined, body: undefined });
});
