// Carries out an approved patch, all or nothing, and settles one that a crash cut short (D7).
// `applyPatch` is called by the dispatcher once the decision is recorded; `settlePatch` when a session is resumed.
import type { Blobs } from "../protocol/blobs.ts";
import type { PatchContent } from "../protocol/proposal.ts";
import type { EffectOutcome } from "../protocol/record.ts";
import { ok, type Refusal, type Result, refuse } from "../protocol/refusal.ts";
import { type Bench, openBench, publish } from "./patch-bench.ts";
import { inverse, type Slot, type Standing, slotsOf, standingOf, verifyBefore } from "./patch-slots.ts";
import type { PathGate } from "./path-gate.ts";
import { splitPath, systemReason } from "./path-walk.ts";
import { sweepFolder } from "./write.ts";

/** `left` are the paths that were changed and could not be put back: the patch stands there. */
type Applied = Extract<Result<void>, { ok: true }> | { ok: false; refusal: Refusal; left: string[] };

/**
 * Applies exactly the proposal's bytes (from `blobs`, by hash) if every path still is what the proposal showed. A refusal
 * with nothing `left` means that no file was changed. `signal` counts until the first step.
 */
export async function applyPatch(
  gate: PathGate,
  blobs: Blobs,
  content: PatchContent,
  signal: AbortSignal,
): Promise<Applied> {
  const slots = slotsOf(content.files);
  if (!slots.ok) return { ...slots, left: [] };
  const bench = openBench(gate);
  const begun: Slot[] = [];
  let end: Result<void>;
  try {
    end = await carryOut(gate, blobs, bench, slots.value, signal, begun);
  } catch (error) {
    end = refuse("error", `The patch could not be written (${systemReason(error)}).`);
  } finally {
    await bench.clear();
  }
  if (end.ok) return end;
  const back = await rollBack(gate, blobs, begun);
  await bench.removeMadeFolders();
  return { ...refuse(end.refusal.outcome, `${end.refusal.message} ${backMessage(back)}`), left: back.left };
}

/** `begun` collects the slots that may have changed on disk. */
async function carryOut(
  gate: PathGate,
  blobs: Blobs,
  bench: Bench,
  slots: readonly Slot[],
  signal: AbortSignal,
  begun: Slot[],
): Promise<Result<void>> {
  const steps = [];
  for (const slot of slots) {
    const seen = await verifyBefore(gate, slot);
    if (!seen.ok) return seen;
    // The way back must exist before the first step is taken.
    if (slot.before !== null) await blobs.get(slot.before.ref);
    const bytes = slot.after && (await blobs.get(slot.after.ref));
    const step = await bench.stage(slot, bytes, seen.value);
    if (!step.ok) return step;
    steps.push(step.value);
  }
  if (signal.aborted) return refuse("cancelled", "The patch was cancelled.");
  for (const step of steps) {
    begun.push(step.slot);
    const published = await publish(gate, step);
    if (!published.ok) {
      begun.pop();
      return published;
    }
  }
  return ok(undefined);
}

/** What a roll-back did: the paths that hold their old bytes again, those that could not be put back, and why not. */
interface RolledBack {
  restored: string[];
  left: string[];
  failures: string[];
}

function backMessage({ restored, failures }: RolledBack): string {
  if (failures.length > 0) return `Not everything could be put back: ${failures.join("; ")}.`;
  if (restored.length === 0) return "Nothing was changed.";
  return `Nothing was changed: what was already written was put back (${restored.join(", ")}).`;
}

/** Brings every slot that stands at "after" back to "before", last first. */
async function rollBack(gate: PathGate, blobs: Blobs, slots: readonly Slot[]): Promise<RolledBack> {
  const restored: string[] = [];
  const left: string[] = [];
  const failures: string[] = [];
  for (const slot of [...slots].reverse()) {
    const standing = await standingOf(gate, slot);
    if (standing.ok && (standing.value === "before" || standing.value === "both")) continue;
    const put = standing.ok ? await putBack(gate, blobs, inverse(slot)) : standing;
    if (put.ok) {
      restored.unshift(slot.path);
      continue;
    }
    left.unshift(slot.path);
    failures.unshift(put.refusal.message.replace(/\.$/, ""));
  }
  return { restored, left, failures };
}

async function putBack(gate: PathGate, blobs: Blobs, slot: Slot): Promise<Result<void>> {
  const bench = openBench(gate);
  try {
    const seen = await verifyBefore(gate, slot);
    if (!seen.ok) return seen;
    const step = await bench.stage(slot, slot.after && (await blobs.get(slot.after.ref)), seen.value);
    return step.ok ? await publish(gate, step.value) : step;
  } catch (error) {
    return refuse("error", `${slot.path} (${systemReason(error)})`);
  } finally {
    await bench.clear();
  }
}

export interface Settlement {
  outcome: EffectOutcome;
  /** For the user: which files, and why it failed. */
  detail?: string;
  /** When it failed: the paths where the patch stands nevertheless. */
  left?: string[];
}

/**
 * Finds out what became of a patch that was begun and has no outcome: all files new is "done", all old "cancelled"; a
 * mixture is rolled back. Nothing is ever applied again. When somebody else changed a file since, nothing is touched and
 * the outcome is "failed". Calling it again gives the same files.
 */
export async function settlePatch(gate: PathGate, blobs: Blobs, content: PatchContent): Promise<Settlement> {
  const slots = slotsOf(content.files);
  if (!slots.ok) return { outcome: "failed", detail: slots.refusal.message };
  await sweepTemps(gate, [...new Set(slots.value.map(({ path }) => splitPath(path).folder))]);
  const paths: Record<Standing, string[]> = { before: [], after: [], both: [], other: [] };
  for (const slot of slots.value) {
    const standing = await standingOf(gate, slot);
    if (!standing.ok) return { outcome: "failed", detail: standing.refusal.message };
    paths[standing.value].push(slot.path);
  }
  if (paths.other.length > 0) return { outcome: "failed", detail: mixedMessage(paths), left: paths.after };
  if (paths.before.length === 0) return { outcome: "done" };
  if (paths.after.length === 0) return { outcome: "cancelled" };
  const back = await rollBack(gate, blobs, slots.value);
  if (back.failures.length > 0) return { outcome: "failed", detail: backMessage(back), left: back.left };
  return { outcome: "rolled_back", detail: `Put back: ${back.restored.join(", ")}.` };
}

function mixedMessage({ before, after, other }: Record<Standing, string[]>): string {
  const list = (label: string, paths: string[]) =>
    paths.length > 0 ? [`${label}: ${paths.join(", ")}`] : [];
  const parts = [
    ...list("Changed by someone else", other),
    ...list("with the patch", after),
    ...list("without it", before),
  ];
  return `${parts.join("; ")}. Nothing was touched.`;
}

/** Removes the temporary files that a killed run left in these workspace folders. */
export async function sweepTemps(gate: PathGate, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const dir = await gate.openDir(folder);
    if (!dir.ok) continue;
    try {
      await sweepFolder(dir.value);
    } finally {
      await dir.value.close();
    }
  }
}
