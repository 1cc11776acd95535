// Tokens and cost in words: for the receipt, /status and, shorter, the footer. Pure.
import type { Messages } from "../i18n/messages.ts";
import { type ContextUse, dollars, type UsageTotals } from "../protocol/usage.ts";

/** `12,340 in (71 % cached), 1,820 out · cost $0.0123`; what is not known is said to be unknown, and a partial sum "at least". */
export function usageText(totals: UsageTotals, messages: Messages): string {
  if (totals.requests === 0) return messages["usage.none"];
  return `${tokensText(totals, messages)} · ${costText(totals, messages)}`;
}

function tokensText(totals: UsageTotals, messages: Messages): string {
  const { input, output, reasoning = 0, requests, uncounted } = totals;
  if (input === undefined && output === undefined) return messages["usage.unknown"];
  const atLeast = uncounted > 0 ? `${messages["usage.at_least"]} ` : "";
  const taken = input === undefined ? messages["usage.unknown"] : `${atLeast}${grouped(input)}`;
  const shown = output === undefined ? messages["usage.unknown"] : grouped(output);
  const given = input === undefined ? `${atLeast}${shown}` : shown;
  const percent = cachedPercent(totals);
  return [
    messages["usage.in"](taken, percent === null ? "" : messages["usage.cached"](percent)),
    messages["usage.out"](given, reasoning === 0 ? "" : messages["usage.thinking"](grouped(reasoning))),
    ...(uncounted > 0 ? [messages["usage.uncounted"](uncounted, requests)] : []),
  ].join(" ");
}

function costText({ costUsd, unpriced }: UsageTotals, messages: Messages): string {
  if (costUsd === null) return messages["usage.cost_unknown"];
  const atLeast = unpriced > 0 ? `${messages["usage.at_least"]} ` : "";
  return messages["usage.cost"](`${atLeast}${dollars(costUsd)}`);
}

/** How much of the input came from the server's cache, in whole percent; null when no server spoke of one. */
function cachedPercent({ input, cached }: UsageTotals): number | null {
  return input === undefined || input === 0 || cached === undefined
    ? null
    : Math.round((cached / input) * 100);
}

/** `12.3K in, 1.8K out`, with "+" behind a partial sum; "" before the first request. */
export function shortTokens({ input, output, requests, uncounted }: UsageTotals, messages: Messages): string {
  if (requests === 0) return "";
  if (input === undefined && output === undefined) return messages["usage.short_unknown"];
  const short = (count: number | undefined): string =>
    count === undefined ? "?" : `${compact(count)}${uncounted > 0 ? "+" : ""}`;
  return `${messages["usage.in"](short(input), "")} ${messages["usage.out"](short(output), "")}`;
}

/** `$0.0123`, with "+" behind a partial sum; "" before the first request. */
export function shortCost({ costUsd, requests, unpriced }: UsageTotals, messages: Messages): string {
  if (requests === 0) return "";
  if (costUsd === null) return messages["usage.cost_unknown"];
  return `${dollars(costUsd)}${unpriced > 0 ? "+" : ""}`;
}

export function shortContext({ used, window }: ContextUse, messages: Messages): string {
  if (used === null) return "";
  return messages["usage.context"](window === null ? compact(used) : percentOf(used, window));
}

export function contextText({ used, window }: ContextUse, messages: Messages): string {
  if (used === null) return messages["usage.unknown"];
  if (window === null) return messages["usage.context_tokens"](grouped(used));
  return messages["usage.context_of"](grouped(used), grouped(window), percentOf(used, window));
}

function percentOf(used: number, window: number): string {
  return `${Math.max(1, Math.round((used / window) * 100))} %`;
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

function compact(count: number): string {
  return count.toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 1 });
}
