// settings.json, and where it is looked for.
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { describe, expect, test } from "vitest";
import { folders } from "../../src/config/folders.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { loadSettings } from "../../src/config/settings.ts";

async function load(content: string) {
  const config = await mkdtemp(join(tmpdir(), "minicode-settings-"));
  await writeFile(join(config, "settings.json"), content);
  return loadSettings({ config, data: config, state: config });
}

describe("settings", () => {
  test("no file is no settings", async () => {
    expect(await loadSettings({ config: "/no/such", data: "", state: "" })).toEqual({});
  });

  test("everything there is", async () => {
    const settings = {
      profile: "mine",
      $schema: "./settings.schema.json",
      maxSteps: 9,
      maxCostUsd: 0.5,
      checks: { required: [["npm", "test"], ["tsc"]], timeoutSeconds: 60 },
      commandTimeoutSeconds: 30,
      tools: ["read_file"],
    };
    expect(await load(`\uFEFF${JSON.stringify(settings)}`)).toEqual(settings);
  });

  test.each([
    ["{", "settings.json is not JSON"],
    ["[]", "settings.json: "],
    ['{"maxStep": 3}', 'unknown field "maxStep", did you mean "maxSteps"?'],
    ['{"cheks": {}}', 'did you mean "checks"?'],
    ['{"checks": {"require": []}}', 'unknown field "checks.require", did you mean "required"?'],
    ['{"colour": 1}', 'unknown field "colour"'],
    ['{"maxSteps": 0}', "maxSteps: "],
    ['{"maxCostUsd": 0}', "maxCostUsd: "],
    [
      '{\n  "maxSteps": 1\n  "tools": []\n}',
      'settings.json is not JSON: line 3, column 3: expected "," or "}"',
    ],
    ['{"checks": {"required": [[]]}}', "checks.required.0: "],
    ['{"checks": {"required": "npm test"}}', "checks.required: "],
    ['{"commandTimeoutSeconds": 1.5, "tools": []}', "tools: "],
  ])("%s", async (content, fault) => {
    const loading = load(content);
    await expect(loading).rejects.toMatchObject({ code: "E_SETTINGS" });
    await expect(loading).rejects.toThrow(fault);
  });
});

describe("folders", () => {
  test("XDG on Linux, with its defaults", () => {
    expect(folders({ HOME: "/h" }, "linux")).toEqual({
      config: "/h/.config/minicode",
      data: "/h/.local/share/minicode",
      state: "/h/.local/state/minicode",
    });
    const env = { HOME: "/h", XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "relative", XDG_STATE_HOME: "" };
    expect(folders(env, "linux")).toEqual({
      config: "/c/minicode",
      data: "/h/.local/share/minicode",
      state: "/h/.local/state/minicode",
    });
  });

  test("the platform's own elsewhere", () => {
    for (const folder of Object.values(folders({}, "darwin"))) {
      expect(isAbsolute(folder)).toBe(true);
      expect(folder).toContain("minicode");
      expect(folder).not.toContain("nodejs");
    }
  });

  test("MiniCode's own", () => {
    expect(packageRoot()).toBe(join(import.meta.dirname, "../.."));
  });
});
