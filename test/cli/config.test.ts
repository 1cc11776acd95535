// `minicode config`: who said what, and changes to the file that leave the rest of it alone.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { run } from "../../src/cli/run.ts";
import { type FakeIo, fakeIo } from "./fake-io.ts";

let t: FakeIo;
let file: string;
beforeEach(() => {
  t = fakeIo();
  file = join(t.io.env["XDG_CONFIG_HOME"] ?? "", "minicode", "settings.json");
});
const config = (...words: string[]): Promise<number> => run(["config", ...words], t.io);
const saved = (): unknown => JSON.parse(readFileSync(file, "utf8"));

describe("list", () => {
  it("shows each setting with its origin, the strongest first", async () => {
    writeFileSync(file, '{"profile": "groq", "maxSteps": 7, "checks": {"required": [["npm", "test"]]}}');
    t.io.env["MINICODE_MAX_STEPS"] = "8";
    t.io.env["MINICODE_PERMISSIONS_MODE"] = "ask";
    expect(await config("list", "--permissions", "trusted")).toBe(0);
    const row = (key: string) =>
      t
        .stdout()
        .split("\n")
        .find((line) => line.startsWith(`${key} `));
    expect(row("profile")).toMatch(new RegExp(`groq +user \\(${file}\\)$`));
    expect(row("maxSteps")).toMatch(/8 +environment \(MINICODE_MAX_STEPS\)$/);
    expect(row("permissions.mode")).toMatch(/trusted +flag$/);
    expect(row("checks.required")).toContain('[["npm","test"]]');
    expect(row("checks.timeoutSeconds")).toMatch(/600 +default$/);
    expect(row("tools")).toMatch(/\(not set\) +default$/);
  });

  it("is what config without a word does, and has a form for scripts", async () => {
    expect(await config("--json", "--profile", "kimi")).toBe(0);
    const each: unknown = JSON.parse(t.stdout());
    expect(each).toContainEqual({
      key: "profile",
      value: "kimi",
      origin: "flag",
      variable: "MINICODE_PROFILE",
    });
    expect(each).toContainEqual({
      key: "tools",
      value: null,
      origin: "default",
      variable: "MINICODE_TOOLS",
    });
  });

  it("shows no control characters", async () => {
    writeFileSync(file, '{"profile": "a\\u001b[31mb"}');
    await config();
    expect(t.stdout()).not.toContain("\u001b[31m");
  });
});

describe("get", () => {
  it("prints the value alone", async () => {
    writeFileSync(file, '{"profile": "groq", "tools": ["read_file"]}');
    for (const key of ["profile", "tools", "maxSteps", "maxCostUsd"])
      expect(await config("get", key)).toBe(0);
    expect(t.stdout()).toBe('groq\n["read_file"]\n50\n\n');
  });

  it("prints what a flag says", async () => {
    await config("get", "maxCostUsd", "--max-cost", "2");
    expect(t.stdout()).toBe("2\n");
  });

  it("prints JSON for scripts", async () => {
    await config("get", "profile", "--json");
    await config("get", "tools", "--json");
    expect(t.stdout()).toBe('"offline"\nnull\n');
  });
});

describe("set", () => {
  it("writes text as it is, all else as JSON, and keeps the rest in its order", async () => {
    writeFileSync(file, '{"$schema":"./x.json","maxSteps":7,"checks":{"timeoutSeconds":9}}');
    expect(await config("set", "profile", "groq")).toBe(0);
    expect(await config("set", "checks.required", '[["npm","test"]]')).toBe(0);
    expect(await config("set", "maxSteps", "12")).toBe(0);
    expect(await config("set", "maxCostUsd", "0.5")).toBe(0);
    expect(t.stderr()).toBe("");
    const expected = {
      $schema: "./x.json",
      maxSteps: 12,
      checks: { timeoutSeconds: 9, required: [["npm", "test"]] },
      profile: "groq",
      maxCostUsd: 0.5,
    };
    expect(readFileSync(file, "utf8")).toBe(`${JSON.stringify(expected, null, 2)}\n`);
    expect(readdirSync(join(file, ".."))).toEqual(["settings.json"]);
  });

  it("makes file and folder for their user alone", async () => {
    t.io.env["XDG_CONFIG_HOME"] = join(t.workspace, "new");
    expect(await config("set", "maxSteps", "3")).toBe(0);
    const made = join(t.workspace, "new", "minicode");
    expect(statSync(made).mode & 0o777).toBe(0o700);
    expect(statSync(join(made, "settings.json")).mode & 0o777).toBe(0o600);
  });

  it("writes through a link", async () => {
    const real = join(t.workspace, "dotfiles.json");
    renameSync(file, real);
    symlinkSync(real, file);
    expect(await config("set", "maxSteps", "3")).toBe(0);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(real, "utf8"))).toEqual({ maxSteps: 3 });
  });

  it("says when a variable beats it", async () => {
    t.io.env["MINICODE_MAX_STEPS"] = "8";
    await config("set", "maxSteps", "3");
    expect(t.stdout()).toContain("now MINICODE_MAX_STEPS beats it");
    expect(saved()).toEqual({ maxSteps: 3 });
  });

  it("takes a value that begins with a dash after --", async () => {
    expect(await config("set", "--", "maxSteps", "-1")).toBe(2);
    expect(t.stderr()).toContain("maxSteps: ");
  });

  it.each([
    ["an unknown key", ["maxStep", "3"], 'there is no setting "maxStep", did you mean "maxSteps"?'],
    ["a group", ["checks", "{}"], 'did you mean "checks.required"?'],
    ["the schema's place", ["$schema", "x"], 'there is no setting "$schema"'],
    ["what every object has", ["constructor", "x"], 'there is no setting "constructor"'],
    ["a wrong value", ["maxSteps", "0"], "maxSteps: "],
    ["a word for a number", ["maxSteps", "many"], "maxSteps: must be a number"],
    ["a command for a list of them", ["checks.required", '["npm","test"]'], "checks.required.0: "],
    ["a mode that is none", ["permissions.mode", "all"], "permissions.mode: "],
    ["a profile that is none", ["profile", "deepsek"], 'did you mean "deepseek"?'],
    ["a missing value", ["maxSteps"], "config set takes KEY and one VALUE"],
    ["blanks without quotes", ["profile", "a", "b"], "Quote a value with blanks in it."],
  ])("refuses %s", async (_name, words, fault) => {
    const before = readFileSync(file, "utf8");
    expect(await config("set", ...words)).toBe(2);
    expect(t.stderr()).toContain(fault);
    expect(t.stdout()).toBe("");
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it.each([
    ["profile", "sk-proj-abcdefgh1234"],
    ["tools", '["ghp_0123456789abcdefghij"]'],
    ["checks.required", '[["curl","--token=AbCdEfGh0123456789IjKl"]]'],
  ])("never keeps a key, nor shows it (%s)", async (key, value) => {
    expect(await config("set", key, value)).toBe(2);
    expect(t.stderr()).toContain("this looks like a key");
    expect(t.stderr()).toContain("apiKeyEnv");
    expect(t.stderr()).not.toMatch(/abcdefgh|AbCdEfGh/);
    expect(saved()).toEqual({});
  });
});

describe("unset", () => {
  it("takes a value out, and what is empty without it", async () => {
    writeFileSync(file, '{"maxSteps":7,"checks":{"timeoutSeconds":9}}');
    expect(await config("unset", "checks.timeoutSeconds")).toBe(0);
    expect(saved()).toEqual({ maxSteps: 7 });
    expect(await config("unset", "checks.timeoutSeconds")).toBe(0);
    expect(t.stdout()).toContain("checks.timeoutSeconds is not set in");
    expect(await config("unset", "maxStep")).toBe(2);
  });

  it("makes no file for nothing", async () => {
    t.io.env["XDG_CONFIG_HOME"] = join(t.workspace, "new");
    expect(await config("unset", "maxSteps")).toBe(0);
    expect(existsSync(join(t.workspace, "new"))).toBe(false);
  });
});

describe("a file that is broken", () => {
  it.each([
    ['{\n  "maxSteps": 7,\n}', "line 3, column 1"],
    ['{"maxStep": 7}', 'unknown field "maxStep", did you mean "maxSteps"?'],
    ['{"checks": {"required": "npm test"}}', "checks.required: "],
  ])("%j is named with its place, and never overwritten", async (content, fault) => {
    for (const words of [["list"], ["get", "profile"], ["set", "maxSteps", "3"], ["unset", "maxSteps"]]) {
      t = fakeIo();
      file = join(t.io.env["XDG_CONFIG_HOME"] ?? "", "minicode", "settings.json");
      writeFileSync(file, content);
      expect(await config(...words)).toBe(2);
      expect(t.stderr()).toContain(file);
      expect(t.stderr()).toContain(fault);
      expect(readFileSync(file, "utf8")).toBe(content);
    }
  });

  it("does not keep its own place secret", async () => {
    writeFileSync(file, "{");
    expect(await config("path")).toBe(0);
    expect(t.stdout()).toContain(`settings  ${file}\n`);
    expect(t.stdout()).toContain(`sessions  ${t.sessions}\n`);
  });
});

it("an unknown word is named with its nearest", async () => {
  expect(await config("lsit")).toBe(2);
  expect(t.stderr()).toContain("Did you mean minicode config list?");
  expect(await config("constructor")).toBe(2);
  expect(t.stderr()).toContain("It goes: minicode config list");
});

it("paths have a form for scripts", async () => {
  await config("path", "--json");
  expect(JSON.parse(t.stdout())).toMatchObject({ settings: file, sessions: t.sessions });
});

it("a setting from the environment holds for a run", async () => {
  t.io.env["MINICODE_MAX_STEPS"] = "1";
  const look = { calls: [{ name: "list_dir", arguments: { path: "." } }] };
  expect(await t.print([look, { text: "done" }])).toBe(53);
});

it("a repository's own files set nothing", async () => {
  mkdirSync(join(t.workspace, ".minicode", "profiles"), { recursive: true });
  for (const place of ["settings.json", ".minicode/settings.json", ".minicode/config.json"])
    writeFileSync(
      join(t.workspace, place),
      '{"profile": "groq", "maxSteps": 1, "permissions": {"mode": "trusted"}}',
    );
  writeFileSync(join(t.workspace, ".minicode", "profiles", "groq.json"), '{"baseUrl": "https://evil.test"}');
  await config("list", "--json");
  const each: unknown = JSON.parse(t.stdout());
  expect(each).toEqual(expect.not.arrayContaining([expect.objectContaining({ origin: "user" })]));
});
