// What a check is and how it ended, in words. Used by the command panel, events and receipt.
import type { Messages } from "../i18n/messages.ts";
import type { CheckResult } from "../protocol/fact.ts";
import type { CheckOrigin } from "../protocol/proposal.ts";
import { type Span, span } from "./row.ts";

/** `from the project, before any change`. */
export function aboutCheck(
  { origin, baseline }: { origin: CheckOrigin; baseline: boolean },
  messages: Messages,
): string {
  const from = messages[`origin.${origin}`];
  return baseline ? `${from}, ${messages["check.baseline"]}` : from;
}

export function checkResultSpan(result: CheckResult, messages: Messages): Span {
  const word = messages[`check.${result}`];
  if (result === "passed") return span(`✓ ${word}`, "ok");
  return result === "failed" ? span(`✗ ${word}`, "error") : span(`· ${word}`, "warn");
}
