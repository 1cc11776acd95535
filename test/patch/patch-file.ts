// Builds the `PatchFile` of a change as the tools do. Used by the diff tests.
import { diffHunks } from "../../src/patch/diff.ts";
import type { PatchFile } from "../../src/protocol/proposal.ts";
import { sha256 } from "../../src/util/hash.ts";

type Content = string | Uint8Array | null;

export function patchFile(
  path: string,
  before: Content,
  after: Content,
  more: Partial<PatchFile> = {},
): PatchFile {
  const [old, now] = [bytesOf(before), bytesOf(after)];
  return {
    path,
    before: refOf(old),
    after: refOf(now),
    mode: 0o644,
    notes: [],
    ...diffHunks(old, now),
    ...more,
  };
}

function bytesOf(content: Content): Uint8Array | null {
  return typeof content === "string" ? Buffer.from(content) : content;
}

function refOf(bytes: Uint8Array | null): PatchFile["before"] {
  return bytes && { hash: sha256(bytes), size: bytes.length };
}
