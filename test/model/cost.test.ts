// What one request costs, from counts and prices.
import { expect, test } from "vitest";
import { costOf, type Prices } from "../../src/model/cost.ts";
import type { Usage } from "../../src/protocol/model.ts";

const prices: Prices = { input: 2, cachedInput: 0.5, cacheWrite: 2.5, output: 10 };

test.each<[string, Usage, Prices | undefined, number | null]>([
  ["in and out", { input: 1_000_000, output: 100_000 }, prices, 3],
  ["cached tokens at their own price", { input: 1_000_000, cached: 800_000, output: 0 }, prices, 0.8],
  ["written ones at theirs", { input: 1_000_000, cacheWritten: 400_000, output: 0 }, prices, 2.2],
  ["both", { input: 1_000_000, cached: 500_000, cacheWritten: 500_000, output: 0 }, prices, 1.5],
  [
    "as plain input where the profile has no price for them",
    { input: 1_000_000, cached: 500_000, cacheWritten: 100_000, output: 0 },
    { input: 2, output: 10 },
    2,
  ],
  ["thinking is part of the output", { input: 0, output: 100_000, reasoning: 90_000 }, prices, 1],
  ["a model that costs nothing", { input: 5, output: 5 }, { input: 0, output: 0 }, 0],
  ["a server that caches more than it was sent", { input: 10, cached: 1_000_000, output: 0 }, prices, 0.5],
  ["no prices", { input: 1, output: 1 }, undefined, null],
  ["no count of the input", { output: 1 }, prices, null],
  ["no count of the output", { input: 1, cached: 1 }, prices, null],
  ["no counts", {}, prices, null],
])("%s", (_name, usage, given, usd) => {
  const cost = costOf(usage, given);
  if (usd === null) expect(cost).toBeNull();
  else expect(cost).toBeCloseTo(usd, 12);
});
