// How long a server asks to wait, in every form that servers say it. Pure; used by failure.ts.

/**
 * Milliseconds, never negative: from `retry-after-ms`, `retry-after` (seconds or a date), the `x-ratelimit-reset-*` of what is
 * used up, or `retryDelay` in the body; undefined when none of them names a time. `now` is in milliseconds since 1970.
 */
export function retryAfter(headers: Headers, body: string, now: number): number | undefined {
  const found =
    numberOf(headers.get("retry-after-ms")) ??
    waitOf(headers.get("retry-after"), now) ??
    resetOf(headers) ??
    durationOf(/"retryDelay":\s*"([\d.]+s)"/.exec(body)?.[1]);
  return found === undefined || !Number.isFinite(found) ? undefined : Math.max(0, found);
}

function waitOf(value: string | null, now: number): number | undefined {
  const seconds = numberOf(value);
  if (seconds !== undefined) return seconds * 1000;
  // Nothing else: Date.parse makes a date of nearly any text that holds a number.
  if (value === null || !/^((Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? |\d{4}-\d\d-\d\dT)/.test(value))
    return undefined;
  // A date has no fractions of a second, and the one that was cut off is not over yet.
  const at = Date.parse(value) + 999;
  return Number.isNaN(at) ? undefined : at - now;
}

/** OpenAI and those who follow it: `1s`, `6m0s`, `17ms`, for requests and for tokens. */
function resetOf(headers: Headers): number | undefined {
  const waits = ["requests", "tokens"]
    .filter((what) => headers.get(`x-ratelimit-remaining-${what}`) === "0")
    .map((what) => durationOf(headers.get(`x-ratelimit-reset-${what}`)))
    .filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationOf(text: string | null | undefined): number | undefined {
  if (!text || !/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
  return parts.reduce((sum, [, count = "0", unit = "ms"]) => sum + Number(count) * (unitMs[unit] ?? 0), 0);
}

function numberOf(value: string | null): number | undefined {
  return value !== null && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}
