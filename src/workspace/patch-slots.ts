// A patch as the paths it touches: what each holds before and after. A rename is two of them. Used by perform-patch.ts.
import type { BigIntStats } from "node:fs";
import type { BlobRef, PatchFile } from "../protocol/proposal.ts";
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { sha256 } from "../util/hash.ts";
import { maxFileBytes, type PathGate } from "./path-gate.ts";

const permissionBits = 0o777;

interface Content {
  ref: BlobRef;
  mode: number;
}

/** One path of the patch; null where there is no file. */
export interface Slot {
  path: string;
  before: Content | null;
  after: Content | null;
}

/** Where a slot stands on disk by its bytes; "both" when the patch does not change them. */
export type Standing = "before" | "after" | "both" | "other";

/**
 * The slots of a patch, each path once, files that go away last. Two files may share a path only when one leaves it (the
 * source of a rename) and the other comes to it.
 */
export function slotsOf(files: readonly PatchFile[]): Result<Slot[]> {
  const slots = new Map<string, Slot>();
  for (const slot of files.flatMap(slotsOfFile)) {
    const other = slots.get(slot.path);
    if (other && ((other.before && slot.before) || (other.after && slot.after))) {
      return refuse("invalid", `The patch names ${slot.path} twice. Nothing was changed.`);
    }
    slots.set(slot.path, {
      path: slot.path,
      before: other?.before ?? slot.before,
      after: other?.after ?? slot.after,
    });
  }
  const all = [...slots.values()];
  return ok([...all.filter((slot) => slot.after !== null), ...all.filter((slot) => slot.after === null)]);
}

function slotsOfFile({ path, from, before, after, mode }: PatchFile): Slot[] {
  const then = before && { ref: before, mode: mode & permissionBits };
  const now = after && { ref: after, mode: mode & permissionBits };
  if (from === undefined) return [{ path, before: then, after: now }];
  return [
    { path, before: null, after: now },
    { path: from, before: then, after: null },
  ];
}

/** The slot of the way back. */
export function inverse({ path, before, after }: Slot): Slot {
  return { path, before: after, after: before };
}

/** Where the slot stands now; a refusal when its path cannot be looked at. Permission bits are not compared. */
export async function standingOf(gate: PathGate, slot: Slot): Promise<Result<Standing>> {
  const found = await read(gate, slot);
  if (!found.ok) return found;
  const hash = found.value && sha256(found.value.bytes);
  const isBefore = hash === (slot.before?.ref.hash ?? null);
  const isAfter = hash === (slot.after?.ref.hash ?? null);
  if (isBefore && isAfter) return ok("both");
  return ok(isBefore ? "before" : isAfter ? "after" : "other");
}

/**
 * What the file system says of the file, or null when there is none, provided that it still is what `before` says: same
 * bytes, same permission bits. Otherwise a refusal that says what changed.
 */
export async function verifyBefore(gate: PathGate, slot: Slot): Promise<Result<BigIntStats | null>> {
  const { path, before } = slot;
  const found = await read(gate, slot);
  if (!found.ok) return found;
  if (before === null) return found.value === null ? ok(null) : changed(path, "it exists now");
  if (found.value === null) return changed(path, "it is gone");
  const { bytes, stat } = found.value;
  const hash = sha256(bytes);
  if (hash !== before.ref.hash) return changed(path, `its content is now sha256 ${hash.slice(0, 8)}`);
  const mode = Number(stat.mode) & permissionBits;
  if (mode !== before.mode) return changed(path, `its mode is now 0${mode.toString(8)}`);
  return ok(stat);
}

/** The refusal for a path that is not what the proposal showed. */
export function changed(path: string, how: string): Result<never> {
  return refuse("error", `${path} changed since it was shown (${how}).`);
}

async function read(
  gate: PathGate,
  { path, before, after }: Slot,
): Promise<Result<{ bytes: Buffer; stat: BigIntStats } | null>> {
  const resolved = await gate.resolve(path);
  if (!resolved.ok) return resolved;
  if (resolved.value !== path) return refuse("blocked", `${path} is not a plain workspace path.`);
  return gate.readFile(path, Math.max(maxFileBytes, before?.ref.size ?? 0, after?.ref.size ?? 0));
}
