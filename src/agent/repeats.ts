// Notices a model that goes in circles (design §4, case M03). Pure over the task's calls so far.

import type { ToolCall } from "../protocol/message.ts";
import { canonicalJson } from "../util/hash.ts";

/** So many identical calls in a row, or rounds of the same two calls, end the task. */
const LOOP_LENGTH = 5;

/** Equal for calls that ask for the same, whatever the order of their keys. */
export function signatureOf(call: ToolCall): string {
  try {
    return `${call.name} ${canonicalJson(JSON.parse(call.arguments || "{}"))}`;
  } catch {
    return `${call.name} ${call.arguments}`;
  }
}

/** Whether the last signatures are one call, or two calls in turn, `LOOP_LENGTH` times over. */
export function isLoop(signatures: readonly string[]): boolean {
  return repeats(signatures, 1) || repeats(signatures, 2);
}

function repeats(signatures: readonly string[], period: number): boolean {
  const tail = signatures.slice(-LOOP_LENGTH * period);
  return tail.length === LOOP_LENGTH * period && tail.every((s, i) => s === tail[i % period]);
}
