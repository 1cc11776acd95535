// Errors as values: a "no" that the model must hear, with the outcome its call will get. Returned across src/policy to src/tools.
import type { CallOutcome } from "./message.ts";

export interface Refusal {
  outcome: Exclude<CallOutcome, "ok" | "skipped" | "unknown">;
  /** Written for the model: what is wrong and what to do instead. */
  message: string;
}

export type Result<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function refuse(outcome: Refusal["outcome"], message: string): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: { outcome, message } };
}
