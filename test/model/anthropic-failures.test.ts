// What goes wrong with Anthropic's API: refusals, errors within a stream, streams that break off.
import { describe, expect, test, vi } from "vitest";
import { head, streamHead } from "../helpers/raw-server.ts";
import {
  anthropicAt,
  askAnthropic,
  askEvents,
  begin,
  finish,
  KEY,
  namedEvent,
  stopping,
  text,
  thinking,
  toolUse,
} from "./anthropic-ask.ts";
import { collect, messageIn, question, serve } from "./ask.ts";

const error = (type: string, message: string) => ({ type: "error", error: { type, message } });
const json = { "content-type": "application/json" };
const refusal = (status: number, type: string, message: string, headers = {}) =>
  askAnthropic([head(status, { ...json, ...headers }), JSON.stringify(error(type, message))]);

describe("a refusal", () => {
  test.each<[number, string, string, object]>([
    [401, "authentication_error", "invalid x-api-key", { kind: "auth", retryable: false }],
    [403, "permission_error", "not allowed", { kind: "auth", retryable: false }],
    [404, "not_found_error", "model: m-1", { kind: "not_found", retryable: false }],
    [400, "invalid_request_error", "messages.0: odd", { kind: "bad_request", retryable: false }],
    [
      400,
      "invalid_request_error",
      "prompt is too long: 9 tokens",
      { kind: "context_length", retryable: false },
    ],
    [400, "invalid_request_error", "Your credit balance is too low", { kind: "payment", retryable: false }],
    [413, "request_too_large", "too large", { kind: "context_length", retryable: false }],
    [429, "rate_limit_error", "slow down", { kind: "rate_limit", retryable: true }],
    [500, "api_error", "internal", { kind: "server", retryable: true }],
    // Words that the SDK takes for those of its own clock.
    [504, "timeout_error", "upstream request timed out", { kind: "server", retryable: true }],
    [529, "overloaded_error", "Overloaded", { kind: "server", retryable: true }],
  ])("%i %s: %s", async (status, type, message, expected) => {
    const outcome = await refusal(status, type, message);
    expect(outcome.error).toMatchObject({ status, ...expected });
    expect(outcome.error?.message).toBe(`Test server answered ${status}: ${message}`);
    expect(outcome.requests).toHaveLength(1);
  });

  test("names the key's variable and never the key", async () => {
    const outcome = await refusal(401, "authentication_error", `no such key: ${KEY}`);
    expect(outcome.error?.message).not.toContain(KEY);
    expect(outcome.error?.hint).toContain("TEST_KEY");
  });

  test("says when to come back", async () => {
    const outcome = await refusal(429, "rate_limit_error", "slow down", { "retry-after": "7" });
    expect(outcome.error?.retryAfterMs).toBe(7_000);
  });

  test("a redirect is not followed", async () => {
    const outcome = await askAnthropic([head(307, { location: "http://127.0.0.1:1/v1/messages" })]);
    expect(outcome.error).toMatchObject({ kind: "bad_request", status: 307 });
  });

  test("a web page is no answer", async () => {
    const outcome = await askAnthropic([head(200, { "content-type": "text/html" }), "<html>Sign in</html>"]);
    expect(outcome.error).toMatchObject({ kind: "invalid_response", retryable: false });
  });
});

describe("an error within the stream", () => {
  test.each<[string, object]>([
    ["overloaded_error", { kind: "server", retryable: true }],
    ["api_error", { kind: "server", retryable: true }],
    ["rate_limit_error", { kind: "rate_limit", retryable: true }],
    ["invalid_request_error", { kind: "bad_request", retryable: false }],
    ["authentication_error", { kind: "auth", retryable: false }],
  ])("%s", async (type, expected) => {
    const outcome = await askEvents([begin, ...text(0, "Hel"), error(type, `said ${KEY}`)]);
    expect(outcome.text).toBe("Hel");
    expect(outcome.error).toMatchObject(expected);
    expect(outcome.error?.message).toContain("Test server reported an error: said");
    expect(outcome.error?.message).not.toContain(KEY);
  });

  test("counts also after the reason to stop", async () => {
    const outcome = await askEvents([
      begin,
      ...text(0, "ok"),
      stopping("end_turn"),
      error("api_error", "oh no"),
    ]);
    expect(outcome.error?.kind).toBe("server");
  });
});

describe("a stream that breaks off", () => {
  const whole = [
    begin,
    ...thinking(0, "hm", "sig"),
    ...text(1, "I look"),
    ...toolUse(2, "toolu_1", '{"path"', ':"a"}'),
    ...finish("tool_use"),
  ];
  const stop = whole.length - 2;

  test("is incomplete wherever it ends before the reason to stop", async () => {
    for (let length = 0; length <= stop; length++) {
      const outcome = await askEvents(whole.slice(0, length));
      expect(outcome.error).toMatchObject({ kind: "incomplete", retryable: true });
      expect(outcome.events.some(({ type }) => type === "tool_call" || type === "done")).toBe(false);
    }
    expect(messageIn(await askEvents(whole.slice(0, stop + 1))).stop).toBe("calls");
  });

  test("by a reset", async () => {
    const server = await serve(async ({ write, reset }) => {
      await write(streamHead, ...whole.slice(0, stop).map(namedEvent));
      reset();
    });
    const outcome = await collect(anthropicAt(server.url));
    expect(outcome.error?.retryable).toBe(true);
    expect(["network", "incomplete"]).toContain(outcome.error?.kind);
  });

  test("by silence", async () => {
    const server = await serve(({ write }) => write(streamHead, namedEvent(begin)));
    const limits = { connectMs: 10_000, firstByteMs: 10_000, idleMs: 50, totalMs: 10_000 };
    const outcome = await collect(anthropicAt(server.url, { limits }));
    expect(outcome.error).toMatchObject({ kind: "timeout", retryable: true });
  });

  test("by the user's word, at once", async () => {
    const cancel = new AbortController();
    const server = await serve(async ({ write, closed }) => {
      await write(streamHead, ...[begin, ...text(0, "Hel")].map(namedEvent));
      cancel.abort();
      await closed;
    });
    const outcome = await collect(anthropicAt(server.url), question, cancel.signal);
    expect(outcome.error).toMatchObject({ kind: "cancelled", retryable: false });
  });
});

test("what the environment holds for the SDK is neither used nor sent", async () => {
  vi.stubEnv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1");
  vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "other-secret");
  vi.stubEnv("ANTHROPIC_API_KEY", "other-secret");
  vi.stubEnv("ANTHROPIC_CUSTOM_HEADERS", "x-other: other-secret");
  vi.stubEnv("ANTHROPIC_LOG", "debug");
  const printed = [vi.spyOn(console, "warn"), vi.spyOn(console, "debug"), vi.spyOn(console, "log")];
  try {
    const answer = [streamHead, ...[begin, ...text(0, "ok"), ...finish("end_turn")].map(namedEvent)];
    const outcome = await askAnthropic(answer, { apiKey: undefined, model: "claude-2.1" });
    expect(outcome.text).toBe("ok");
    expect(JSON.stringify(outcome.requests)).not.toContain("other-secret");
    for (const print of printed) expect(print).not.toHaveBeenCalled();
  } finally {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  }
});
