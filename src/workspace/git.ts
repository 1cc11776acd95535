// Git, read-only and without running anything of the repository's (D2): branch, status, diff, tracked files.
// Used by the git tool, the receipt, the tree and the header. See git-shadow.ts for how, git-history.ts for the past.
import { lstat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ok, type Result } from "../protocol/refusal.ts";
import { type GitDiff, readDiff } from "./git-diff.ts";
import { parseStatus, type StatusEntry } from "./git-output.ts";
import { findRepository, type Head } from "./git-repository.ts";
import { attempt, type Look, listLimit, lookAt } from "./git-session.ts";
import type { PathGate } from "./path-gate.ts";

export interface GitStatus {
  /** "main", "main (no commits yet)" or "detached at 1a2b3c4d". */
  branch: string;
  /** What differs inside the workspace, by workspace path, in git's order. */
  entries: StatusEntry[];
  /** Number of entries that are left out because they are protected or hidden. */
  leftOut: number;
}

export interface Git {
  /** As in `GitStatus`; null when the repository cannot be read. */
  branch(): Promise<string | null>;
  status(signal: AbortSignal): Promise<Result<GitStatus>>;
  /** What differs between worktree and index or between index and HEAD, in all or at `path` (a workspace path). */
  diff(kind: "worktree" | "staged", signal: AbortSignal, path?: string): Promise<Result<GitDiff>>;
  /**
   * Tracked regular files whose content git knows to be the index's without reading them: workspace path to
   * "file <object id>" or "program <object id>".
   */
  unchangedFiles(signal: AbortSignal): Promise<Result<Map<string, string>>>;
  /** Workspace paths of the tracked files, protected ones included; submodules are none. */
  trackedFiles(signal: AbortSignal): Promise<Result<string[]>>;
}

const statusArgs = [
  "status",
  "--porcelain=v2",
  "-z",
  "--untracked-files=normal",
  "--ignore-submodules=all",
  "--renames",
];
const listArgs = ["ls-files", "--cached", "--stage", "-z"];
const here = ["--", "."];

/** The tree is taken around every effect; while the index is the same file, the list of tracked files is too. */
const listedFiles = new WeakMap<PathGate, { index: string; paths: string[] }>();

/** Null when the workspace lies in no repository. One that must not be read is an answer of each method. */
export async function openGit(gate: PathGate): Promise<Git | null> {
  const found = await attempt(async () => ok(await findRepository(gate.root)));
  if (found.ok && found.value === null) return null;

  function inShadow<T>(signal: AbortSignal, use: (look: Look) => Promise<Result<T>>): Promise<Result<T>> {
    return lookAt(gate, signal, { refs: false }, use);
  }

  async function branch(): Promise<string | null> {
    const head = await inShadow(new AbortController().signal, async ({ shadow }) => ok(shadow.head));
    return head.ok ? branchName(head.value) : null;
  }

  function status(signal: AbortSignal): Promise<Result<GitStatus>> {
    return inShadow(signal, async ({ shadow, repository, run }) => {
      const ran = await run([...statusArgs, ...here], listLimit);
      if (!ran.ok) return ran;
      const prefix = relative(repository.top, gate.root).split(sep).join("/");
      const all = parseStatus(ran.value.output.toString()).map((entry) => fromTop(entry, prefix));
      const shown = await Promise.all(all.map(isVisible));
      const entries = all.filter((_, i) => shown[i]);
      return ok({ branch: branchName(shadow.head), entries, leftOut: all.length - entries.length });
    });
  }

  async function isVisible({ path, from }: StatusEntry): Promise<boolean> {
    const isFolder = path.endsWith("/");
    const paths = from === undefined ? [path] : [path, from];
    const visible = paths.map((each) => gate.visible(isFolder ? each.slice(0, -1) : each, isFolder));
    return (await Promise.all(visible)).every(Boolean);
  }

  function diff(kind: "worktree" | "staged", signal: AbortSignal, path?: string): Promise<Result<GitDiff>> {
    const range = ["--ignore-submodules=all", ...(kind === "staged" ? ["--cached"] : [])];
    return inShadow(signal, (look) => readDiff(look, gate, range, path));
  }

  async function trackedFiles(signal: AbortSignal): Promise<Result<string[]>> {
    const index = await indexIdentity(gate.root);
    const known = listedFiles.get(gate);
    if (index !== null && known?.index === index) return ok(known.paths);
    const listed = await listTracked(signal);
    if (listed.ok && index !== null) listedFiles.set(gate, { index, paths: listed.value });
    return listed;
  }

  function listTracked(signal: AbortSignal): Promise<Result<string[]>> {
    return inShadow(signal, async ({ run }) => {
      const ran = await run([...listArgs, ...here], listLimit);
      if (!ran.ok) return ran;
      const records = ran.value.output
        .toString()
        .split("\0")
        .filter((record) => record !== "" && !record.startsWith("160000 "));
      return ok([...new Set(records.map((record) => record.slice(record.indexOf("\t") + 1)))]);
    });
  }

  function unchangedFiles(signal: AbortSignal): Promise<Result<Map<string, string>>> {
    return inShadow(signal, async ({ run }) => {
      const staged = await run([...listArgs, ...here], listLimit);
      if (!staged.ok) return staged;
      const modified = await run(["ls-files", "--modified", "-z", ...here], listLimit);
      if (!modified.ok) return modified;
      const changed = new Set(modified.value.output.toString().split("\0"));
      const files = new Map<string, string>();
      for (const record of staged.value.output.toString().split("\0")) {
        const [, mode, id, path] = /^100(644|755) ([0-9a-f]+) 0\t([\s\S]+)$/.exec(record) ?? [];
        if (path !== undefined && !changed.has(path))
          files.set(path, `${mode === "755" ? "program" : "file"} ${id}`);
      }
      return ok(files);
    });
  }

  return { branch, status, diff, trackedFiles, unchangedFiles };
}

/** The index file as it is now; null when there is none or it cannot be looked at. What is tracked changes only with it. */
async function indexIdentity(root: string): Promise<string | null> {
  const repository = await findRepository(root).catch(() => null);
  if (repository === null) return null;
  const stat = await lstat(join(repository.gitDir, "index"), { bigint: true }).catch(() => null);
  return stat && [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(":");
}

function branchName({ ref, commit }: Head): string {
  if (ref === undefined) return `detached at ${commit?.slice(0, 8)}`;
  const name = ref.slice("refs/heads/".length);
  return commit === undefined ? `${name} (no commits yet)` : name;
}

/** git counts from the top of the repository; we count from the workspace, which may lie inside a folder git knows nothing of. */
function fromTop(entry: StatusEntry, prefix: string): StatusEntry {
  if (prefix === "") return entry;
  const strip = (path: string): string =>
    `${prefix}/`.startsWith(path) ? "./" : path.slice(prefix.length + 1);
  return {
    ...entry,
    path: strip(entry.path),
    ...(entry.from === undefined ? {} : { from: strip(entry.from) }),
  };
}
