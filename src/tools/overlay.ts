// The files that changes would leave on disk, so that later changes build on them. Used by apply_patch and src/agent/.
import { ok } from "../protocol/refusal.ts";
import { sha256 } from "../util/hash.ts";
import type { FileChange, FileState, ToolContext } from "./contract.ts";

/** By workspace path; null for a file that is gone. */
export type Overlay = ReadonlyMap<string, FileState | null>;

export function overlayOf(changes: readonly FileChange[]): Overlay {
  const overlay = new Map<string, FileState | null>();
  for (const { path, from, after } of changes) {
    if (from !== undefined) overlay.set(from, null);
    overlay.set(path, after && { ...after, hash: sha256(after.bytes), links: 1 });
  }
  return overlay;
}

/** The context as if the overlay's files were on disk; who wrote them has seen them. */
export function layered(context: ToolContext, overlay: Overlay): ToolContext {
  return {
    ...context,
    file: async (path) => {
      const pending = overlay.get(path);
      return pending === undefined ? context.file(path) : ok(pending);
    },
    hasSeen: (path, hash) => overlay.has(path) || context.hasSeen(path, hash),
  };
}
