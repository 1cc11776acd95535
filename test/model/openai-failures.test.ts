// What a server can do wrong, and what the user then reads: half answers (S05), statuses (S07), limits, cancelling, keys.
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { event, head, streamHead } from "../helpers/raw-server.ts";
import { ask, askStream, callDelta, collect, delta, modelAt, question, serve } from "./ask.ts";

const hel = event(delta({ content: "Hel" }));
const half = event(callDelta({ index: 0, id: "c1", function: { name: "read", arguments: '{"pa' } }));
const json = { "content-type": "application/json" };

describe("S05: failing after 200", () => {
  test("(a) an error object in the stream", async () => {
    const error = { message: "upstream overloaded", code: 502 };
    const outcome = await ask([streamHead, hel, event({ error }), event("[DONE]")]);
    expect(outcome.text).toBe("Hel");
    expect(outcome.error).toMatchObject({ kind: "server", status: 502, retryable: true });
    expect(outcome.error?.message).toContain("upstream overloaded");
  });

  test.each([
    ["(b) the body just ends", [streamHead, hel]],
    ["(b) with [DONE]", [streamHead, hel, event("[DONE]")]],
    ["(d) in the middle of a call", [streamHead, hel, half]],
    ["in the middle of an event", [streamHead, hel, 'data: {"choi']],
    ["after null and empty finish reasons", [streamHead, hel, event(delta({}, "")), event(delta({}, null))]],
  ])("%s", async (_, pieces) => {
    const outcome = await ask(pieces);
    expect(outcome.text).toBe("Hel");
    expect(outcome.events.every((event) => event.type === "text")).toBe(true);
    expect(outcome.error).toMatchObject({ kind: "incomplete", retryable: true });
  });

  test("(c) the connection is reset", async () => {
    const chunked = head(200, {
      connection: "keep-alive",
      "content-type": "text/event-stream",
      "transfer-encoding": "chunked",
    });
    const server = await serve(async ({ write, reset }) => {
      await write(chunked, `${Buffer.byteLength(hel).toString(16)}\r\n${hel}\r\n`);
      reset();
    });
    const outcome = await collect(modelAt(server.url));
    expect(outcome.events.every((event) => event.type === "text")).toBe(true);
    expect(outcome.error).toMatchObject({ kind: "network", retryable: true });
  });

  test("(c) a body shorter than it was announced", async () => {
    const outcome = await ask([
      head(200, { "content-type": "text/event-stream", "content-length": "9999" }),
      hel,
    ]);
    expect(outcome.error).toMatchObject({ kind: "network", retryable: true });
  });

  test("(e) no event at all", async () => {
    expect((await ask([streamHead])).error).toMatchObject({ kind: "incomplete", retryable: true });
    expect((await ask([streamHead, ": ping\n\n"])).error).toMatchObject({ kind: "incomplete" });
  });

  test.each([
    ["a plain text", { error: "no slot free" }, { kind: "server" }, "no slot free"],
    ["with a type", { error: { type: "rate_limit_error", message: "slow" } }, { kind: "rate_limit" }, "slow"],
    [
      "context",
      { error: { code: "context_length_exceeded" } },
      { kind: "context_length", retryable: false },
      "gives no reason",
    ],
    [
      "as an object of its own",
      { object: "error", message: "bad grammar", code: 400 },
      { kind: "bad_request" },
      "bad grammar",
    ],
    ["as the finish reason", delta({}, "error"), { kind: "server", retryable: true }, '"error"'],
  ])("an error reported %s", async (_, chunk, expected, words) => {
    const { error } = await askStream([delta({ content: "Hel" }), chunk]);
    expect(error).toMatchObject(expected);
    expect(error?.message).toContain(words);
  });

  test("an error after the end of the answer", async () => {
    const { error } = await askStream([delta({ content: "x" }, "stop"), { error: { message: "late" } }]);
    expect(error).toMatchObject({ kind: "server" });
  });

  test("what is no JSON, no UTF-8, or no answer", async () => {
    expect((await askStream([delta({ content: "x" }), "{oops"])).error).toMatchObject({
      kind: "invalid_response",
      retryable: true,
    });
    const bytes = Buffer.from(event(delta({ content: "caf\u00e9" })), "latin1");
    expect((await ask([streamHead, bytes])).error).toMatchObject({
      kind: "invalid_response",
      retryable: true,
    });
    const page = await ask([head(200, { "content-type": "text/html; charset=utf-8" }), "<h1>Welcome</h1>"]);
    expect(page.error).toMatchObject({ kind: "invalid_response", retryable: false });
    expect(page.error?.hint).toContain("base URL");
  });

  test("an error in a JSON body with 200", async () => {
    const { error } = await ask([
      head(200, json),
      JSON.stringify({ error: { message: "no credit", code: 402 } }),
    ]);
    expect(error).toMatchObject({ kind: "payment", status: 402, retryable: false });
  });
});

describe("S07: statuses", () => {
  const openAi = (message: string, code?: string) =>
    JSON.stringify({ error: { message, type: "invalid_request_error", code } });
  test.each([
    [401, openAi("bad key", "invalid_api_key"), "auth", false, "TEST_KEY"],
    [403, "{}", "auth", false, "TEST_KEY"],
    [402, openAi("no balance"), "payment", false, "--profile"],
    [404, openAi("no such model", "model_not_found"), "not_found", false, "m-1"],
    [404, JSON.stringify({ detail: "Not Found" }), "not_found", false, "/v1"],
    [400, openAi("This model's maximum context length is 4096 tokens"), "context_length", false, "session"],
    [400, openAi("stream_options is unknown"), "bad_request", false, "compat"],
    [400, openAi("no", "content_filter"), "filtered", false, "other words"],
    [422, JSON.stringify({ error: "no tools" }), "bad_request", false, "compat"],
    [429, openAi("slow down"), "rate_limit", true, "Wait"],
    [429, openAi("You exceeded your quota", "insufficient_quota"), "payment", false, "--profile"],
    [500, openAi("oops"), "server", true, "again"],
    [503, "", "server", true, "again"],
    [529, openAi("overloaded"), "server", true, "again"],
  ])("%i %s", async (status, body, kind, retryable, advice) => {
    const server = await serve(async ({ write, end }) => {
      await write(head(status, json), body);
      end();
    });
    const { error, events } = await collect(modelAt(server.url));
    expect(events).toEqual([]);
    expect(error).toMatchObject({ code: "E_MODEL", kind, status, retryable });
    expect(error?.message).toMatch(new RegExp(`^Test server answered ${status}`));
    expect(error?.hint).toContain(advice);
    expect(server.requests).toHaveLength(1);
  });

  test("the server's words are shown, whichever field they are in", async () => {
    for (const body of [
      '{"error":{"message":"why"}}',
      '{"error":"why"}',
      '{"detail":"why"}',
      '{"message":"why"}',
      "why",
    ]) {
      expect((await ask([head(400, json), body])).error?.message).toBe("Test server answered 400: why");
    }
  });

  test("(e) a page of HTML becomes one short line", async () => {
    const page = `<!DOCTYPE html><html><head><style>body { color: red }</style></head><body><h1>502 Bad Gateway</h1>\n${"<p>nginx \u001b[31m</p>".repeat(900)}`;
    const { error } = await ask([head(502, { "content-type": "text/html" }), page]);
    expect(error).toMatchObject({ kind: "server", status: 502, retryable: true });
    expect(error?.message.length).toBeLessThanOrEqual(200);
    expect(error?.message).toMatch(/^Test server answered 502: 502 Bad Gateway nginx \[31m nginx/);
    expect(error?.message).not.toMatch(/[<>\n\u001b]|color/);
  });

  test.each([
    ["retry-after", "2", 2_000],
    ["retry-after", "1209600", 1_209_600_000],
    ["retry-after-ms", "150", 150],
    ["retry-after", "soon", undefined],
    ["retry-after", "Wed, 21 Oct 2015 07:28:00 GMT", 0],
  ])("%s: %s", async (name, value, expected) => {
    expect((await ask([head(429, { [name]: value }), "slow"])).error?.retryAfterMs).toBe(expected);
  });

  test("a wait of days names the day, a date ahead is a wait", async () => {
    const ahead = new Date(Date.now() + 20 * 86_400_000);
    const { error } = await ask([head(429, { "retry-after": ahead.toUTCString() }), "slow"]);
    expect(error?.retryAfterMs).toBeGreaterThan(19 * 86_400_000);
    expect(error?.hint).toContain(`Wait until ${ahead.toISOString().slice(0, 10)}`);
  });

  test("redirects are not followed", async () => {
    const other = await serve(({ end }) => end());
    const { error } = await ask([head(307, { location: other.url }), ""]);
    expect(error).toMatchObject({ kind: "bad_request", status: 307, retryable: false });
    expect(error?.message).toContain(other.url);
    expect(other.requests).toEqual([]);
  });
});

describe("keys", () => {
  const key = "sk-very/secret+1234567890";

  test.each([
    ["in an error", (text: string) => [head(401, json), JSON.stringify({ error: { message: text } })]],
    ["in a page", (text: string) => [head(401), `<p>${text}</p>`]],
    ["at the place where the text is cut", (text: string) => [head(401), `${"a".repeat(170)}${text}`]],
    [
      "where the page is cut",
      (text: string) => [head(401), `${"<i></i> ".repeat(2_498)}${"<i>1234</i>"}${text}`],
    ],
    ["in a stream", (text: string) => [streamHead, event({ error: { message: text } })]],
    ["in a redirect", (text: string) => [head(302, { location: `http://x.test/?k=${text}` })]],
  ])("echoed %s are scrubbed", async (_, pieces) => {
    for (const echoed of [key, encodeURIComponent(key)]) {
      const { error } = await ask(pieces(`key ${echoed} is wrong`), { apiKey: key });
      expect(error).toBeDefined();
      expect(`${error?.message} ${error?.hint}`).not.toMatch(/sk-|very|secret/);
    }
  });

  test("no key: none is sent, and the advice says which to export", async () => {
    const server = await serve(async ({ write, end }) => {
      await write(head(401), "");
      end();
    });
    const { error } = await collect(modelAt(server.url, { apiKey: undefined }));
    expect(server.requests[0]?.headers["authorization"]).toBeUndefined();
    expect(error?.hint).toContain("export TEST_KEY");
  });
});

describe("the network", () => {
  test("nobody listens", async () => {
    const gone = createServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const address = gone.address();
    gone.close();
    await once(gone, "close");
    const port = typeof address === "object" ? address?.port : undefined;
    const { error } = await collect(modelAt(`http://127.0.0.1:${port}/v1`));
    expect(error).toMatchObject({ kind: "network", retryable: true });
    expect(error?.message).toContain("ECONNREFUSED");
  });

  test("the connection closes without an answer", async () => {
    const server = await serve(({ end }) => end());
    expect((await collect(modelAt(server.url))).error).toMatchObject({ kind: "network" });
  });
});

describe("limits", () => {
  const limits = { connectMs: 10_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 10_000 };

  test.each([
    ["no first byte", [], { firstByteMs: 30 }],
    ["a head and no first byte", [streamHead], { firstByteMs: 30 }],
    ["a refusal whose body never ends", [head(500)], { firstByteMs: 30 }],
    ["a pause", [streamHead, hel], { idleMs: 30 }],
    ["an answer without end", [streamHead, hel], { totalMs: 60 }],
  ])("%s", async (_, pieces, limit) => {
    let closed: Promise<void> | undefined;
    const server = await serve(async (exchange) => {
      closed = exchange.closed;
      await exchange.write(...pieces);
    });
    const { error } = await collect(modelAt(server.url, { limits: { ...limits, ...limit } }));
    expect(error).toMatchObject({ kind: "timeout", retryable: true });
    await closed;
  });
});

describe("cancelling", () => {
  test("before the request: none is made", async () => {
    const server = await serve(({ end }) => end());
    const { error } = await collect(modelAt(server.url), question, AbortSignal.abort());
    expect(error).toMatchObject({ kind: "cancelled", retryable: false });
    expect(server.requests).toEqual([]);
  });

  test.each([
    ["before the first byte", []],
    ["while text streams", [streamHead, hel]],
    ["after the finish reason", [streamHead, hel, event(delta({}, "stop"))]],
  ])("%s: the connection is closed", async (_, pieces) => {
    const controller = new AbortController();
    let closed: Promise<void> | undefined;
    const server = await serve(async (exchange) => {
      closed = exchange.closed;
      await exchange.write(...pieces);
      controller.abort();
    });
    const { error, events } = await collect(modelAt(server.url), question, controller.signal);
    expect(error).toMatchObject({ kind: "cancelled", retryable: false });
    expect(events.some((event) => event.type === "done")).toBe(false);
    await closed;
  });

  test("nothing comes after it, not even what had arrived", async () => {
    const controller = new AbortController();
    const server = await serve(({ write }) => write(`${streamHead}${hel}${hel}${event(delta({}, "stop"))}`));
    const seen: string[] = [];
    await expect(async () => {
      for await (const event of modelAt(server.url).stream(question, controller.signal)) {
        seen.push(event.type);
        controller.abort();
      }
    }).rejects.toMatchObject({ kind: "cancelled" });
    expect(seen).toEqual(["text"]);
  });

  test("a reader that stops reading closes the connection", async () => {
    let closed: Promise<void> | undefined;
    const server = await serve((exchange) => {
      closed = exchange.closed;
      return exchange.write(streamHead, hel);
    });
    for await (const _ of modelAt(server.url).stream(question, new AbortController().signal)) break;
    await closed;
  });
});
