// Profiles: shipped and the user's, and what is wrong with them.
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Folders } from "../../src/config/folders.ts";
import { listProfiles, loadProfile } from "../../src/config/profiles.ts";

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

  test("a schema may be named", async () => {
    await save("mine", { $schema: "./profile.schema.json", ...remote });
    expect(await loadProfile("mine", folders)).toMatchObject(remote);
  });

  test("a broken one does not stop the others", async () => {
    await save("broken", "{");
    expect(await loadProfile("offline", folders)).toMatchObject({ id: "offline" });
    await expect(loadProfile("broken", folders)).rejects.toThrow(`${file("broken")} is not JSON`);
  });

  test.each(["ofline", "open", "../offline", ""])("there is no %j", async (id) => {
    const hint = `Profiles: ${(await listProfiles(folders)).join(", ")}.`;
    await expect(loadProfile(id, folders)).rejects.toMatchObject({ code: "E_PROFILE", hint });
  });

  test("the nearest is named", async () => {
    await expect(loadProfile("ofline", folders)).rejects.toThrow(
      'there is no profile "ofline", did you mean "offline"?',
    );
    await expect(loadProfile("deepsek", folders)).rejects.toThrow('did you mean "deepseek"?');
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
      "provider: must be one of offline, scripted, openai-compatible, anthropic, ollama",
    ],
    ["a wrong type", { ...remote, maxOutputTokens: "many" }, "maxOutputTokens: "],
    ["too long a silence", { ...remote, limits: { idleSeconds: 4_000 } }, "limits.idleSeconds: "],
    [
      "no variable's name",
      { ...remote, apiKeyEnv: "sk-123" },
      "apiKeyEnv: must be the name of an environment variable",
    ],
    [
      "a key as the name of a variable",
      { ...remote, apiKeyEnv: "gsk_Abcdef0123456789" },
      "apiKeyEnv: must be the name of an environment variable, not a key",
    ],
    [
      "a key in a header",
      { ...remote, headers: { Authorization: "Bearer x" } },
      "headers: a key does not belong in a file",
    ],
    [
      "a key in another header",
      { ...remote, headers: { "X-Team": "sk-abcdefgh0123" } },
      "headers: a key does not belong in a file",
    ],
    [
      "a key in the body",
      { ...remote, body: { extra: { auth: ["sk-abcdefgh0123"] } } },
      "body.extra: a key does not belong in a file",
    ],
    ["a header that is none", { ...remote, headers: { "X Team": "a" } }, "headers.X Team: "],
    [
      "a header of two lines",
      { ...remote, headers: { "X-Team": "a\nb" } },
      "headers.X-Team: must be printable",
    ],
    [
      "a field that MiniCode writes",
      { ...remote, body: { max_tokens: 5 } },
      "body.max_tokens: is written by MiniCode itself: use maxOutputTokens",
    ],
    [
      "messages of its own",
      { ...remote, body: { messages: [] } },
      "body.messages: is written by MiniCode itself",
    ],
    ["thinking without its switch", { ...remote, thinking: false }, "thinking: needs compat.thinkingSwitch"],
    [
      "thinking with a switch that is none",
      { ...remote, thinking: true, compat: { thinkingSwitch: "none" } },
      "thinking: needs compat.thinkingSwitch",
    ],
    [
      "thinking said twice",
      { ...remote, thinking: true, compat: { thinkingSwitch: "thinking" }, body: { thinking: {} } },
      "body.thinking: is set by thinking already",
    ],
    ["an unknown switch", { ...remote, compat: { streamOption: true } }, 'did you mean "streamOptions"?'],
    ["a budget without Anthropic", { ...remote, thinkingBudget: 4_000 }, 'unknown field "thinkingBudget"'],
    [
      "a budget without thinking",
      { ...remote, provider: "anthropic", thinkingBudget: 4_000 },
      "thinkingBudget: needs thinking: true",
    ],
    [
      "a budget over the whole answer",
      { ...remote, provider: "anthropic", thinking: true, thinkingBudget: 4_000, maxOutputTokens: 4_000 },
      "thinkingBudget: must be less than maxOutputTokens",
    ],
    [
      "OpenAI's switches with Anthropic",
      { ...remote, provider: "anthropic", compat: { streamOptions: true } },
      'unknown field "compat.streamOptions"',
    ],
    ["keepAlive without Ollama", { ...remote, keepAlive: "5m" }, 'unknown field "keepAlive"'],
    [
      "a switch that Ollama's own endpoint has not",
      { ...remote, provider: "ollama", contextWindow: 9_000, compat: { strictSchemas: true } },
      "compat.strictSchemas: cannot be used with a contextWindow",
    ],
    [
      "a context for Ollama beside the window",
      { ...remote, provider: "ollama", contextWindow: 9_000, body: { num_ctx: 4_096 } },
      "body.num_ctx: is written by MiniCode itself: use contextWindow",
    ],
    [
      "keepAlive that is no duration",
      { ...remote, provider: "ollama", keepAlive: "5" },
      "keepAlive: must be a duration",
    ],
    ["prices without a day", { ...remote, pricing: { input: 1, output: 2 } }, "pricing.asOf: "],
    [
      "prices in another currency",
      { ...remote, pricing: { input: 1, output: 2, asOf: "2026-01-02", currency: "EUR" } },
      "pricing.currency: ",
    ],
    [
      "what offline cannot use",
      { id: "mine", label: "Mine", provider: "offline", contextWindow: 9 },
      'unknown field "contextWindow"',
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
