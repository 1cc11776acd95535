// Diffs without what is protected: of the worktree, the index or two commits. Used by git.ts and git-history.ts.
import { safeLine } from "../policy/safe-text.ts";
import { ok, type Result } from "../protocol/refusal.ts";
import { type DiffPart, splitDiff } from "./git-output.ts";
import type { Look } from "./git-session.ts";
import type { PathGate } from "./path-gate.ts";

export interface GitDiff {
  /** One for each file, in git's order. `text` is git's own, or one line that says why it is left out. */
  parts: { name: string; text: string }[];
  /** The diff is longer than 4 MB; what comes after is missing. */
  cut: boolean;
}

const diffLimit = 4 * 1024 * 1024;

/** Renames are looked for, so that a file that was protected under its old name is known by it. */
export const diffArgs = [
  "diff",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--find-renames",
  "--relative",
];
const prefixArgs = ["--src-prefix=a/", "--dst-prefix=b/"];

/**
 * The diff that the options and commits of `range` name, of the files in the workspace. With `path` (a workspace path) only
 * of it and what lies in it; git still looks at all, or it would take a renamed file for a new one.
 */
export async function readDiff(
  { run }: Look,
  gate: PathGate,
  range: readonly string[],
  path = ".",
): Promise<Result<GitDiff>> {
  const ran = await run([...diffArgs, ...prefixArgs, ...range, "--", "."], diffLimit);
  if (!ran.ok) return ran;
  const parts = splitDiff(ran.value.output.toString()).filter((part) => concerns(part, path));
  return ok({ parts: await Promise.all(parts.map((part) => shown(part, gate))), cut: ran.value.cut });
}

function concerns({ paths }: DiffPart, path: string): boolean {
  return path === "." || (paths ?? []).some((each) => each === path || each.startsWith(`${path}/`));
}

async function shown({ paths, text }: DiffPart, gate: PathGate): Promise<{ name: string; text: string }> {
  if (paths === null) {
    return { name: "?", text: "(one file's diff left out: its name could not be read)\n" };
  }
  const hidden = [];
  for (const path of paths) if (!(await gate.visible(path, false))) hidden.push(safeLine(path));
  return {
    name: paths.at(-1) ?? "?",
    text: hidden.length === 0 ? text : `(diff left out, protected: ${hidden.join(", ")})\n`,
  };
}
