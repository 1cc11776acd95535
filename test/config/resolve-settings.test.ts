// Whose word a setting is: flag, environment, user, default, in this order; and the keys and variables that the schema gives.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Origin, resolveSettings } from "../../src/config/resolve-settings.ts";
import { settingKey, settingKeys } from "../../src/config/setting-keys.ts";
import { settingDefaults, settingsSchema } from "../../src/config/settings.ts";
import { valueAt, withoutValue, withValue } from "../../src/config/value-at.ts";

describe("keys", () => {
  test.each([
    ["profile", "MINICODE_PROFILE"],
    ["maxSteps", "MINICODE_MAX_STEPS"],
    ["maxCostUsd", "MINICODE_MAX_COST"],
    ["checks.required", "MINICODE_CHECKS_REQUIRED"],
    ["checks.timeoutSeconds", "MINICODE_CHECKS_TIMEOUT"],
    ["commandTimeoutSeconds", "MINICODE_COMMAND_TIMEOUT"],
    ["permissions.mode", "MINICODE_PERMISSIONS_MODE"],
  ])("%s has %s", (key, variable) => {
    expect(settingKey(key)).toMatchObject({ key, variable });
  });

  test("every setting has a variable of its own that no profile uses", () => {
    const variables = settingKeys.map(({ variable }) => variable);
    expect(new Set(variables).size).toBe(variables.length);
    for (const taken of ["MINICODE_SCRIPT", "MINICODE_ALLOW_INSECURE_HTTP"])
      expect(variables).not.toContain(taken);
    expect(variables.filter((name) => name.startsWith("MINICODE_OPENAI_"))).toEqual([]);
  });

  test("every setting says what it is", () => {
    const bare = Object.entries(settingsSchema.shape).filter(([, field]) => !field.meta()?.description);
    expect(bare).toEqual([]);
  });

  test("the defaults are the schema's", () => {
    for (const { path, byDefault } of settingKeys) expect(byDefault).toEqual(valueAt(settingDefaults, path));
  });

  test.each([
    ["maxStep", "maxSteps"],
    ["checks", "checks.required"],
    ["permission.mode", "permissions.mode"],
  ])("%s is none, %s is near", (key, meant) => {
    expect(() => settingKey(key)).toThrow(
      expect.objectContaining({
        code: "E_SETTINGS",
        message: `there is no setting "${key}", did you mean "${meant}"?`,
        hint: expect.stringContaining("maxCostUsd"),
      }),
    );
  });
});

describe("whose word it is", () => {
  const layers = { flag: 4, environment: 3, user: 2 };

  test("the first that says something, in every combination", () => {
    const names = ["flag", "environment", "user"] as const;
    fc.assert(
      fc.property(fc.subarray([...names]), (saying) => {
        const says = (name: (typeof names)[number]): boolean => saying.includes(name);
        const { settings, each } = resolveSettings(
          says("user") ? { maxSteps: layers.user } : {},
          says("environment") ? { MINICODE_MAX_STEPS: String(layers.environment) } : {},
          says("flag") ? { maxSteps: layers.flag } : {},
        );
        const origin: Origin = names.find(says) ?? "default";
        expect(each.find(({ key }) => key === "maxSteps")).toMatchObject({
          origin,
          value: origin === "default" ? settingDefaults.maxSteps : layers[origin],
        });
        expect(settings).toEqual(origin === "default" ? {} : { maxSteps: layers[origin] });
      }),
    );
  });

  test("each key for itself, also within a group", () => {
    const { settings } = resolveSettings(
      { checks: { required: [["npm", "test"]], timeoutSeconds: 9 } },
      { MINICODE_CHECKS_TIMEOUT: "60", MINICODE_TOOLS: '["read_file"]', MINICODE_PROFILE: " mine " },
      { profile: undefined, permissions: { mode: "ask" } },
    );
    expect(settings).toEqual({
      profile: "mine",
      checks: { required: [["npm", "test"]], timeoutSeconds: 60 },
      permissions: { mode: "ask" },
      tools: ["read_file"],
    });
  });

  test("a blank variable says nothing", () => {
    const { settings } = resolveSettings(
      { maxSteps: 2 },
      { MINICODE_MAX_STEPS: "  ", MINICODE_PROFILE: "" },
      {},
    );
    expect(settings).toEqual({ maxSteps: 2 });
  });

  test.each([
    ["MINICODE_MAX_STEPS", "many", "MINICODE_MAX_STEPS: must be a number"],
    ["MINICODE_MAX_STEPS", "0", "MINICODE_MAX_STEPS: "],
    ["MINICODE_MAX_COST", "-1", "MINICODE_MAX_COST: "],
    ["MINICODE_PERMISSIONS_MODE", "all", "MINICODE_PERMISSIONS_MODE: "],
    ["MINICODE_CHECKS_REQUIRED", '[["npm", 1]]', "MINICODE_CHECKS_REQUIRED.0.1: "],
  ])("%s=%s is wrong", (name, value, fault) => {
    expect(() => resolveSettings({}, { [name]: value }, {})).toThrow(
      expect.objectContaining({ code: "E_SETTINGS", message: expect.stringContaining(fault) }),
    );
  });
});

describe("values by their path", () => {
  test("set keeps the order, unset leaves no empty group", () => {
    const data = { a: 1, b: { c: 2 }, d: 3 };
    expect(Object.entries(withValue(data, ["b", "c"], 9))).toEqual([
      ["a", 1],
      ["b", { c: 9 }],
      ["d", 3],
    ]);
    expect(withValue(data, ["e", "f"], 4)).toEqual({ ...data, e: { f: 4 } });
    expect(withoutValue(data, ["b", "c"])).toEqual({ a: 1, d: 3 });
    expect(withoutValue(data, ["b", "x"])).toEqual(data);
    expect(valueAt(data, ["a", "c"])).toBeUndefined();
  });
});
