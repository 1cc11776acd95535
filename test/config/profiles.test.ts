// Profiles: shipped and the user's, what is wrong with them, and what the environment must add.
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Folders } from "../../src/config/folders.ts";
import { listProfiles, loadProfile, type Profile } from "../../src/config/profiles.ts";
import { readyProfile } from "../../src/config/ready-profile.ts";

let folders: Folders;
beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), "minicode-config-"));
  folders = { config: join(root, "config"), data: join(root, "data"), state: join(root, "state") };
  await mkdir(join(folders.config, "profiles"), { recursive: true });
});
const file = (id: string): string => join(folders.config, "profiles", `${id}.json`);
const save = (id: string, content: unknown): Promise<void> =>
  writeFile(file(id), typeof content === "string" ? content : JSON.stringify(content));
const remote = {
  id: "mine",
  label: "Mine",
  provider: "openai-compatible",
  baseUrl: "https://h.test/v1",
  model: "m",
};

describe("loading", () => {
  test("the shipped ones are there without a configuration", async () => {
    const nowhere = { ...folders, config: "/no/such/folder" };
    expect(await listProfiles(nowhere)).toEqual(
      expect.arrayContaining(["offline", "openai-compatible", "scripted"]),
    );
    for (const id of await listProfiles(nowhere))
      expect(await loadProfile(id, nowhere)).toMatchObject({ id });
  });

  test("the user's own are added and win", async () => {
    const shipped = await listProfiles(folders);
    await save("mine", remote);
    await save("scripted", { ...remote, id: "scripted" });
    expect(await listProfiles(folders)).toEqual([...new Set([...shipped, "mine"])].sort());
    expect(await loadProfile("mine", folders)).toMatchObject({ label: "Mine" });
    expect(await loadProfile("scripted", folders)).toMatchObject({ provider: "openai-compatible" });
  });

  test("a broken one does not stop the others", async () => {
    await save("broken", "{");
    expect(await loadProfile("offline", folders)).toMatchObject({ id: "offline" });
    await expect(loadProfile("broken", folders)).rejects.toThrow(`${file("broken")} is not JSON`);
  });

  test.each(["ofline", "openai", "../offline", ""])("there is no %j", async (id) => {
    const hint = `Profiles: ${(await listProfiles(folders)).join(", ")}.`;
    await expect(loadProfile(id, folders)).rejects.toMatchObject({ code: "E_PROFILE", hint });
  });

  test("the nearest is named", async () => {
    await expect(loadProfile("ofline", folders)).rejects.toThrow(
      'there is no profile "ofline", did you mean "offline"?',
    );
    await expect(loadProfile("openai", folders)).rejects.toThrow('did you mean "openai-compatible"?');
    await expect(loadProfile("zzz", folders)).rejects.toThrow(/"zzz"$/);
  });

  test.each<[string, object, string]>([
    ["an unknown field", { ...remote, baseurl: "x" }, 'unknown field "baseurl", did you mean "baseUrl"?'],
    [
      "an unknown inner field",
      { ...remote, limits: { idleSecond: 3 } },
      '"limits.idleSecond", did you mean "idleSeconds"?',
    ],
    [
      "a field of another provider",
      { id: "mine", label: "x", provider: "offline", model: "m" },
      'unknown field "model"',
    ],
    [
      "an unknown provider",
      { ...remote, provider: "openai" },
      "provider: must be one of offline, scripted, openai-compatible",
    ],
    ["a wrong type", { ...remote, maxOutputTokens: "many" }, "maxOutputTokens: "],
    ["too long a silence", { ...remote, limits: { idleSeconds: 400 } }, "limits.idleSeconds: "],
    [
      "no variable's name",
      { ...remote, apiKeyEnv: "sk-123" },
      "apiKeyEnv: must be the name of an environment variable",
    ],
    [
      "a key in a header",
      { ...remote, headers: { Authorization: "Bearer x" } },
      "a key does not belong in a file",
    ],
    [
      "another id than its file",
      { ...remote, id: "other" },
      'id: must be "mine" like the file\'s name, not "other"',
    ],
  ])("%s", async (_, profile, fault) => {
    await save("mine", profile);
    const loading = loadProfile("mine", folders);
    await expect(loading).rejects.toMatchObject({
      code: "E_PROFILE",
      message: expect.stringContaining(fault),
    });
    await expect(loading).rejects.toThrow(file("mine"));
  });
});

describe("readiness", () => {
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
      limits: { firstByteMs: 240_000, idleMs: 120_000, totalMs: 1_800_000 },
      compat: { streamOptions: true, maxCompletionTokens: false },
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
    expect(readyProfile(await loadProfile("offline", folders), {})).toMatchObject({ provider: "offline" });
    const scripted = await loadProfile("scripted", folders);
    expect(() => readyProfile(scripted, {})).toThrow("it has no script");
    expect(readyProfile(scripted, { MINICODE_SCRIPT: "/s.json" })).toMatchObject({ script: "/s.json" });
  });
});
