// Set-up as a talk: what it asks, what it writes, what it never takes, and that leaving it changes nothing.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { withDialogue } from "../../src/cli/dialogue.ts";
import { run } from "../../src/cli/run.ts";
import { setUp } from "../../src/cli/setup-flow.ts";
import type { MadeProfile } from "../../src/cli/setup-profile.ts";
import { folders } from "../../src/config/folders.ts";
import { rowsToText } from "../../src/view/plain.ts";
import { head, startRawServer } from "../helpers/raw-server.ts";
import { type FakeIo, fakeIo } from "./fake-io.ts";

const KEY = "sk-very-secret-value-123456";

interface Talk {
  t: FakeIo;
  made: MadeProfile | null;
  shown: string;
  profile(id: string): unknown;
  settings(): unknown;
}

/** A talk that these lines answer; when they are used up, the user leaves. */
async function talk(
  answers: readonly string[],
  env: NodeJS.ProcessEnv = {},
  t = fakeIo(),
  offline = false,
): Promise<Talk> {
  Object.assign(t.io.env, env);
  const left = [...answers];
  const shown: string[] = [];
  const dialogue = {
    say: (rows: Parameters<typeof rowsToText>[0]) => shown.push(rowsToText(rows, { color: false })),
    width: () => 100,
    ask: async () => left.shift() ?? null,
    signal: new AbortController().signal,
  };
  const made = await setUp(dialogue, folders(t.io.env, "linux"), t.io.env, offline);
  const read = (name: string): unknown => JSON.parse(readFileSync(join(t.config, name), "utf8"));
  return {
    t,
    made,
    shown: shown.join("\n"),
    profile: (id) => read(`profiles/${id}.json`),
    settings: () => read("settings.json"),
  };
}

/** A server that lists these models. */
async function listing(...ids: string[]): Promise<string> {
  const server = await startRawServer(async ({ write, end }) => {
    const body = JSON.stringify({ object: "list", data: ids.map((id) => ({ id })) });
    await write(head(200, { "content-type": "application/json" }), body);
    end();
  });
  onTestFinished(() => server.close());
  return server.url;
}

const any = "openai-compatible";
/** Of a hosted server whose key is not there: URL, variable, model, window, id, and whether to start with it. */
const hosted = ["https://api.example.com/v1", "MY_KEY", "big-1", "128k", "mine", ""];

describe("a server of one's own", () => {
  it("is written whole, for its user alone, and started with; the missing variable is named", async () => {
    const { t, made, shown, profile, settings } = await talk([any, ...hosted]);
    expect(made).toEqual({ id: "mine", ready: false, start: true });
    expect(profile("mine")).toEqual({
      id: "mine",
      label: "api.example.com",
      provider: "openai-compatible",
      baseUrl: "https://api.example.com/v1",
      model: "big-1",
      apiKeyEnv: "MY_KEY",
      contextWindow: 128_000,
    });
    expect(settings()).toEqual({ profile: "mine" });
    const file = join(t.config, "profiles", "mine.json");
    expect(shown).toContain(file);
    expect(shown).toContain("export MY_KEY=…");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(t.config, "profiles")).mode & 0o777).toBe(0o700);
  });

  it("left at any question: nothing is written", async () => {
    const answers = [any, ...hosted];
    for (let n = 0; n < answers.length; n++) {
      const { t, made, shown } = await talk(answers.slice(0, n));
      expect(made).toBeNull();
      expect(shown).toContain("nothing was changed");
      expect(existsSync(join(t.config, "profiles"))).toBe(false);
      expect(readFileSync(join(t.config, "settings.json"), "utf8")).toBe("{}");
    }
  });

  it("not to be started with: the settings stay", async () => {
    const { made, settings } = await talk([any, ...hosted.slice(0, -1), "n"]);
    expect(made?.start).toBe(false);
    expect(settings()).toEqual({});
  });

  it("a variable that beats the settings is named", async () => {
    expect((await talk([any, ...hosted], { MINICODE_PROFILE: "deepseek" })).shown).toContain(
      "MINICODE_PROFILE is set",
    );
    expect((await talk([any, ...hosted])).shown).not.toContain("MINICODE_PROFILE");
  });

  it("other settings stay as they are", async () => {
    const { settings } = await talk([any, ...hosted], {}, fakeIo({}, { maxSteps: 7 }));
    expect(settings()).toEqual({ maxSteps: 7, profile: "mine" });
  });

  it.each([
    ["http://api.example.com/v1", "plain http"],
    ["https://me:pw@api.example.com", "user name or password"],
    ["api.example.com", "not a URL"],
    ["https://api.example.com/v1?x=1", "query"],
  ])("the URL %s is refused at once and asked again", async (url, why) => {
    const { made, shown } = await talk([any, url, ...hosted]);
    expect(shown).toContain(why);
    expect(made?.id).toBe("mine");
  });

  it.each([KEY, "AKIAIOSFODNN7EXAMPLE", "abcdef0123456789abcdef0123456789", "my key"])(
    "%j where a variable's name is wanted is not kept, shown or written",
    async (typed) => {
      const [url = "", ...rest] = hosted;
      const { shown, profile } = await talk([any, url, typed, ...rest]);
      expect(shown).toContain("no variable's name");
      expect(shown).not.toContain(typed);
      expect(profile("mine")).toMatchObject({ apiKeyEnv: "MY_KEY" });
    },
  );

  it("a profile of that name is overwritten only with a yes", async () => {
    const t = fakeIo();
    const file = join(t.config, "profiles", "mine.json");
    mkdirSync(join(t.config, "profiles"), { recursive: true });
    const before = JSON.stringify({ id: "mine", label: "Before", provider: "offline" });
    writeFileSync(file, before);
    const upToId = [any, ...hosted.slice(0, 4)];
    const other = await talk([...upToId, "mine", "", "other", ""], {}, t);
    expect(other.made?.id).toBe("other");
    expect(other.shown).toContain(`${file} is there already`);
    expect(readFileSync(file, "utf8")).toBe(before);
    const same = await talk([...upToId, "mine", "y", ""], {}, t);
    expect(same.profile("mine")).toMatchObject({ model: "big-1" });
  });

  it.each(["", "../x", "a b", "offline", "scripted", "setup", ".hidden"])(
    "%j is no profile's name",
    async (id) => {
      const upToId = [any, ...hosted.slice(0, 4)];
      const { made } = await talk([...upToId, ...(id === "" ? [] : [id]), "fine", ""]);
      expect(made?.id).toBe("fine");
    },
  );
});

describe("the list of providers", () => {
  it("marks by its name what key is there, never by its value", async () => {
    const bare = await talk([]);
    const set = await talk([], { DEEPSEEK_API_KEY: KEY });
    expect(bare.shown).toContain("needs DEEPSEEK_API_KEY");
    expect(set.shown).toContain("DEEPSEEK_API_KEY is set");
    expect(set.shown).not.toContain(KEY);
  });

  it("says whether a server on this machine answers, and offers it though it does not", async () => {
    const t = fakeIo();
    const folder = join(t.config, "profiles");
    mkdirSync(folder, { recursive: true });
    const local = { label: "Local", provider: "openai-compatible" };
    const up = await listing("m");
    const down = await startRawServer(() => {});
    await down.close();
    writeFileSync(join(folder, "up.json"), JSON.stringify({ id: "up", ...local, baseUrl: up }));
    writeFileSync(join(folder, "down.json"), JSON.stringify({ id: "down", ...local, baseUrl: down.url }));
    const { shown, made, profile } = await talk(["down", "", "m", "", "", "n"], {}, t);
    expect(shown).toContain(`answers at ${new URL(up).host}`);
    expect(shown).toContain(`does not answer at ${new URL(down.url).host}`);
    expect(made).toBeNull();
    const again = await talk(["down", "", "m", "", "", "y", "n"], {}, t);
    expect(again.made).toEqual({ id: "down", ready: true, start: false });
    expect(profile("down")).toMatchObject({ model: "m", baseUrl: down.url });
  });

  it("a broken profile is named and left out", async () => {
    const t = fakeIo();
    mkdirSync(join(t.config, "profiles"), { recursive: true });
    writeFileSync(join(t.config, "profiles", "bad.json"), '{"id":"bad"}');
    const { shown } = await talk([], {}, t);
    expect(shown).toContain("The profile bad cannot be read");
  });

  it("takes a number or a name; for anything else it names the nearest", async () => {
    const { shown, made } = await talk(["", "deepsek", "0", "999", any, ...hosted]);
    expect(shown).toContain("A number or a name of the list is needed");
    expect(shown).toContain("Did you mean deepseek?");
    expect(made?.id).toBe("mine");
    const first = /^ {3}1 {2}(\S+)/m.exec(shown)?.[1] ?? "";
    expect((await talk(["1"])).shown).toContain(first);
  });
});

describe("the model", () => {
  const upToModel = (url: string) => [any, url, "-"];
  const rest = ["", "mine", "n"];

  it.each([
    ["by number", ["2"], "beta"],
    ["by name", ["alpha"], "alpha"],
    ["by a part that only its name has", ["bet"], "beta"],
    ["by a part of its name, then by its number there", ["GAM", "1"], "gamma-1"],
    ["unlisted, after a no and another one", ["delta", "n", "beta"], "beta"],
    ["unlisted, after a yes", ["delta", "y"], "delta"],
  ])("is chosen from the server's list %s", async (_name, answers, model) => {
    const url = await listing("alpha", "beta", "gamma-1", "gamma-2");
    const { profile } = await talk([...upToModel(url), ...answers, ...rest]);
    expect(profile("mine")).toMatchObject({ model, keyRequired: false });
  });

  it("of many only some are shown, and searching finds the others", async () => {
    const url = await listing(...Array.from({ length: 300 }, (_, i) => `model-${i}`));
    const { shown, profile } = await talk([...upToModel(url), "el-29", "3", ...rest]);
    expect(shown).toContain("It offers 300 models; these are 15 of them:");
    expect(shown).toContain("These fit:");
    expect(profile("mine")).toMatchObject({ model: "model-291" });
  });

  it("offline no other machine is asked", async () => {
    const env = { DEEPSEEK_API_KEY: KEY };
    const { shown } = await talk(["deepseek", "some-model"], env, fakeIo(), true);
    expect(shown).toContain("DeepSeek is at api.deepseek.com, and MiniCode is offline");
    expect(shown).not.toContain(KEY);
  });

  it("is a name to type where the server cannot be asked, and says why", async () => {
    const { url, close } = await startRawServer(() => {});
    await close();
    const { shown, profile } = await talk([...upToModel(url), "", "typed", ...rest]);
    expect(shown).toContain("No list of models");
    expect(profile("mine")).toMatchObject({ model: "typed" });
  });

  it.each([
    ["128k", 128_000],
    ["200 000", 200_000],
    ["32768", 32_768],
    ["", undefined],
  ])("with a context window of %j", async (typed, contextWindow) => {
    const [url = "", variable = "", model = ""] = hosted;
    const { profile } = await talk([any, url, variable, model, "many", typed, "mine", "n"]);
    expect(Reflect.get(profile("mine") as object, "contextWindow")).toBe(contextWindow);
  });
});

describe("by flags", () => {
  const flags = [
    "setup",
    "--profile",
    "mine",
    "--base-url",
    "https://api.example.com/v1",
    "--model",
    "big-1",
  ];

  it("asks nothing, writes the same, and says what comes next", async () => {
    const t = fakeIo();
    expect(await run([...flags, "--key-env", "MY_KEY"], t.io)).toBe(0);
    expect(JSON.parse(readFileSync(join(t.config, "profiles", "mine.json"), "utf8"))).toMatchObject({
      id: "mine",
      baseUrl: "https://api.example.com/v1",
      model: "big-1",
      apiKeyEnv: "MY_KEY",
    });
    expect(JSON.parse(readFileSync(join(t.config, "settings.json"), "utf8"))).toEqual({ profile: "mine" });
    expect(t.stdout()).toContain("export MY_KEY=…");
    expect(t.stdout()).toContain("minicode doctor --online");
  });

  it("a profile chosen before stays the one to start with", async () => {
    const t = fakeIo({}, { profile: "scripted" });
    expect(await run(flags, t.io)).toBe(0);
    expect(JSON.parse(readFileSync(join(t.config, "settings.json"), "utf8"))).toEqual({
      profile: "scripted",
    });
    expect(t.stdout()).toContain("--profile mine");
  });

  it.each<[string, string[], string]>([
    ["no terminal and no flags", ["setup"], "needs a terminal"],
    ["flags without a profile", ["setup", "--model", "m"], "--profile ID"],
    ["no model", ["setup", "--profile", "mine", "--base-url", "https://a.example"], "--model"],
    ["no base URL", ["setup", "--profile", "mine", "--model", "m"], "--base-url"],
    [
      "a wrong base URL",
      ["setup", "--profile", "mine", "--model", "m", "--base-url", "http://a.example"],
      "plain http",
    ],
    ["a key where its variable is wanted", [...flags, "--key-env", KEY], "no variable's name"],
    ["an id that none may have", ["setup", "--profile", "../x", "--model", "m"], "A name has"],
    ["a profile without a server", ["setup", "--profile", "offline"], "A name has"],
    ["words", ["setup", "deepseek"], "takes no words"],
  ])("%s: 2, and nothing is written", async (_name, argv, message) => {
    const t = fakeIo();
    expect(await run(argv, t.io)).toBe(2);
    expect(t.stderr()).toContain(message);
    expect(t.stderr()).not.toContain(KEY);
    expect(existsSync(join(t.config, "profiles"))).toBe(false);
  });

  it("never overwrites", async () => {
    const t = fakeIo();
    await run(flags, t.io);
    const file = join(t.config, "profiles", "mine.json");
    const before = readFileSync(file, "utf8");
    expect(await run([...flags, "--key-env", "MY_KEY"], t.io)).toBe(2);
    expect(t.stderr()).toContain("is there already");
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});

describe("on a plain terminal", () => {
  it("a line answers the question that was asked before it; what came too early does not", async () => {
    const t = fakeIo();
    const stdin = Object.assign(new PassThrough(), { fd: -1 });
    const answers = await withDialogue({ ...t.io, stdin }, async ({ ask }) => {
      stdin.write("too early\n");
      await new Promise((resolve) => setImmediate(resolve));
      const first = ask();
      stdin.write("  one \nnot asked for\n");
      const given = [await first];
      const second = ask();
      stdin.end("two\n");
      given.push(await second, await ask());
      return given;
    });
    expect(answers).toEqual(["one", "two", null]);
  });

  it("leaves the input to the next one", async () => {
    const t = fakeIo();
    const stdin = Object.assign(new PassThrough(), { fd: -1 });
    await withDialogue({ ...t.io, stdin }, async () => {});
    expect(stdin.listenerCount("keypress")).toBe(0);
    expect(stdin.isPaused()).toBe(true);
  });
});
