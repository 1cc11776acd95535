// Ollama before the first answer: which endpoint is asked, what is loaded, and what is said when it will not do.
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import type { ModelRequest } from "../../src/protocol/model.ts";
import { collect, question } from "./ask.ts";
import { ollamaAt, pathOf, sentTo, serveOllama } from "./ollama-server.ts";

const withTool: ModelRequest = {
  ...question,
  tools: [{ name: "read", description: "reads", parameters: { type: "object", properties: {} } }],
};

describe("with the context that the profile wants", () => {
  test("the model is loaded and looked at once, then asked at Ollama's own endpoint", async () => {
    const server = await serveOllama();
    const model = ollamaAt(server.url, { keepAlive: "10m" });
    expect((await collect(model, withTool)).text).toBe("hello");
    expect((await collect(model)).text).toBe("hello");
    expect(server.requests.map(pathOf)).toEqual([
      "/api/show",
      "/api/generate",
      "/api/ps",
      "/api/chat",
      "/api/chat",
    ]);
    const loading = { keep_alive: "10m", options: { num_ctx: 32_768 } };
    expect(sentTo(server.requests, "/api/generate")).toEqual({
      model: "m-1",
      prompt: "",
      stream: false,
      ...loading,
    });
    expect(sentTo(server.requests, "/api/chat")).toEqual({
      model: "m-1",
      messages: [{ role: "user", content: "hi" }],
      tools: [{ type: "function", function: withTool.tools[0] }],
      truncate: false,
      stream: true,
      ...loading,
    });
  });

  test("more than the model was made for", async () => {
    const server = await serveOllama({ "/api/show": [{ model_info: { "a.context_length": 8_192 } }] });
    const { error } = await collect(ollamaAt(server.url));
    expect(error).toMatchObject({ kind: "context_length", retryable: false });
    expect(error?.message).toBe("Ollama has m-1 with at most 8192 tokens of context");
    expect(error?.hint).toContain("set contextWindow in the profile to 8192 or less");
    expect(server.requests.map(pathOf)).toEqual(["/api/show"]);
  });

  test("more than was loaded", async () => {
    const server = await serveOllama({
      "/api/ps": [{ models: [{ name: "m-1:latest", context_length: 4_096 }] }],
    });
    const { error } = await collect(ollamaAt(server.url));
    expect(error).toMatchObject({ kind: "context_length", retryable: false });
    expect(error?.message).toBe("Ollama loads m-1 with only 4096 tokens of context");
    expect(error?.hint).toContain("contextWindow");
  });
});

describe("without a word on context in the profile", () => {
  test("the compatible endpoint is asked, with the model loaded as that one loads it", async () => {
    const server = await serveOllama();
    const outcome = await collect(ollamaAt(server.url, { contextWindow: undefined, keepAlive: "-1m" }));
    expect(outcome.text).toBe("compatible");
    expect(server.requests.map(pathOf)).toEqual([
      "/api/show",
      "/api/generate",
      "/api/ps",
      "/v1/chat/completions",
    ]);
    expect(sentTo(server.requests, "/api/generate")).toEqual({
      model: "m-1",
      prompt: "",
      stream: false,
      keep_alive: "-1m",
    });
  });

  test("Ollama's default of 4096 is refused: it would cut off the instructions", async () => {
    const server = await serveOllama({
      "/api/ps": [{ models: [{ name: "m-1:latest", context_length: 4_096 }] }],
    });
    const { error } = await collect(ollamaAt(server.url, { contextWindow: undefined }));
    expect(error?.kind).toBe("context_length");
    expect(error?.hint).toContain("OLLAMA_CONTEXT_LENGTH=32768");
    expect(server.requests.map(pathOf)).not.toContain("/v1/chat/completions");
  });
});

test.each(["", "/v1", "/api"])("the base URL may end in %j", async (end) => {
  const server = await serveOllama();
  const outcome = await collect(ollamaAt(server.url.replace("/v1", end)));
  expect(outcome.text).toBe("hello");
});

describe("what is missing", () => {
  test("the model: what is there instead, and how to get it", async () => {
    const server = await serveOllama({
      "/api/show": { status: 404, body: { error: "model 'm-9' not found" } },
    });
    const { error } = await collect(ollamaAt(server.url, { model: "m-9" }));
    expect(error).toMatchObject({ kind: "not_found", status: 404, retryable: false });
    expect(error?.message).toBe("Ollama has no model m-9; installed: m-1:latest, other:7b");
    expect(error?.hint).toContain("ollama pull m-9");
  });

  test("every model", async () => {
    const server = await serveOllama({
      "/api/show": { status: 404, body: { error: "model 'm-1' not found" } },
      "/api/tags": [{ models: null }],
    });
    expect((await collect(ollamaAt(server.url))).error?.message).toBe(
      "Ollama has no model m-1; nothing is installed",
    );
  });

  test("Ollama itself", async () => {
    const { error } = await collect(ollamaAt(`http://127.0.0.1:${await freePort()}`));
    expect(error).toMatchObject({ kind: "network", retryable: true });
    expect(error?.hint).toContain("ollama serve");
  });

  test("the ability to call tools, where there are any", async () => {
    const server = await serveOllama({ "/api/show": [{ capabilities: ["completion"] }] });
    const model = ollamaAt(server.url);
    expect((await collect(model, withTool)).error).toMatchObject({
      kind: "bad_request",
      message: "Ollama has m-1, which cannot call tools",
    });
    expect((await collect(model)).text).toBe("hello");
  });

  test("memory for the model: the server's words", async () => {
    const server = await serveOllama({
      "/api/generate": { status: 500, body: { error: "model requires more system memory (9 GiB)" } },
    });
    expect((await collect(ollamaAt(server.url))).error).toMatchObject({
      kind: "server",
      message: "Ollama answered 500: model requires more system memory (9 GiB)",
    });
  });
});

test("a server that only speaks the protocol need not know the other calls", async () => {
  const refused = { status: 400, body: { error: "prompt field is required" } };
  const server = await serveOllama({ "/api/show": null, "/api/generate": refused, "/api/ps": null });
  expect((await collect(ollamaAt(server.url))).text).toBe("hello");
});

test("a model that runs elsewhere is not among the loaded ones", async () => {
  const server = await serveOllama({ "/api/ps": [{ models: [] }] });
  expect((await collect(ollamaAt(server.url))).text).toBe("hello");
});

test("the key goes to every endpoint, and into no message", async () => {
  const server = await serveOllama({ "/api/chat": { status: 401, body: { error: "no key-1234 here" } } });
  const { error } = await collect(ollamaAt(server.url, { apiKey: "key-1234", apiKeyEnv: "OLLAMA_API_KEY" }));
  expect(server.requests.map(({ headers }) => headers["authorization"])).toEqual(
    Array(4).fill("Bearer key-1234"),
  );
  expect(error).toMatchObject({ kind: "auth", status: 401 });
  expect(error?.message).not.toContain("key-1234");
  expect(error?.hint).toContain("OLLAMA_API_KEY");
});

test("cancelled while the model loads, it is loaded again for the next request", async () => {
  const cancel = new AbortController();
  let loads = 0;
  const server = await serveOllama({
    "/api/generate": async ({ write, end, closed }) => {
      loads++;
      if (loads === 1) {
        cancel.abort();
        return closed;
      }
      await write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
      end();
    },
  });
  const model = ollamaAt(server.url);
  expect((await collect(model, question, cancel.signal)).error?.kind).toBe("cancelled");
  expect((await collect(model)).text).toBe("hello");
  expect(loads).toBe(2);
});

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await new Promise<number>((resolve) => {
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
