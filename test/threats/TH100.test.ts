// A silent server is given up on, a wait that a server asks for is bounded, and both can be cancelled at once.
import { describe, expect, it } from "vitest";
import { longestWaitMs, retryDelay } from "../../src/model/retry.ts";
import { retryAfter } from "../../src/model/retry-after.ts";
import { event, head, streamHead } from "../helpers/raw-server.ts";
import { ask, collect, delta, modelAt, question, serve } from "../model/ask.ts";

const limits = { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 60_000 };

describe("TH100 a stall, and Retry-After", () => {
  it("no bytes: ended by the time between pieces, as a fault that may be tried again", async () => {
    const server = await serve(async ({ write }) => {
      await write(streamHead, event(delta({ content: "Hel" })));
    });
    const { error } = await collect(modelAt(server.url, { limits: { ...limits, idleMs: 200 } }));
    expect(error).toMatchObject({ kind: "timeout", retryable: true });
    expect(error?.message).toContain("said nothing for 0.2 s");
  });

  it("cancelling a stalled answer ends it at once, long before its clocks", { timeout: 3_000 }, async () => {
    const cancel = new AbortController();
    const server = await serve(async ({ write }) => {
      await write(streamHead, event(delta({ content: "Hel" })));
      cancel.abort();
    });
    const { error } = await collect(modelAt(server.url, { limits }), question, cancel.signal);
    expect(error?.kind).toBe("cancelled");
  });

  it.each([
    ["86400", 86_400_000],
    ["-5", 0],
    ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
    ["soon", undefined],
  ])("Retry-After: %s", (value, expected) => {
    expect(retryAfter(new Headers({ "retry-after": value }), "", Date.parse("2026-12-01"))).toBe(expected);
  });

  it("a day is not waited for: the error says when it is free again", async () => {
    expect(longestWaitMs).toBeLessThanOrEqual(120_000);
    const { error } = await ask([head(429, { "retry-after": "86400" }), "{}"]);
    expect(error?.message).toContain("free again at");
    expect(error && retryDelay(error, 1, Math.random)).toBeNull();
  });
});
