// Which kind of failure a server's answer is, and what the user is told to do: by status, by code, by words, and when to come back.
import { describe, expect, test } from "vitest";
import { ConnectTimeout, ProxyRefusal } from "../../src/model/connect-error.ts";
import { ModelError } from "../../src/model/error.ts";
import { failure, reportedFailure, statusFailure, thrownFailure } from "../../src/model/failure.ts";

const server = {
  label: "Test server",
  baseUrl: "https://api.test/v1",
  model: "m-1",
  apiKey: "sk-test-1234",
  apiKeyEnv: "TEST_KEY",
};
const none = new Headers();
const refusal = (status: number, body: unknown = {}, headers = none) =>
  statusFailure(server, status, typeof body === "string" ? body : JSON.stringify(body), headers);
const error = (fields: object) => ({ error: { message: "m", ...fields } });

test.each([
  [302, "bad_request", false],
  [400, "bad_request", false],
  [401, "auth", false],
  [402, "payment", false],
  [403, "auth", false],
  [404, "not_found", false],
  [405, "bad_request", false],
  [408, "timeout", true],
  [409, "server", true],
  [413, "context_length", false],
  [415, "bad_request", false],
  [422, "bad_request", false],
  [425, "server", true],
  [429, "rate_limit", true],
  [500, "server", true],
  [501, "bad_request", false],
  [502, "server", true],
  [503, "server", true],
  [504, "server", true],
  [505, "bad_request", false],
  [520, "server", true],
  [529, "server", true],
])("%i alone is %s", (status, kind, retryable) => {
  const failed = refusal(status);
  expect(failed).toMatchObject({ code: "E_MODEL", kind, status, retryable });
  expect(failed.message).toMatch(new RegExp(`^Test server answered ${status}`));
  expect(failed.hint).toMatch(/\.$/);
});

describe("what a server says more exactly than its status", () => {
  test.each([
    ["OpenAI, quota", 429, error({ code: "insufficient_quota" }), "payment"],
    ["Moonshot, quota", 429, error({ type: "exceeded_current_quota_error" }), "payment"],
    ["Moonshot, overload", 429, error({ type: "engine_overloaded_error" }), "server"],
    ["DashScope, arrears", 400, { code: "Arrearage", message: "m" }, "payment"],
    ["DeepSeek, balance", 402, error({ message: "Insufficient Balance" }), "payment"],
    ["Anthropic, credit", 400, error({ message: "Your credit balance is too low" }), "payment"],
    ["Anthropic, overload", 529, error({ type: "overloaded_error" }), "server"],
    ["Anthropic, size", 413, error({ type: "request_too_large" }), "context_length"],
    ["Anthropic, context", 400, error({ message: "prompt is too long: 210000 tokens" }), "context_length"],
    ["Groq, size of one minute", 413, error({ code: "rate_limit_exceeded" }), "context_length"],
    ["Groq, a call that is none", 400, error({ code: "tool_use_failed" }), "incomplete"],
    ["llama.cpp, context", 400, error({ type: "exceed_context_size_error" }), "context_length"],
    ["llama.cpp, loading", 503, error({ type: "unavailable_error", message: "Loading model" }), "server"],
    ["Gemini, key", 400, [error({ message: "API key not valid. Pass a valid one." })], "auth"],
    ["Gemini, quota of a minute", 429, [error({ status: "RESOURCE_EXHAUSTED" })], "rate_limit"],
    ["OpenAI, model", 400, error({ code: "model_not_found" }), "not_found"],
    ["Azure, filter", 400, error({ code: "content_filter" }), "filtered"],
  ])("%s", (_, status, body, kind) => {
    expect(refusal(status, body)).toMatchObject({ kind, status });
  });

  test("the words of the server behind a broker are shown", () => {
    const body = error({ message: "Provider returned error", code: 502, metadata: { raw: "out of memory" } });
    expect(refusal(502, body).message).toBe(
      "Test server answered 502: Provider returned error: out of memory",
    );
  });

  test("an error object inside a 200 counts by its code", () => {
    const kindOf = (reported: unknown) => reportedFailure(server, reported).kind;
    expect(kindOf({ code: 429 })).toBe("rate_limit");
    expect(kindOf({ code: "503" })).toBe("server");
    expect(kindOf({ type: "invalid_request_error" })).toBe("bad_request");
    expect(kindOf("whatever")).toBe("server");
    expect(kindOf(null)).toBe("server");
  });
});

describe("when to come back", () => {
  const limited = (value: string) => refusal(429, error({}), new Headers({ "retry-after": value }));

  test("a wait that MiniCode makes itself is in the error, in milliseconds", () => {
    const failed = limited("30");
    expect(failed).toMatchObject({ retryAfterMs: 30_000, message: "Test server answered 429: m" });
    expect(failed.hint).toContain("Wait 30 s");
  });

  test.each(["61", "3600", "1209600"])("a longer one of %s s has its time in the message", (value) => {
    const failed = limited(value);
    const [, time = ""] = /free again at (.{16}) UTC/.exec(failed.message) ?? [];
    const late = Date.parse(`${time.replace(" ", "T")}Z`) - (Date.now() + Number(value) * 1_000);
    expect(late).toBeGreaterThan(-2_000);
    expect(late).toBeLessThan(62_000);
    expect(failed.hint).toContain(`Wait until ${time} UTC`);
  });

  test("no time at all, and one beyond the calendar, break nothing", () => {
    expect(limited("soon").retryAfterMs).toBeUndefined();
    expect(limited("9".repeat(300)).message).toContain("free again at +275760-09-13");
  });
});

describe("what is thrown on the way", () => {
  const proxy = {
    variable: "HTTPS_PROXY",
    origin: "http://proxy.test:3128",
    authorization: "Basic c2VjcmV0",
  };
  const coded = (code: string) =>
    new TypeError("fetch failed", { cause: Object.assign(new Error("m"), { code }) });

  test.each([
    ["ECONNREFUSED", "network", true],
    ["ECONNRESET", "network", true],
    ["ENOTFOUND", "network", true],
    ["EAI_AGAIN", "network", true],
    ["EPIPE", "network", true],
    ["UND_ERR_SOCKET", "network", true],
    ["ETIMEDOUT", "timeout", true],
    ["CERT_HAS_EXPIRED", "network", false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "network", false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "network", false],
  ])("%s", (code, kind, retryable) => {
    const failed = thrownFailure(server, coded(code));
    expect(failed).toMatchObject({ kind, retryable });
    expect(failed.message).toMatch(new RegExp(`^Test server .*\\(${code}\\)$`));
    expect(thrownFailure(server, coded(code), proxy).message).toContain(
      ` through the proxy http://proxy.test:3128`,
    );
  });

  test("a ModelError stays what it is, however deep it lies", () => {
    const known = failure(server, "auth", "is closed");
    expect(thrownFailure(server, known)).toBe(known);
    expect(thrownFailure(server, new Error("x", { cause: new Error("y", { cause: known }) }))).toBe(known);
    expect(thrownFailure(server, "text")).toBeInstanceOf(ModelError);
  });

  test("no connection in time, and a proxy that refuses, are put into words", () => {
    const late = thrownFailure(server, new TypeError("fetch failed", { cause: new ConnectTimeout(15_000) }));
    expect(late).toMatchObject({ kind: "timeout", retryable: true });
    expect(late.message).toBe(
      "Test server cannot be reached: no connection came about within 15 s (connectSeconds in its profile)",
    );
    const refused = thrownFailure(server, new ProxyRefusal(407, "\u001b[31m<b>Login</b>"), proxy);
    expect(refused.message).toBe(
      "Test server cannot be reached through the proxy http://proxy.test:3128: the proxy answered 407 [31m Login",
    );
    expect(`${refused.message} ${refused.hint}`).not.toContain("c2VjcmV0");
  });
});
