// Tokens and cost in words.
import { describe, expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { dollars, noUsage, type UsageTotals } from "../../src/protocol/usage.ts";
import { receiptRows } from "../../src/view/receipt.ts";
import { contextText, shortContext, shortCost, shortTokens, usageText } from "../../src/view/usage.ts";
import { receipt, text } from "./helpers.ts";

const totals = (over: Partial<UsageTotals>): UsageTotals => ({ ...noUsage, requests: 3, ...over });
const whole = totals({ input: 12_340, cached: 8_761, output: 1_820, costUsd: 0.0123 });

describe("an amount", () => {
  it.each([
    [0, "$0.00"],
    [0.0000012, "$0.0000012"],
    [0.0004, "$0.0004"],
    [0.000456, "$0.00046"],
    [0.0123, "$0.0123"],
    [0.01234567, "$0.0123"],
    [0.5, "$0.50"],
    [1, "$1.00"],
    [12.345, "$12.35"],
    [1234.5, "$1,234.50"],
  ])("%d is %s", (usd, shown) => {
    expect(dollars(usd)).toBe(shown);
  });
});

describe("a receipt's line", () => {
  it.each<[string, UsageTotals, string]>([
    ["whole", whole, "12,340 in (71 % cached), 1,820 out · cost $0.0123"],
    [
      "with thinking",
      totals({ input: 10, output: 900, reasoning: 800 }),
      "10 in, 900 out (800 thinking) · cost unknown",
    ],
    [
      "nothing from the cache",
      totals({ input: 10, cached: 0, output: 1, costUsd: 0 }),
      "10 in (0 % cached), 1 out · cost $0.00",
    ],
    ["no counts", totals({ uncounted: 3, unpriced: 3 }), "unknown · cost unknown"],
    [
      "only what came out",
      totals({ output: 5, uncounted: 3, unpriced: 3 }),
      "unknown in, at least 5 out (3 of 3 requests gave no counts) · cost unknown",
    ],
    [
      "in part",
      totals({ input: 1_000, output: 50, uncounted: 1, unpriced: 2, costUsd: 0.25 }),
      "at least 1,000 in, 50 out (1 of 3 requests gave no counts) · cost at least $0.25",
    ],
    ["no request", noUsage, "none yet"],
  ])("%s", (_name, sums, line) => {
    expect(usageText(sums, en)).toBe(line);
  });

  it("stands above the last one; the session's below it when there was more than this task", () => {
    const lines = (task: UsageTotals, session: UsageTotals) =>
      text(receiptRows(receipt({ usage: { task, session } }), en))
        .split("\n")
        .slice(1, -1);
    expect(lines(whole, whole)).toEqual(["  tokens: 12,340 in (71 % cached), 1,820 out · cost $0.0123"]);
    expect(lines(whole, totals({ requests: 5, input: 20_000, output: 2_000, costUsd: 1.5 }))).toEqual([
      "  tokens: 12,340 in (71 % cached), 1,820 out · cost $0.0123",
      "  tokens of the whole session: 20,000 in, 2,000 out · cost $1.50",
    ]);
    expect(lines(noUsage, noUsage)).toEqual([]);
  });
});

describe("the footer's short forms", () => {
  it.each<[string, UsageTotals, string, string]>([
    ["whole", whole, "12.3K in, 1.8K out", "$0.0123"],
    ["large", totals({ input: 1_234_567, output: 999, costUsd: 3 }), "1.2M in, 999 out", "$3.00"],
    [
      "in part",
      totals({ input: 1_500, output: 20, uncounted: 1, unpriced: 1, costUsd: 0.5 }),
      "1.5K+ in, 20+ out",
      "$0.50+",
    ],
    [
      "one side unknown",
      totals({ input: 1_500, uncounted: 3, unpriced: 3 }),
      "1.5K+ in, ? out",
      "cost unknown",
    ],
    ["unknown", totals({ uncounted: 3, unpriced: 3 }), "tokens unknown", "cost unknown"],
    ["before the first request", noUsage, "", ""],
  ])("%s", (_name, sums, tokens, cost) => {
    expect([shortTokens(sums, en), shortCost(sums, en)]).toEqual([tokens, cost]);
  });

  it.each([
    [null, 200_000, "", "unknown"],
    [12_340, null, "context 12.3K", "12,340 tokens"],
    [12_340, 200_000, "context 6 %", "12,340 of 200,000 tokens (6 %)"],
    [10, 200_000, "context 1 %", "10 of 200,000 tokens (1 %)"],
  ])("context %s of %s", (used, window, short, long) => {
    expect([shortContext({ used, window }, en), contextText({ used, window }, en)]).toEqual([short, long]);
  });
});
