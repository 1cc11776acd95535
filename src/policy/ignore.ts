// The rules of a `.minicodeignore`: the whole .gitignore grammar. Parsed here, read from disk by src/workspace/ignore-file.ts.
import ignore from "ignore";
import { ok, type Result, refuse } from "../protocol/refusal.ts";

export interface IgnoreRules {
  /** Whether the rules hide this workspace path, by itself or through a folder above it. The root is never hidden. */
  ignores(path: string, isDirectory: boolean): boolean;
}

/** Larger files are refused. */
export const maxIgnoreBytes = 64 * 1024;

export const noIgnoreRules: IgnoreRules = { ignores: () => false };

/** Refuses what is too large or not plain UTF-8 text; the message says what is wrong as "… is not valid UTF-8". */
export function parseIgnore(bytes: Uint8Array): Result<IgnoreRules> {
  if (bytes.length > maxIgnoreBytes) return refuse("blocked", "is larger than 64 KiB");
  if (bytes.includes(0)) return refuse("blocked", "has a NUL byte in it");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse("blocked", "is not valid UTF-8");
  }
  if (text.split(/\r?\n/).every((line) => line.trim() === "" || line.startsWith("#")))
    return ok(noIgnoreRules);
  // Names that differ in case only are one file where the file system says so; on Linux they are two, as for git.
  const rules = ignore({ ignorecase: process.platform !== "linux" }).add(text);
  return ok({
    ignores: (path, isDirectory) => path !== "." && rules.ignores(isDirectory ? `${path}/` : path),
  });
}
