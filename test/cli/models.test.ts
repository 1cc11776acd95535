// `minicode models`: what the server offers, and which of it the profile asks.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { run } from "../../src/cli/run.ts";
import { head, startRawServer } from "../helpers/raw-server.ts";
import { type FakeIo, fakeIo } from "./fake-io.ts";

/** A profile "here" of a server that answers with this. */
async function withServer(status: number, body: object, fields: object = {}): Promise<FakeIo> {
  const server = await startRawServer(async ({ write, end }) => {
    await write(head(status, { "content-type": "application/json" }), JSON.stringify(body));
    end();
  });
  onTestFinished(() => server.close());
  const t = fakeIo({}, { profile: "here" });
  mkdirSync(join(t.config, "profiles"), { recursive: true });
  const profile = {
    id: "here",
    label: "Here",
    provider: "openai-compatible",
    baseUrl: server.url,
    ...fields,
  };
  writeFileSync(join(t.config, "profiles", "here.json"), JSON.stringify(profile));
  return t;
}

const list = { data: [{ id: "zeta" }, { id: "alpha", context_length: 131_072 }, { id: "evil\u001b[2J" }] };

it("lists them by name, one a line, with the window where it is told and a mark at the profile's own", async () => {
  const t = await withServer(200, list, { model: "zeta" });
  expect(await run(["models"], t.io)).toBe(0);
  expect(t.stdout().split("\n")).toEqual([
    "  alpha  131k tokens",
    expect.stringMatching(/^ {2}evil/),
    "❯ zeta",
    "",
  ]);
  expect(t.stdout()).not.toContain("\u001b");
  expect(t.stderr()).toContain("3 models");
});

it("works before a model is chosen, and says when the chosen one is not among them", async () => {
  const without = await withServer(200, list);
  expect(await run(["models"], without.io)).toBe(0);
  expect(without.stdout()).not.toContain("❯");
  const other = await withServer(200, list, { model: "gone" });
  expect(await run(["models"], other.io)).toBe(0);
  expect(other.stderr()).toContain("gone, is not among them");
});

it("offline asks no other machine", async () => {
  const t = await withServer(200, list, { baseUrl: "https://llm.example.com/v1", keyRequired: false });
  expect(await run(["models", "--offline"], t.io)).toBe(2);
  expect(t.stderr()).toContain("Here is at llm.example.com, and MiniCode is offline");
});

it("as JSON: nothing else on stdout", async () => {
  const t = await withServer(200, list, { model: "zeta" });
  expect(await run(["models", "--json"], t.io)).toBe(0);
  expect(JSON.parse(t.stdout())).toMatchObject({
    profile: "here",
    models: [
      { id: "alpha", contextWindow: 131_072, chosen: false },
      { id: "evil\u001b[2J", chosen: false },
      { id: "zeta", chosen: true },
    ],
  });
  expect(t.stderr()).toBe("");
});

it("a server that refuses: its words and what to do, exit code 1", async () => {
  const t = await withServer(401, { error: { message: "no" } }, { apiKeyEnv: "HERE_KEY" });
  expect(await run(["models"], t.io)).toBe(1);
  expect(t.stderr()).toContain("HERE_KEY");
});

it.each([
  [["models", "--profile", "deepseek"], "DEEPSEEK_API_KEY"],
  [["models", "--profile", "offline"], "minicode setup"],
  [["models", "--profile", "deepsek"], 'did you mean "deepseek"?'],
])("%j: exit code 2 and what is missing", async (argv, message) => {
  const t = fakeIo();
  expect(await run(argv, t.io)).toBe(2);
  expect(t.stderr()).toContain(message);
  expect(t.stdout()).toBe("");
});
