// What a server offers, as `minicode models`, doctor and set-up ask for it.
import { describe, expect, test } from "vitest";
import { ModelError } from "../../src/model/error.ts";
import { listModels } from "../../src/model/list-models.ts";
import { head } from "../helpers/raw-server.ts";
import { serve } from "./ask.ts";
import { serveOllama } from "./ollama-server.ts";

const KEY = "sk-test-1234";
const never = new AbortController().signal;
type Settings = Parameters<typeof listModels>[0];

function settings(baseUrl: string, more: Partial<Settings> = {}): Settings {
  return {
    provider: "openai-compatible",
    label: "Test server",
    baseUrl,
    model: "none",
    apiKey: KEY,
    apiKeyEnv: "TEST_KEY",
    limits: { connectMs: 10_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 10_000 },
    ...more,
  };
}

/** A server that answers each request with the next of these bodies. */
async function serveJson(bodies: unknown[], status = 200) {
  const left = [...bodies];
  return serve(async ({ write, end }) => {
    const body = left.shift();
    await write(head(status, { "content-type": "application/json" }));
    await write(typeof body === "string" ? body : JSON.stringify(body));
    end();
  });
}

async function failureOf(bodies: unknown[], status = 200, more: Partial<Settings> = {}) {
  const server = await serveJson(bodies, status);
  const error: unknown = await listModels(settings(server.url, more), never).catch(
    (thrown: unknown) => thrown,
  );
  if (error instanceof ModelError) return error;
  throw new Error(`no ModelError but ${JSON.stringify(error)}`);
}

describe("openai-compatible", () => {
  test("sorted, each once, with the context where a server names it", async () => {
    const server = await serveJson([
      {
        data: [
          { id: "c", max_model_len: 3 },
          { id: "a", context_length: 1 },
          { id: "b", context_window: 2 },
          { id: "a", context_length: 1 },
          { id: "d", context_length: "many" },
        ],
      },
    ]);
    expect(await listModels(settings(server.url, { headers: { "x-title": "MiniCode" } }), never)).toEqual([
      { id: "a", contextWindow: 1 },
      { id: "b", contextWindow: 2 },
      { id: "c", contextWindow: 3 },
      { id: "d" },
    ]);
    expect(server.requests).toMatchObject([
      { line: "GET /v1/models HTTP/1.1", headers: { authorization: `Bearer ${KEY}`, "x-title": "MiniCode" } },
    ]);
  });

  test("a bare list, without a key", async () => {
    const server = await serveJson([[{ id: "a" }]]);
    expect(await listModels(settings(server.url, { apiKey: undefined }), never)).toEqual([{ id: "a" }]);
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });
});

describe("anthropic", () => {
  const pages = [
    { data: [{ id: "m-2", max_input_tokens: 200_000 }], has_more: true, last_id: "m/2" },
    { data: [{ id: "m-1" }], has_more: false, last_id: "m-1" },
  ];

  test.each(["/v1", ""])("page by page, below a base URL that ends in %j", async (end) => {
    const server = await serveJson(pages);
    const url = server.url.replace("/v1", end);
    expect(await listModels(settings(url, { provider: "anthropic" }), never)).toEqual([
      { id: "m-1" },
      { id: "m-2", contextWindow: 200_000 },
    ]);
    expect(server.requests).toMatchObject([
      {
        line: "GET /v1/models?limit=1000 HTTP/1.1",
        headers: { "x-api-key": KEY, "anthropic-version": "2023-06-01" },
      },
      { line: "GET /v1/models?limit=1000&after_id=m%2F2 HTTP/1.1" },
    ]);
  });

  test("a server whose pages never end", async () => {
    const server = await serveJson(Array(60).fill(pages[0]));
    const models = await listModels(settings(server.url, { provider: "anthropic" }), never);
    expect(models.map(({ id }) => id)).toEqual(["m-2"]);
    expect(server.requests.length).toBeLessThanOrEqual(50);
  });
});

test("ollama: what is installed", async () => {
  const server = await serveOllama();
  expect(await listModels(settings(server.url, { provider: "ollama" }), never)).toEqual([
    { id: "m-1:latest" },
    { id: "other:7b" },
  ]);
  expect(server.requests.map(({ line }) => line)).toEqual(["GET /api/tags HTTP/1.1"]);
});

describe("failures are the adapters' own", () => {
  test("a wrong key, echoed", async () => {
    const error = await failureOf([{ error: { message: `wrong key ${KEY}` } }], 401);
    expect(error).toMatchObject({ kind: "auth", status: 401 });
    expect(error.message).not.toContain(KEY);
    expect(error.hint).toContain("TEST_KEY");
  });

  test.each(["not json", "{}", '{"data":[{"name":"a"}]}', "null"])("no list: %s", async (body) => {
    const error = await failureOf([body]);
    expect(error.kind).toBe("invalid_response");
    expect(error.message).toContain("Test server answered /v1/models with something else");
  });

  test("a page without end", async () => {
    const error = await failureOf([`"${"x".repeat(9 * 1024 * 1024)}"`]);
    expect(error).toMatchObject({
      kind: "invalid_response",
      message: "Test server answered with far too much",
    });
  });

  test("no Ollama there", async () => {
    const gone = await serve(() => {});
    await gone.close();
    const listing = listModels(settings(gone.url, { provider: "ollama" }), never);
    await expect(listing).rejects.toMatchObject({
      kind: "network",
      hint: expect.stringContaining("ollama serve"),
    });
  });

  test("silence, and the user's word", async () => {
    const server = await serve(() => {});
    const limits = { connectMs: 10_000, firstByteMs: 50, idleMs: 10_000, totalMs: 10_000 };
    await expect(listModels(settings(server.url, { limits }), never)).rejects.toMatchObject({
      kind: "timeout",
    });
    await expect(listModels(settings(server.url), AbortSignal.abort())).rejects.toMatchObject({
      kind: "cancelled",
    });
  });
});
