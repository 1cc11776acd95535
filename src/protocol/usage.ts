// What requests used, added up. Folded from the record by src/record/usage.ts; shown by the receipt, the footer and reports.
import type { Usage } from "./model.ts";

/**
 * Sums over requests. A count that no server gave is absent, never 0; where some requests gave none (`uncounted`, `unpriced`), the
 * sum is of the others, so at least that much was used.
 */
export interface UsageTotals extends Usage {
  /** Requests that the model answered, or had begun to. */
  requests: number;
  /** Of those, the ones whose tokens in or out are not known. */
  uncounted: number;
  /** Of those, the ones whose cost is not known. */
  unpriced: number;
  /** US dollars; null when no request's cost is known. */
  costUsd: number | null;
}

export const noUsage: UsageTotals = { requests: 0, uncounted: 0, unpriced: 0, costUsd: null };

/** What of the model's context is in use, in tokens; null where it is not known. */
export interface ContextUse {
  /** What the last request took in. */
  used: number | null;
  /** What the model can take in. */
  window: number | null;
}

/** The last task of a session, and the session as a whole. */
export interface UsageSums {
  task: UsageTotals;
  session: UsageTotals;
}

/** An amount as people read it: `$12.30`, `$0.0123`, and of small ones two digits, `$0.00042`. */
export function dollars(usd: number): string {
  const digits =
    usd >= 1 || usd === 0
      ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
      : usd >= 0.01
        ? { minimumFractionDigits: 2, maximumFractionDigits: 4 }
        : { maximumSignificantDigits: 2 };
  return `$${usd.toLocaleString("en-US", digits)}`;
}
