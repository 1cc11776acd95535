// The clocks of a request: silence is counted while we wait, and anything the server sends ends it.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bodyText, serverEvents } from "../../src/model/event-stream.ts";
import { createWatch } from "../../src/model/watch.ts";

const server = { label: "Test", baseUrl: "http://127.0.0.1/v1", model: "m", apiKey: undefined };
const limits = { connectMs: 1_000, firstByteMs: 1_000, idleMs: 100, totalMs: 60_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A body of comments, each after `ms` of silence, then one event. */
function comments(count: number, ms: number): Response {
  let sent = 0;
  return new Response(
    new ReadableStream(
      {
        pull(controller) {
          vi.advanceTimersByTime(ms);
          controller.enqueue(Buffer.from(sent++ < count ? ": ping\n\n" : "data: x\n\n"));
          if (sent > count) controller.close();
        },
      },
      { highWaterMark: 0 },
    ),
  );
}

test("keep-alive comments count as life", async () => {
  const watch = createWatch(limits, new AbortController().signal);
  const seen: string[] = [];
  for await (const { data } of serverEvents(bodyText(comments(50, 90), server, watch))) seen.push(data);
  expect(seen).toEqual(["x"]);
  expect(watch.stopped()).toBeUndefined();
  watch.close();
});

test("a longer pause than allowed is a timeout, the first one may be longer", async () => {
  const watch = createWatch(limits, new AbortController().signal);
  watch.listen();
  vi.advanceTimersByTime(999);
  watch.listen();
  expect(watch.stopped()).toBeUndefined();
  watch.rest();
  vi.advanceTimersByTime(5_000);
  watch.listen();
  vi.advanceTimersByTime(99);
  expect(watch.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(watch.stopped()).toEqual({
    kind: "timeout",
    why: "said nothing for 0.1 s (idleSeconds in its profile)",
  });
  expect(watch.signal.aborted).toBe(true);
  watch.close();
});

test("silence before the first byte names its own limit", () => {
  const watch = createWatch(limits, new AbortController().signal);
  watch.listen();
  vi.advanceTimersByTime(1_000);
  expect(watch.stopped()?.why).toBe("said nothing for 1 s (firstByteSeconds in its profile)");
  watch.close();
});

test("the whole has its limit, and the first reason stays", () => {
  const cancel = new AbortController();
  const watch = createWatch(limits, cancel.signal);
  vi.advanceTimersByTime(60_000);
  cancel.abort();
  expect(watch.stopped()).toEqual({
    kind: "timeout",
    why: "did not finish within 60 s (totalSeconds in its profile)",
  });
  watch.close();
});

test("after a whole answer a short silence ends the request without a reason", () => {
  const watch = createWatch({ ...limits, idleMs: 50_000 }, new AbortController().signal);
  watch.settle(false);
  watch.listen();
  vi.advanceTimersByTime(2_000);
  expect(watch.signal.aborted).toBe(true);
  expect(watch.stopped()).toBeUndefined();
  watch.close();
});

test("keep-alives do not hold a whole answer", () => {
  const watch = createWatch({ ...limits, idleMs: 50_000 }, new AbortController().signal);
  for (let sent = 0; sent < 20; sent++) {
    watch.settle(false);
    watch.listen();
    vi.advanceTimersByTime(100);
    watch.rest();
  }
  expect(watch.signal.aborted).toBe(true);
  expect(watch.stopped()).toBeUndefined();
  watch.close();
});

test("an answer that goes on after its finish has the time between two pieces, and its end is no failure", () => {
  const watch = createWatch({ ...limits, idleMs: 50_000, totalMs: 600_000 }, new AbortController().signal);
  watch.settle(false);
  vi.advanceTimersByTime(1_999);
  watch.settle(true);
  vi.advanceTimersByTime(49_999);
  expect(watch.signal.aborted).toBe(false);
  watch.settle(true);
  vi.advanceTimersByTime(49_999);
  watch.settle(false);
  vi.advanceTimersByTime(1_999);
  expect(watch.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(watch.signal.aborted).toBe(true);
  expect(watch.stopped()).toBeUndefined();
  watch.close();
});

test("closing leaves no timer and no listener", () => {
  const watch = createWatch(limits, new AbortController().signal);
  watch.listen();
  watch.close();
  expect(vi.getTimerCount()).toBe(0);
});
