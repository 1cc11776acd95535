// What a server is sent: exactly the profile's headers, and the body, with what its switches change.
import { afterEach, describe, expect, test, vi } from "vitest";
import type { OpenAiCompatibleOptions } from "../../src/model/openai-compatible.ts";
import type { ModelRequest } from "../../src/protocol/model.ts";
import { event, type RawRequest, streamHead } from "../helpers/raw-server.ts";
import { collect, delta, modelAt, plainCompat, question, serve } from "./ask.ts";

afterEach(() => vi.unstubAllEnvs());

const parameters = {
  type: "object",
  properties: { path: { type: "string", minLength: 1 }, all: { type: "boolean", description: "d" } },
  required: ["path"],
  additionalProperties: false,
};
const tool = { name: "read", description: "Reads.", parameters };

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

/** The body's fields that these switches add to the plain one; `without` are those that they take away. */
async function added(
  compat: Partial<OpenAiCompatibleOptions["compat"]>,
  options: Partial<OpenAiCompatibleOptions> & { forceTool?: string } = {},
) {
  const { forceTool, ...rest } = options;
  const asked = { ...question, tools: [tool] };
  const forced = forceTool === undefined ? {} : { forceTool };
  const plain: Record<string, unknown> = JSON.parse((await sent(asked)).body);
  const request = await sent({ ...asked, ...forced }, { ...rest, compat: { ...plainCompat, ...compat } });
  const body: Record<string, unknown> = JSON.parse(request.body);
  const changed = Object.entries(body).filter(
    ([name, value]) => JSON.stringify(plain[name]) !== JSON.stringify(value),
  );
  const gone = Object.keys(plain).filter((name) => !(name in body));
  return { ...Object.fromEntries(changed), ...(gone.length === 0 ? {} : { without: gone }) };
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
    accept: "text/event-stream, application/json",
  });
});

test("tools, limits and further fields, which never replace ours", async () => {
  const { body, headers } = await sent(
    { ...question, tools: [tool] },
    {
      maxOutputTokens: 99,
      headers: { "x-title": "t" },
      body: { reasoning_effort: "low", stream: false, model: "other" },
      compat: { ...plainCompat, streamOptions: false, maxCompletionTokens: true },
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

describe("switches", () => {
  test("streaming: one JSON request, and no word of a stream's options", async () => {
    expect(await added({ streaming: false })).toEqual({ stream: false, without: ["stream_options"] });
    const { headers } = await sent(question, { compat: { ...plainCompat, streaming: false } });
    expect(headers["accept"]).toBe("application/json");
  });

  test("streamOptions, developerRole, maxCompletionTokens", async () => {
    expect(await added({ streamOptions: false })).toEqual({ without: ["stream_options"] });
    expect(await added({ developerRole: true })).toEqual({});
    const limit = { maxOutputTokens: 5 };
    expect(await added({}, limit)).toEqual({ max_tokens: 5 });
    expect(await added({ maxCompletionTokens: true }, limit)).toEqual({ max_completion_tokens: 5 });
  });

  test("parallelToolCalls: said only where there are tools", async () => {
    expect(await added({ parallelToolCalls: false })).toEqual({ parallel_tool_calls: false });
    const { body } = await sent(question, { compat: { ...plainCompat, parallelToolCalls: false } });
    expect(JSON.parse(body)).not.toHaveProperty("parallel_tool_calls");
  });

  test("toolChoice: a forced tool is named where the server can be told", async () => {
    const forced = { tool_choice: { type: "function", function: { name: "read" } } };
    expect(await added({}, { forceTool: "read" })).toEqual(forced);
    expect(await added({ toolChoice: false }, { forceTool: "read" })).toEqual({});
  });

  test("strictSchemas: every field required, those that were not also null", async () => {
    const strict = {
      type: "object",
      properties: {
        path: { type: "string" },
        all: { anyOf: [{ type: "boolean", description: "d" }, { type: "null" }] },
      },
      required: ["path", "all"],
      additionalProperties: false,
    };
    expect(await added({ strictSchemas: true })).toEqual({
      tools: [{ type: "function", function: { ...tool, parameters: strict, strict: true } }],
    });
  });

  test.each([
    ["none", {}, {}],
    ["thinking", { thinking: { type: "enabled" } }, { thinking: { type: "disabled" } }],
    ["enable_thinking", { enable_thinking: true }, { enable_thinking: false }],
    [
      "chat_template_kwargs",
      { chat_template_kwargs: { enable_thinking: true } },
      { chat_template_kwargs: { enable_thinking: false } },
    ],
    ["reasoning_effort", { reasoning_effort: "medium" }, { reasoning_effort: "none" }],
    ["reasoning", { reasoning: { enabled: true } }, { reasoning: { enabled: false } }],
  ] as const)("thinkingSwitch %s", async (thinkingSwitch, on, off) => {
    expect(await added({ thinkingSwitch })).toEqual({});
    expect(await added({ thinkingSwitch }, { thinking: true })).toEqual(on);
    expect(await added({ thinkingSwitch }, { thinking: false })).toEqual(off);
  });
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
