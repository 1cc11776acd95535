// What all tools that change files have in common. Used by apply_patch, replace_in_file and write_file.
import type { Fact } from "../protocol/fact.ts";
import { ok, type Refusal, type Result, refuse } from "../protocol/refusal.ts";
import type { FileState, ToolContext } from "./contract.ts";
import { showFile } from "./read-file.ts";

export const NEW_FILE_MODE = 0o644;

/** The bytes of a file's whole new text; refuses what UTF-8 cannot hold. */
export function fileText(path: string, content: string): Result<Buffer> {
  if (!/\p{Surrogate}/u.test(content)) return ok(Buffer.from(content, "utf8"));
  return refuse(
    "error",
    `${path}: the content holds half of a surrogate pair, which no UTF-8 file can hold. Write the whole character.`,
  );
}

/**
 * Refuses a file the model has not seen as it is now, and shows it: the next try can be right (design §4). What it saw is
 * added to `facts`.
 */
export function mustBeSeen(
  path: string,
  file: FileState,
  context: ToolContext,
  facts: Fact[],
): { ok: false; refusal: Refusal } | null {
  if (context.hasSeen(path, file.hash)) return null;
  const shown = showFile(path, file);
  facts.push(...shown.facts);
  return refuse(
    "error",
    `${path}: you have not read this file as it is now. It counts as read with this:\n${shown.content}`,
  );
}
