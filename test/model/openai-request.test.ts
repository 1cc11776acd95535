// What a server is sent: exactly the profile's headers, and the body.
import { afterEach, expect, test, vi } from "vitest";
import type { OpenAiCompatibleOptions } from "../../src/model/openai-compatible.ts";
import type { ModelRequest } from "../../src/protocol/model.ts";
import { event, type RawRequest, streamHead } from "../helpers/raw-server.ts";
import { collect, delta, modelAt, question, serve } from "./ask.ts";

afterEach(() => vi.unstubAllEnvs());

async function sent(
  request: ModelRequest,
  options: Partial<OpenAiCompatibleOptions> = {},
): Promise<RawRequest> {
  const server = await serve(async ({ write, end }) => {
    await write(streamHead, event(delta({ content: "ok" }, "stop")));
    end();
  });
  expect((await collect(modelAt(server.url, options), request)).error).toBeUndefined();
  const [first] = server.requests;
  if (first === undefined) throw new Error("no request came");
  return first;
}

test("the plain request", async () => {
  const request = await sent(question);
  expect(request.line).toBe("POST /v1/chat/completions HTTP/1.1");
  expect(JSON.parse(request.body)).toEqual({
    model: "m-1",
    messages: [{ role: "user", content: "hi" }],
    stream_options: { include_usage: true },
    stream: true,
  });
  expect(request.headers).toMatchObject({
    authorization: "Bearer sk-test-1234",
    "content-type": "application/json",
  });
});

test("tools, limits and further fields, which never replace ours", async () => {
  const tool = { name: "read", description: "Reads.", parameters: { type: "object", properties: {} } };
  const { body, headers } = await sent(
    { ...question, tools: [tool] },
    {
      maxOutputTokens: 99,
      headers: { "x-title": "t" },
      body: { reasoning_effort: "low", stream: false, model: "other" },
      compat: { streamOptions: false, maxCompletionTokens: true },
    },
  );
  expect(JSON.parse(body)).toEqual({
    reasoning_effort: "low",
    model: "m-1",
    messages: [{ role: "user", content: "hi" }],
    tools: [{ type: "function", function: tool }],
    max_completion_tokens: 99,
    stream: true,
  });
  expect(headers["x-title"]).toBe("t");
});

test("nothing of the SDK's environment reaches the server", async () => {
  vi.stubEnv("OPENAI_API_KEY", "sk-of-another-server");
  vi.stubEnv("OPENAI_ORG_ID", "org-1");
  vi.stubEnv("OPENAI_PROJECT_ID", "proj-1");
  vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1/");
  vi.stubEnv("OPENAI_CUSTOM_HEADERS", "X-Secret: s");
  const { headers } = await sent(question, { apiKey: undefined });
  expect(Object.keys(headers).filter((name) => /^(authorization|openai|x-)/.test(name))).toEqual([]);
});

test("the same conversation has the same bytes", async () => {
  const first = await sent(question);
  expect((await sent(question)).body).toBe(first.body);
});
