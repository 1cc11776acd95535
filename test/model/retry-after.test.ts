// Every form in which servers say how long to wait.
import { expect, test } from "vitest";
import { retryAfter } from "../../src/model/retry-after.ts";

const now = Date.parse("Wed, 21 Oct 2026 07:28:00 GMT");

test.each([
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "-5" }, 0],
  [{ "retry-after": "1209600" }, 1_209_600_000],
  [{ "retry-after": "Wed, 21 Oct 2026 07:28:03 GMT" }, 3_999],
  [{ "retry-after": "Wednesday, 21-Oct-26 07:28:03 GMT" }, 3_999],
  [{ "retry-after": "Wed Oct 21 07:28:03 2026 GMT" }, 3_999],
  [{ "retry-after": "2026-10-21T07:28:03Z" }, 3_999],
  [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "2 minutes" }, undefined],
  [{ "retry-after": "Never, 99 Oct" }, undefined],
  [{ "retry-after": "" }, undefined],
  [{ "retry-after": "9".repeat(400) }, undefined],
  [{ "retry-after-ms": "150", "retry-after": "2" }, 150],
  [{ "retry-after-ms": "x", "retry-after": "2" }, 2_000],
  [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s" }, 360_000],
  [{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "17ms" }, 17],
  [{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "2m59.5s" }, 179_500],
  [{ "x-ratelimit-remaining-tokens": "9", "x-ratelimit-reset-tokens": "1s" }, undefined],
  [{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1x" }, undefined],
  [{}, undefined],
])("%j", (headers, expected) => {
  expect(retryAfter(new Headers(Object.entries(headers)), "", now)).toBe(expected);
});

test("of two limits that are used up the later one counts", () => {
  const headers = new Headers({
    "x-ratelimit-remaining-requests": "0",
    "x-ratelimit-reset-requests": "1s",
    "x-ratelimit-remaining-tokens": "0",
    "x-ratelimit-reset-tokens": "4s",
  });
  expect(retryAfter(headers, "", now)).toBe(4_000);
});

test("a delay in the body counts where no header names one", () => {
  const body = '{"error":{"details":[{"@type":"RetryInfo","retryDelay": "34.5s"}]}}';
  expect(retryAfter(new Headers(), body, now)).toBe(34_500);
  expect(retryAfter(new Headers({ "retry-after": "1" }), body, now)).toBe(1_000);
});
