// Merges the file changes of neighbouring write calls into one patch proposal. Used by src/agent/patch-group.ts.
import { diffHunks } from "../patch/diff.ts";
import { actedOnBy } from "../policy/self-acting.ts";
import type { Blobs } from "../protocol/blobs.ts";
import { inScope, type PatchContent, type PatchFile, type PlanContent } from "../protocol/proposal.ts";
import type { FileChange, FileState } from "./contract.ts";

type Content = NonNullable<FileChange["after"]>;

/**
 * The net change per path, in the order the paths first came; a path that ends as it began is left out. A path comes twice
 * only when its own file goes and another is renamed to it.
 */
function netChanges(changes: readonly FileChange[]): FileChange[] {
  const disk = new Map<string, FileState | null>();
  /** `origin` is the file on disk that the content replaces or was renamed from; null for a new file. */
  const now = new Map<string, (Content & { origin: string | null }) | null>();

  /** Whether the file that was at `path` lives on under another name. */
  const isMoved = (path: string): boolean =>
    [...now].some(([at, held]) => at !== path && held?.origin === path);

  for (const { path, from, before, after } of changes) {
    const source = from ?? path;
    if (!disk.has(source)) disk.set(source, before);
    if (!disk.has(path)) disk.set(path, null);
    const origin = now.get(source)?.origin ?? (disk.get(source) && !isMoved(source) ? source : null);
    now.set(source, null);
    now.set(path, after && { ...after, origin });
  }

  return [...disk].flatMap(([path, there]): FileChange[] => {
    const before = isMoved(path) ? null : there;
    const held = now.get(path);
    const gone = before ? [{ path, before, after: null }] : [];
    if (!held) return gone;
    const { origin, bytes, mode } = held;
    const after = { bytes, mode };
    if (origin !== null && origin !== path) {
      return [...gone, { path, from: origin, before: disk.get(origin) ?? null, after }];
    }
    return before?.bytes.equals(bytes) ? [] : [{ path, before, after }];
  });
}

/** Stores the bytes and builds the proposal's content; null when nothing would change. */
export async function patchContent(
  changes: readonly FileChange[],
  reason: string,
  plan: PlanContent | null,
  blobs: Blobs,
): Promise<PatchContent | null> {
  const files: PatchFile[] = [];
  for (const change of netChanges(changes)) files.push(await patchFile(change, blobs));
  if (files.length === 0) return null;
  const touched = new Set(files.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])));
  const outsideScope = plan ? [...touched].filter((path) => !inScope(path, plan.files)) : [];
  return { kind: "patch", reason, files, outsideScope };
}

async function patchFile({ path, from, before, after }: FileChange, blobs: Blobs): Promise<PatchFile> {
  const { hunks, added, removed } = diffHunks(before?.bytes ?? null, after?.bytes ?? null);
  const notes: string[] = [];
  if (before && before.links > 1) {
    notes.push(`this file has ${before.links} names (hard links); only this one gets the new content`);
  }
  const acted = after && actedOnBy(path);
  if (acted) notes.push(acted);
  return {
    path,
    ...(from === undefined ? {} : { from }),
    before: before && (await blobs.put(before.bytes)),
    after: after && (await blobs.put(after.bytes)),
    // A file that is rewritten keeps its permission bits.
    mode: before?.mode ?? after?.mode ?? 0o644,
    added,
    removed,
    hunks,
    notes,
  };
}
