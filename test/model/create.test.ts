// From a profile to a model, as src/app.ts does it.
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folders } from "../../src/config/folders.ts";
import { loadProfile } from "../../src/config/profiles.ts";
import { readyProfile } from "../../src/config/ready-profile.ts";
import { createModel } from "../../src/model/create.ts";
import { event, streamHead } from "../helpers/raw-server.ts";
import { begin, finish, namedEvent, text } from "./anthropic-ask.ts";
import { collect, delta, serve } from "./ask.ts";
import { serveOllama } from "./ollama-server.ts";

async function readyOf(id: string, env: Record<string, string>) {
  return readyProfile(await loadProfile(id, folders(process.env, process.platform)), env);
}

async function modelOf(id: string, env: Record<string, string>) {
  const ready = await readyOf(id, env);
  if (ready.provider === "offline") throw new Error("offline has no model");
  return createModel(ready);
}

async function script(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "minicode-script-")), "script.json");
  await writeFile(path, text);
  return path;
}

test("the profile openai-compatible asks its server", async () => {
  const server = await serve(async ({ write, end }) => {
    await write(streamHead, event(delta({ content: "hello" }, "stop")));
    end();
  });
  const model = await modelOf("openai-compatible", {
    MINICODE_OPENAI_BASE_URL: `${server.url}/`,
    MINICODE_OPENAI_MODEL: " m-2 ",
    MINICODE_OPENAI_API_KEY: "sk-1",
  });
  expect(model.name).toBe("m-2");
  expect((await collect(model)).text).toBe("hello");
  expect(server.requests[0]).toMatchObject({
    line: "POST /v1/chat/completions HTTP/1.1",
    headers: { authorization: "Bearer sk-1" },
  });
});

test("the profile anthropic asks its server", async () => {
  const server = await serve(async ({ write, end }) => {
    await write(streamHead, ...[begin, ...text(0, "hello"), ...finish("end_turn")].map(namedEvent));
    end();
  });
  const ready = await readyOf("anthropic", { ANTHROPIC_API_KEY: "sk-1" });
  if (ready.provider !== "anthropic") throw new Error("another provider");
  const model = await createModel({ ...ready, baseUrl: server.url });
  expect((await collect(model)).text).toBe("hello");
  expect(server.requests[0]).toMatchObject({
    line: "POST /v1/messages HTTP/1.1",
    headers: { "x-api-key": "sk-1" },
  });
});

test("the profile ollama asks its server", async () => {
  const server = await serveOllama();
  const ready = await readyOf("ollama", { OLLAMA_MODEL: "m-1" });
  if (ready.provider !== "ollama") throw new Error("another provider");
  const model = await createModel({ ...ready, baseUrl: server.url, contextWindow: 32_768 });
  expect((await collect(model)).text).toBe("hello");
});

test("a provider that there is not is answered with those that there are", async () => {
  // As a profile would be that passed no schema.
  const settings = JSON.parse('{"provider":"antropic"}');
  await expect(createModel(settings)).rejects.toMatchObject({
    code: "E_PROFILE",
    message: 'there is no provider "antropic"',
    hint: "Known are openai-compatible, anthropic, ollama, scripted.",
  });
});

test("the profile scripted plays the script", async () => {
  const path = await script(JSON.stringify({ name: "demo", steps: [{ text: "hello" }] }));
  const model = await modelOf("scripted", { MINICODE_SCRIPT: path });
  expect(model.name).toBe("demo");
  expect((await collect(model)).text).toBe("hello");
});

test.each([
  ["no JSON", "{", "is not JSON"],
  ["no steps", '{"steps":[]}', "steps"],
  ["a mistyped field", '{"steps":[{"txt":"a"}]}', 'unknown field "steps.0.txt", did you mean "text"?'],
  ["a mistyped expectation", '{"steps":[{"when":{"lastRoll":"user"}}]}', 'did you mean "lastRole"?'],
  [
    "a step that is never left",
    '{"steps":[{"repeat":true},{}]}',
    "a repeated step without `when` is never left",
  ],
])("a script with %s names its file and fault", async (_, text, fault) => {
  const path = await script(text);
  const creating = createModel({ provider: "scripted", script: path });
  await expect(creating).rejects.toMatchObject({ code: "E_SCRIPT", message: expect.stringContaining(path) });
  await expect(creating).rejects.toThrow(fault);
});

test("a script that is not there", async () => {
  await expect(createModel({ provider: "scripted", script: "/no/such.json" })).rejects.toMatchObject({
    code: "E_SCRIPT",
    message: "there is no script /no/such.json",
  });
});
