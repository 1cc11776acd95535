// docs/configuration.md keeps up with the schemas: every setting, variable, field, switch and shipped profile is in it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { checkSettings } from "../../src/app.ts";
import { openAiCompatSchema } from "../../src/config/compat.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { profileSchema } from "../../src/config/profile-schema.ts";
import { listProfiles, loadProfile } from "../../src/config/profiles.ts";
import { settingKeys } from "../../src/config/setting-keys.ts";
import { settingsSchema } from "../../src/config/settings.ts";

const page = readFileSync(join(packageRoot(), "docs", "configuration.md"), "utf8");
const nowhere = { config: "/no/such/folder", data: "", state: "" };

test.each(settingKeys)("the setting $key, with its default", ({ key, variable, byDefault }) => {
  const [, , , shown] =
    page
      .split("\n")
      .find((line) => line.startsWith(`| \`${key}\` | \`${variable}\``))
      ?.split("|") ?? [];
  expect(shown).toBeDefined();
  if (byDefault !== undefined) expect(shown?.replaceAll("`", "").trim()).toBe(String(byDefault));
});

test("every field and switch", () => {
  const fields = profileSchema.options.flatMap(({ shape }) => Object.keys(shape));
  const missing = [...fields, ...Object.keys(openAiCompatSchema.shape)].filter(
    (name) => !page.includes(name),
  );
  expect(missing).toEqual([]);
});

test("every shipped profile, with its variables and its model", async () => {
  const ids = await listProfiles(nowhere);
  const profiles = await Promise.all(ids.map((id) => loadProfile(id, nowhere)));
  const missing = profiles.flatMap((profile) => {
    if (!("apiKeyEnv" in profile)) return [];
    const { baseUrl, baseUrlEnv, model, modelEnv, apiKeyEnv } = profile;
    const key = baseUrl?.startsWith("http://") ? undefined : apiKeyEnv;
    const names = [profile.id, baseUrlEnv, model, modelEnv, key].filter((name) => name !== undefined);
    return names.filter((name) => !page.includes(`\`${name}\``));
  });
  expect(missing).toEqual([]);
});

test("the examples are settings with rules for tools there are, and a profile", () => {
  const [settings, profile] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]): unknown =>
    JSON.parse(text),
  );
  expect(() => checkSettings(settingsSchema.parse(settings))).not.toThrow();
  expect(z.safeParse(profileSchema, profile).error).toBeUndefined();
});
