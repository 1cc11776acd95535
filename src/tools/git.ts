// The git tool: status and diffs, read-only. In every tool set.
import * as z from "zod";
import { safeLine } from "../policy/safe-text.ts";
import { type Git, type GitStatus, openGit } from "../workspace/git.ts";
import { result, type Tool, type ToolResult } from "./contract.ts";

const input = z.strictObject({ action: z.enum(["status", "diff", "staged_diff"]) });
type Input = z.infer<typeof input>;

const maxEntries = 300;

export const gitTool: Tool<Input> = {
  name: "git",
  description:
    "Read-only git. status: branch and changed files; diff: unstaged changes of tracked files; staged_diff: what is staged.",
  input,
  effect: "read",
  label: ({ action }) => `git ${action === "staged_diff" ? "diff --staged" : action}`,
  async prepare({ action }, { gate, signal }) {
    const open = await gate.resolve(".");
    if (!open.ok) return { kind: "refused", refusal: open.refusal };
    return {
      kind: "read",
      async run() {
        const git = await openGit(gate);
        if (git === null) return result("error", "This folder is not in a git repository.");
        if (action === "status") return status(git, signal);
        return diff(git, action === "diff" ? "worktree" : "staged", signal);
      },
    };
  },
};

async function status(git: Git, signal: AbortSignal): Promise<ToolResult> {
  const answer = await git.status(signal);
  return answer.ok
    ? result("ok", statusText(answer.value))
    : result(answer.refusal.outcome, answer.refusal.message);
}

async function diff(git: Git, kind: "worktree" | "staged", signal: AbortSignal): Promise<ToolResult> {
  const answer = await git.diff(kind, signal);
  if (!answer.ok) return result(answer.refusal.outcome, answer.refusal.message);
  if (answer.value !== "") return result("ok", answer.value);
  return result("ok", kind === "staged" ? "Nothing is staged." : "No unstaged changes in tracked files.");
}

/** As `git status --short --branch`, and with words where there is nothing. */
function statusText({ branch, entries, leftOut }: GitStatus): string {
  const shown = entries.slice(0, maxEntries).map(({ code, path, from }) => {
    return `${code} ${from === undefined ? "" : `${safeLine(from)} -> `}${safeLine(path)}`;
  });
  const more = entries.length - shown.length;
  return [
    `On ${branch.startsWith("detached") ? "no branch, " : "branch "}${safeLine(branch)}`,
    ...(entries.length === 0 && leftOut === 0 ? ["Nothing changed: the working tree is clean."] : shown),
    ...(more > 0 ? [`(${more} more changed paths)`] : []),
    ...(leftOut > 0 ? [`(${leftOut} protected ${leftOut === 1 ? "path" : "paths"} left out)`] : []),
  ].join("\n");
}
