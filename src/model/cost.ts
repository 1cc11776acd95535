// What one request costs, from its token counts and the profile's prices. Pure; used by src/agent/.
import type { Usage } from "../protocol/model.ts";

/** US dollars per million tokens. */
export interface Prices {
  input: number;
  /** Tokens that the server had in its cache; as `input` when absent. */
  cachedInput?: number | undefined;
  /** Tokens that the server wrote to its cache; as `input` when absent. */
  cacheWrite?: number | undefined;
  output: number;
}

/**
 * US dollars for one request; null when there are no prices, or when the server did not say how many tokens went in and out.
 * What it says nothing of its cache counts as plain input.
 */
export function costOf(usage: Usage, prices: Prices | undefined): number | null {
  const { input, output, cached = 0, cacheWritten = 0 } = usage;
  if (prices === undefined || input === undefined || output === undefined) return null;
  const { cachedInput = prices.input, cacheWrite = prices.input } = prices;
  const plain = Math.max(0, input - cached - cacheWritten);
  const millionths =
    plain * prices.input + cached * cachedInput + cacheWritten * cacheWrite + output * prices.output;
  return millionths / 1_000_000;
}
