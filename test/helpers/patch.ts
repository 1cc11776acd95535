// Builds a patch proposal's content by hand, its bytes stored in blobs.
import type { Blobs } from "../../src/protocol/blobs.ts";
import type { PatchContent, PatchFile } from "../../src/protocol/proposal.ts";

export interface TestChange {
  path: string;
  from?: string;
  before: string | null;
  after: string | null;
  mode?: number;
}

export async function patchOf(blobs: Blobs, changes: readonly TestChange[]): Promise<PatchContent> {
  const files: PatchFile[] = [];
  for (const { before, after, mode, ...names } of changes) {
    files.push({
      ...names,
      before: before === null ? null : await blobs.put(Buffer.from(before)),
      after: after === null ? null : await blobs.put(Buffer.from(after)),
      mode: mode ?? 0o644,
      added: 0,
      removed: 0,
      hunks: [],
      notes: [],
    });
  }
  return { kind: "patch", reason: "", files, outsideScope: [] };
}
