// Carries out an approved fetch: the URL that was shown, and no other. Used by corridor.ts.
import { safeText } from "../policy/safe-text.ts";
import { framed } from "../policy/untrusted.ts";
import type { FetchContent, Proposal } from "../protocol/proposal.ts";
import { result, type ToolResult } from "../tools/contract.ts";
import { sha256 } from "../util/hash.ts";
import type { EffectEnd } from "./effect.ts";
import { advance, recordFacts, type TaskRun } from "./task.ts";

const MAX_CHARS = 50_000;

export async function performFetch(
  run: TaskRun,
  proposal: Proposal,
  content: FetchContent,
): Promise<EffectEnd> {
  const { record, world } = run.ports;
  const { seq, digest } = proposal;
  await record.append({ type: "effect_begun", seq });
  const fetched = await world.fetchPage(content.url, run.signal);
  let end: ToolResult;
  if (fetched.ok) {
    const { url, status, bytes, hash, type, text } = fetched.value;
    await recordFacts(run, [{ type: "fetched", seq, url, status, bytes, hash }]);
    end = result(status < 400 ? "ok" : "error", pageResult(url, status, type, text));
  } else end = result(fetched.refusal.outcome, fetched.refusal.message);
  const outcome = fetched.ok ? "done" : end.outcome === "cancelled" ? "cancelled" : "failed";
  await record.append({ type: "effect_ended", seq, outcome, settled: false });
  return { result: end, directive: advance(run, { type: "ran", digest, changed: false }) };
}

function pageResult(url: string, status: number, type: string, text: string): string {
  // Cut first: cleaning what nobody gets takes seconds on a page of megabytes.
  const kept = text.slice(0, MAX_CHARS).replace(/[\uD800-\uDBFF]$/, "");
  const shown = safeText(kept);
  const cut =
    text.length > kept.length ? `\n… ${text.length - kept.length} more characters are left out` : "";
  return `${url}: status ${status}, ${type}\n${framed("page", shown || "(no text)", sha256(shown).slice(0, 8))}${cut}`;
}
