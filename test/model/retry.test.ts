// When a failed request is sent again: a pure rule over the error, the count and chance.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ModelError, type ModelErrorKind, modelErrorKindSchema } from "../../src/model/error.ts";
import { maxRequests, retryDelay } from "../../src/model/retry.ts";

const server = new ModelError("server", "m");
const limited = (retryAfterMs: number) => new ModelError("rate_limit", "m", { retryAfterMs });
const low = () => 0;
const high = () => 0.999_999;

test.each([
  [1, 250, 1_000],
  [2, 250, 2_000],
  [3, 250, 4_000],
])("after request %i the wait is between %i and %i ms", (attempt, least, most) => {
  expect(retryDelay(server, attempt, low)).toBe(least);
  expect(retryDelay(server, attempt, high)).toBeCloseTo(most, -1);
});

test("four requests in all", () => {
  expect(maxRequests).toBe(4);
  expect(retryDelay(server, 4, low)).toBeNull();
  expect(retryDelay(limited(1_000), 4, low)).toBeNull();
});

test("what the server asks for is what it gets, up to a minute", () => {
  for (const ms of [250, 2_000, 59_999, 60_000]) {
    expect(retryDelay(limited(ms), 1, low)).toBe(ms);
    expect(retryDelay(limited(ms), 3, high)).toBe(ms);
  }
  expect(retryDelay(limited(0), 1, high)).toBe(250);
  expect(retryDelay(limited(60_001), 1, low)).toBeNull();
  expect(retryDelay(limited(1_209_600_000), 1, low)).toBeNull();
});

const retried: ReadonlySet<ModelErrorKind> = new Set([
  "rate_limit",
  "server",
  "network",
  "timeout",
  "incomplete",
]);

test.each(modelErrorKindSchema.options)("%s is retried only if it may pass", (kind) => {
  expect(retryDelay(new ModelError(kind, "m"), 1, low) !== null).toBe(retried.has(kind));
  const retryAfterMs = 1_000;
  expect(retryDelay(new ModelError(kind, "m", { retryable: false, retryAfterMs }), 1, low)).toBeNull();
});

test("any wait is between a quarter of a second and a minute", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...modelErrorKindSchema.options),
      fc.option(fc.double({ min: 0, noNaN: true }), { nil: undefined }),
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (kind, retryAfterMs, attempt, chance) => {
        const wait = retryDelay(new ModelError(kind, "m", { retryAfterMs }), attempt, () => chance);
        if (wait === null) return;
        expect(wait).toBeGreaterThanOrEqual(250);
        expect(wait).toBeLessThanOrEqual(60_000);
      },
    ),
    { numRuns: 1_000 },
  );
});
