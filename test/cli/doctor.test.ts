// What doctor says in the situations a user gets into: no profile, no key, nobody there, a wrong key, all well.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Check } from "../../src/cli/check.ts";
import { run } from "../../src/cli/run.ts";
import { startProxy } from "../helpers/proxy-server.ts";
import { type Exchange, event, head, startRawServer, streamHead } from "../helpers/raw-server.ts";
import { type FakeIo, fakeIo } from "./fake-io.ts";

const KEY = "sk-very-secret-value-123456";

interface Report {
  code: number;
  ok: boolean;
  checks: Check[];
  row(name: string): Check | undefined;
  text: string;
}

/** doctor --json with a profile "here" of these fields, chosen by the settings unless a flag names another. */
async function doctor(
  profile: object | null,
  env: NodeJS.ProcessEnv = {},
  ...flags: string[]
): Promise<Report> {
  const t = fakeIo({}, profile === null ? {} : { profile: "here" });
  if (profile !== null) writeProfile(t, profile);
  Object.assign(t.io.env, env);
  const code = await run(["doctor", "--json", ...flags], t.io);
  const { ok, checks } = JSON.parse(t.stdout());
  return {
    code,
    ok,
    checks,
    row: (name) => checks.find((check: Check) => check.name === name),
    text: t.stdout(),
  };
}

function writeProfile(t: FakeIo, fields: object): void {
  const folder = join(t.config, "profiles");
  mkdirSync(folder, { recursive: true });
  const profile = { id: "here", label: "Here", provider: "openai-compatible", ...fields };
  writeFileSync(join(folder, "here.json"), JSON.stringify(profile));
}

async function server(
  answer: (exchange: Exchange) => void | Promise<void>,
): Promise<Awaited<ReturnType<typeof startRawServer>>> {
  const started = await startRawServer(answer);
  onTestFinished(() => started.close());
  return started;
}

const json = head(200, { "content-type": "application/json" });
const list = `${json}${JSON.stringify({ object: "list", data: [{ id: "small" }, { id: "large" }] })}`;
const toolCall = (args: string, usage: object | null) => [
  event({
    choices: [
      {
        index: 0,
        delta: {
          role: "assistant",
          tool_calls: [
            { index: 0, id: "c1", type: "function", function: { name: "report", arguments: args } },
          ],
        },
        finish_reason: null,
      },
    ],
  }),
  event({
    choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }],
    ...(usage === null ? {} : { usage }),
  }),
  event("[DONE]"),
];

/** Lists its models, and answers questions with these events. */
const answering = (events: string[]) =>
  server(async ({ request, write, end }) => {
    await (request.line.startsWith("GET") ? write(list) : write(streamHead, ...events));
    end();
  });
const withKey = (url: string) => ({ baseUrl: url, model: "small", apiKeyEnv: "HERE_KEY", keyRequired: true });

describe("the model", () => {
  it("no profile: says how to make one, asks nobody", async () => {
    const report = await doctor(null);
    expect(report.code).toBe(1);
    expect(report.row("profile")).toMatchObject({
      state: "fail",
      hint: expect.stringContaining("minicode setup"),
    });
    expect(report.row("endpoint")?.state).toBe("skipped");
  });

  it("a profile that is none: names the nearest", async () => {
    const report = await doctor({ model: "m" }, {}, "--profile", "her");
    expect(report.row("profile")).toMatchObject({ state: "fail", detail: expect.stringContaining('"here"') });
  });

  it("no base URL: a fault of the profile, not of the key", async () => {
    const report = await doctor({ model: "m", apiKeyEnv: "HERE_KEY", baseUrlEnv: "HERE_URL" });
    expect(report.row("profile")).toMatchObject({ state: "fail", hint: expect.stringContaining("HERE_URL") });
    expect(report.row("key")?.state).toBe("skipped");
  });

  it("missing key: names its variable, asks nobody", async () => {
    const { url, requests } = await answering([]);
    const report = await doctor(withKey(url), {}, "--online");
    expect(report.code).toBe(1);
    expect(report.row("profile")?.state).toBe("ok");
    expect(report.row("key")).toMatchObject({
      state: "fail",
      hint: expect.stringContaining("export HERE_KEY="),
    });
    expect(requests).toEqual([]);
  });

  it("unreachable endpoint: names it", async () => {
    const { url, close } = await startRawServer(() => {});
    await close();
    const report = await doctor(withKey(url), { HERE_KEY: KEY }, "--online");
    expect(report.code).toBe(1);
    expect(report.row("key")?.state).toBe("ok");
    expect(report.row("endpoint")).toMatchObject({ state: "fail", hint: expect.stringContaining(url) });
    expect(report.row("round trip")?.state).toBe("skipped");
  });

  it("wrong key: the key's row says so, and never its value, though the server echoes it", async () => {
    const { url } = await server(async ({ request, write, end }) => {
      const message = `Incorrect API key: ${request.headers["authorization"]}`;
      await write(head(401, { "content-type": "application/json" }), JSON.stringify({ error: { message } }));
      end();
    });
    const report = await doctor(withKey(url), { HERE_KEY: KEY }, "--online");
    expect(report.code).toBe(1);
    expect(report.row("key")).toMatchObject({ state: "fail", detail: expect.stringContaining("401") });
    expect(report.row("key")?.hint).toContain("HERE_KEY");
    expect(report.row("endpoint")?.state).toBe("ok");
    expect(report.text).not.toContain(KEY);
  });

  it("healthy, without --online: the list is asked for, the model is not", async () => {
    const { url, requests } = await answering([]);
    const report = await doctor(withKey(url), { HERE_KEY: KEY });
    expect(report).toMatchObject({ code: 0, ok: true });
    expect(report.row("endpoint")).toMatchObject({ state: "ok", detail: expect.stringContaining(url) });
    expect(report.row("model")).toMatchObject({ state: "ok", detail: "small is one of the 2 it lists" });
    expect(report.row("round trip")?.state).toBe("skipped");
    expect(requests.map(({ line }) => line.split(" ")[0])).toEqual(["GET"]);
    expect(report.text).not.toContain(KEY);
  });

  it("healthy, with --online: one small tool is called, and the counts are there", async () => {
    const usage = { prompt_tokens: 60, completion_tokens: 12, prompt_tokens_details: { cached_tokens: 8 } };
    const { url, requests } = await answering(toolCall('{"word":"ready"}', usage));
    const report = await doctor(withKey(url), { HERE_KEY: KEY }, "--online");
    expect(report).toMatchObject({ code: 0, ok: true });
    expect(report.row("round trip")).toMatchObject({ state: "ok" });
    expect(report.row("token counts")?.detail).toBe("60 in, 8 of them from its cache, 12 out");
    const asked = JSON.parse(requests[1]?.body ?? "");
    expect(asked.tools).toHaveLength(1);
    expect(asked.tool_choice).toMatchObject({ function: { name: "report" } });
  });

  it.each<[string, string[], string, Check["state"], string]>([
    [
      "text instead of a call",
      [
        event({ choices: [{ index: 0, delta: { content: "ready" }, finish_reason: "stop" }] }),
        event("[DONE]"),
      ],
      "round trip",
      "fail",
      "tool calls",
    ],
    ["another word than asked for", toolCall('{"word":"steady"}', null), "round trip", "warn", "too weak"],
    ["no counts", toolCall('{"word":"ready"}', null), "token counts", "warn", ""],
    [
      "cut off at the limit",
      [event({ choices: [{ index: 0, delta: { content: "r" }, finish_reason: "length" }] }), event("[DONE]")],
      "round trip",
      "fail",
      "maxOutputTokens",
    ],
  ])("%s", async (_name, events, row, state, hint) => {
    const { url } = await answering(events);
    const report = await doctor(withKey(url), { HERE_KEY: KEY }, "--online");
    expect(report.row(row)?.state).toBe(state);
    expect(report.row(row)?.hint ?? "").toContain(hint);
    expect(report.code).toBe(state === "fail" ? 1 : 0);
  });

  it.each<[number, string, Check["state"], Check["state"]]>([
    [302, "endpoint", "fail", "skipped"],
    [503, "endpoint", "fail", "skipped"],
    [402, "model", "fail", "ok"],
    [429, "model", "warn", "ok"],
    [404, "model", "warn", "ok"],
  ])("%i to the list: %s %s", async (status, row, state, other) => {
    const { url } = await server(async ({ write, end }) => {
      await write(head(status, { location: "https://elsewhere.example/login" }));
      end();
    });
    const report = await doctor({ baseUrl: url, model: "small" });
    expect(report.row(row)?.state).toBe(state);
    expect(report.row(row === "model" ? "endpoint" : "model")?.state).toBe(other);
    expect(report.code).toBe(state === "fail" ? 1 : 0);
  });

  it.each([403, 407])("a proxy's %i is not the endpoint's word", async (status) => {
    const proxy = await startProxy(0, status);
    const before = process.env["HTTPS_PROXY"];
    process.env["HTTPS_PROXY"] = `http://${proxy.address}`;
    onTestFinished(() => {
      if (before === undefined) delete process.env["HTTPS_PROXY"];
      else process.env["HTTPS_PROXY"] = before;
    });
    const report = await doctor(withKey("https://llm.example.com/v1"), { HERE_KEY: KEY });
    expect(report.row("endpoint")).toMatchObject({
      state: "fail",
      detail: expect.stringContaining(`the proxy answered ${status}`),
    });
  });

  it.each([
    ["--offline", {}],
    ["--online", { MINICODE_OFFLINE: "1" }],
  ])("offline (%s %j) nobody elsewhere is asked", async (flag, env) => {
    const report = await doctor(
      withKey("https://llm.example.com/v1"),
      { HERE_KEY: KEY, ...env },
      "--online",
      flag,
    );
    for (const name of ["endpoint", "model", "round trip"])
      expect(report.row(name)).toMatchObject({
        state: "skipped",
        detail: "MiniCode is offline, and this is at llm.example.com",
      });
  });

  it("names that mean the same model are the same", async () => {
    const { url } = await server(async ({ write, end }) => {
      await write(json + JSON.stringify({ data: [{ id: "models/small" }, { id: "large:latest" }] }));
      end();
    });
    for (const model of ["small", "large", "models/small"])
      expect((await doctor({ baseUrl: url, model })).row("model")?.state).toBe("ok");
  });

  it("a script that nobody named is a fault of the profile", async () => {
    const report = await doctor(null, {}, "--profile", "scripted");
    expect(report.row("profile")).toMatchObject({
      state: "fail",
      hint: expect.stringContaining("MINICODE_SCRIPT"),
    });
  });

  it("a model that is not listed is a warning: some servers take such names", async () => {
    const { url } = await answering([]);
    const report = await doctor({ baseUrl: url, model: "smal" });
    expect(report.row("model")).toMatchObject({
      state: "warn",
      detail: expect.stringContaining("the nearest is small"),
    });
    expect(report.code).toBe(0);
  });

  it("a server without a list is a warning", async () => {
    const { url } = await server(async ({ write, end }) => {
      await write(head(404));
      end();
    });
    const report = await doctor({ baseUrl: url, model: "small" });
    expect(report.row("endpoint")?.state).toBe("ok");
    expect(report.row("model")?.state).toBe("warn");
  });
});

describe("this machine", () => {
  it("Node, git, ripgrep and folders are looked at; what is not there is not made", async () => {
    const report = await doctor(null);
    for (const name of ["node", "git", "ripgrep", "config folder", "data folder", "state folder"])
      expect(report.row(name)?.state).toBe("ok");
    expect(report.row("data folder")?.detail).toContain("made when it is first needed");
    expect(report.row("terminal")?.state).toBe("skipped");
  });

  it.runIf(process.platform === "linux")(
    "a folder that cannot be made is told, whatever its mode says",
    async () => {
      const t = fakeIo();
      t.io.env["XDG_DATA_HOME"] = "/proc/nope";
      t.io.env["XDG_STATE_HOME"] = "/etc/passwd/x";
      await run(["doctor"], t.io);
      expect(t.stdout()).toMatch(/✗ FAILED +data folder +\/proc\/nope\/minicode cannot be made/);
      expect(t.stdout()).toMatch(/✗ FAILED +state folder +\/etc\/passwd is not a folder/);
    },
  );

  it("no git on PATH", async () => {
    const path = process.env["PATH"];
    process.env["PATH"] = "/nowhere";
    onTestFinished(() => {
      process.env["PATH"] = path;
    });
    expect((await doctor(null)).row("git")).toMatchObject({
      state: "fail",
      detail: "there is no git on PATH",
    });
  });

  it("a configuration that others may write is a warning, and so are sessions that others may read", async () => {
    const t = fakeIo();
    chmodSync(t.config, 0o777);
    mkdirSync(join(t.sessions, ".."), { recursive: true, mode: 0o755 });
    chmodSync(join(t.sessions, ".."), 0o755);
    await run(["doctor", "--json"], t.io);
    const { checks } = JSON.parse(t.stdout());
    const hints = checks.flatMap(({ state, hint }: Check) => (state === "warn" ? [hint] : []));
    expect(hints).toEqual([`chmod 700 ${t.config}`, `chmod 700 ${join(t.sessions, "..")}`]);
  });

  it("a terminal: its size, colours, and what is wrong with it", async () => {
    const t = fakeIo();
    const isTTY = { isTTY: true };
    Object.assign(t.io.stdin, isTTY);
    Object.assign(t.io.stdout, isTTY, { columns: 30, rows: 20 });
    Object.assign(t.io.env, { TERM: "xterm", LANG: "C.UTF-8" });
    await run(["doctor", "--json"], t.io);
    const row = JSON.parse(t.stdout()).checks.find(({ name }: Check) => name === "terminal");
    expect(row).toMatchObject({ state: "warn", detail: "30 x 20, TERM xterm, colours, UTF-8" });
  });

  it("broken settings: the file and the field", async () => {
    const t = fakeIo({}, { maxStep: 3 });
    expect(await run(["doctor", "--json"], t.io)).toBe(1);
    const row = JSON.parse(t.stdout()).checks.find(({ name }: Check) => name === "settings");
    expect(row).toMatchObject({ state: "fail", detail: expect.stringContaining("maxSteps") });
  });
});

describe("settings that hold no word for a tool", () => {
  it.each([
    [{ tools: ["read_fiel"] }, 'tools: there is no tool "read_fiel"'],
    [
      { permissions: { rules: [{ effect: "deny", tool: "run_shel" }] } },
      'permissions.rules: there is no tool "run_shel"',
    ],
  ])("%j", async (settings, detail) => {
    const t = fakeIo({}, settings);
    t.io.env["MINICODE_PROFILE"] = "ollama";
    expect(await run(["doctor", "--json"], t.io)).toBe(1);
    const { checks } = JSON.parse(t.stdout());
    const row = (name: string) => checks.find((check: Check) => check.name === name);
    expect(row("settings")).toMatchObject({ state: "fail", detail: expect.stringContaining(detail) });
    expect(row("profile").detail).toContain("ollama");
  });
});

describe("the table", () => {
  it.each([120, 80, 40])("fits into %i columns, with marks and words", async (columns) => {
    const t = fakeIo();
    Object.assign(t.io.stdout, { columns });
    expect(await run(["doctor"], t.io)).toBe(1);
    const text = t.stdout();
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(text).toMatch(/^✓ ok +node/m);
    expect(text).toMatch(/^✗ FAILED +profile/m);
    expect(text).toMatch(/→ minicode setup/);
    expect(text).toContain("1 failed");
  });
});

describe("usage", () => {
  it.each([
    [["doctor", "now"], "doctor takes no words"],
    [["models", "now"], "models takes no words"],
    [["--online", "-p", "x"], "--online goes with minicode doctor"],
    [["setup", "--json"], "--json goes with"],
    [["doctor", "--model", "x"], "--model goes with minicode setup"],
  ])("%j", async (argv, message) => {
    const t = fakeIo();
    expect(await run(argv, t.io)).toBe(2);
    expect(t.stderr()).toContain(message);
  });
});
