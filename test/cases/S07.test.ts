import { expect, it } from "vitest";
import { realWait, type Wait } from "../../src/agent/wait.ts";
import { type TaskWith, taskWith } from "../agent/task-with.ts";
import { type Exchange, event, head, streamHead } from "../helpers/raw-server.ts";
import { delta, modelAt, serve } from "../model/ask.ts";

const done = [streamHead, event(delta({ content: "Done." }, "stop")), event("[DONE]")];

/** A task whose model refuses the first requests with `refusal`; the waits it was told to make, and when requests came. */
async function taskOf(refusal: () => string[], options: { times?: number; wait?: Wait; onRetry?(): void }) {
  const waits: number[] = [];
  const cameAt: number[] = [];
  const server = await serve(async ({ write, end }: Exchange) => {
    cameAt.push(performance.now());
    await write(...(cameAt.length <= (options.times ?? 1) ? refusal() : done));
    end();
  });
  const t = await taskWith({
    model: modelAt(server.url, { label: "DeepSeek" }),
    wait: async (ms, signal) => {
      waits.push(ms);
      await options.wait?.(ms, signal);
    },
    onEvent: ({ type }) => {
      if (type === "retrying") options.onRetry?.();
    },
  });
  return { t, waits, cameAt };
}

const limited = (retryAfter: string) => [
  head(429, { "retry-after": retryAfter }),
  '{"error":{"message":"slow down"}}',
];
const shown = ({ events }: TaskWith) => events.flatMap((e) => (e.type === "retrying" ? [e] : []));

it("S07: (a) 429 with Retry-After: 2 is sent again once, 2 to 4 seconds later", async () => {
  const { t, cameAt } = await taskOf(() => limited("2"), { wait: realWait });
  expect(await t.run("Go.")).toEqual({ end: "answered", work: { state: "none" } });
  expect(cameAt).toHaveLength(2);
  const [first = 0, second = 0] = cameAt;
  expect(second - first).toBeGreaterThanOrEqual(1_990);
  expect(second - first).toBeLessThanOrEqual(4_000);
  expect(shown(t)).toEqual([
    { type: "retrying", attempt: 2, of: 4, waitMs: 2_000, why: "DeepSeek answered 429: slow down" },
  ]);
});

it("S07: (b) 429 with Retry-After: 1209600 is not waited for, and the error names the reset time", async () => {
  const { t, waits, cameAt } = await taskOf(() => limited("1209600"), {});
  const outcome = await t.run("Go.");
  expect(outcome).toMatchObject({ end: "model_failed", retryable: true });
  const day = new Date(Date.now() + 1_209_600_000).toISOString().slice(0, 10);
  expect(outcome.detail).toMatch(
    new RegExp(`^DeepSeek answered 429, free again at ${day} \\d\\d:\\d\\d UTC: slow down$`),
  );
  expect(waits).toEqual([]);
  expect(cameAt).toHaveLength(1);
});

it("S07: (c) 429 with a date 3 seconds ahead is sent again 3 to 5 seconds later", async () => {
  const { t, waits, cameAt } = await taskOf(() => limited(new Date(Date.now() + 3_000).toUTCString()), {});
  expect(await t.run("Go.")).toEqual({ end: "answered", work: { state: "none" } });
  expect(cameAt).toHaveLength(2);
  expect(waits).toHaveLength(1);
  expect(waits[0]).toBeGreaterThan(2_900);
  expect(waits[0]).toBeLessThanOrEqual(5_000);
});

it.each(["-5", "0", "Wed, 21 Oct 2015 07:28:00 GMT"])(
  "S07: 429 with Retry-After: %s is sent again after a moment",
  async (value) => {
    const { t, waits } = await taskOf(() => limited(value), {});
    expect(await t.run("Go.")).toMatchObject({ end: "answered" });
    expect(waits).toEqual([250]);
  },
);

it("S07: (d) the user's cancel ends a wait of 30 seconds at once, and no further request is made", async () => {
  const cancel = new AbortController();
  const { t, waits, cameAt } = await taskOf(() => limited("30"), {
    wait: realWait,
    onRetry: () => void setImmediate(() => cancel.abort()),
  });
  expect(await t.run("Go.", cancel.signal)).toEqual({ end: "cancelled", work: { state: "none" } });
  expect(waits).toEqual([30_000]);
  expect(cameAt).toHaveLength(1);
});

it("S07: (e) a page of 16 KB is one short line without tags, and is tried four times", async () => {
  const page = `<!DOCTYPE html><html><head><style>a{b:c}</style></head><body><h1>502 Bad Gateway</h1>${"<p>nginx</p>\n".repeat(1_250)}</body></html>`;
  const refusal = () => [head(502, { "content-type": "text/html" }), page];
  const { t, waits, cameAt } = await taskOf(refusal, { times: Number.POSITIVE_INFINITY });
  const { end, detail, retryable } = await t.run("Go.");
  expect({ end, retryable }).toEqual({ end: "model_failed", retryable: true });
  expect(detail).toMatch(/^DeepSeek answered 502: 502 Bad Gateway nginx nginx/);
  expect(detail?.length).toBeLessThanOrEqual(200);
  expect(detail).not.toMatch(/[<>\n]/);
  expect(cameAt).toHaveLength(4);
  expect(waits).toHaveLength(3);
});

it("S07: (f) 401 is not sent again", async () => {
  const body = '{"error":{"message":"Incorrect API key provided: sk-test-1234","code":"invalid_api_key"}}';
  const { t, waits, cameAt } = await taskOf(() => [head(401), body], {});
  expect(await t.run("Go.")).toEqual({
    end: "model_failed",
    work: { state: "none" },
    detail: "DeepSeek answered 401: Incorrect API key provided: [redacted]",
    retryable: false,
  });
  expect(t.events).toContainEqual({ type: "note", text: expect.stringContaining("TEST_KEY") });
  expect(waits).toEqual([]);
  expect(cameAt).toHaveLength(1);
});

it("S07: a quota that is used up is not waited for, whatever the server asks", async () => {
  const body = '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}';
  const { t, waits } = await taskOf(() => [head(429, { "retry-after": "1" }), body], {});
  expect(await t.run("Go.")).toMatchObject({ end: "model_failed", retryable: false });
  expect(waits).toEqual([]);
});
