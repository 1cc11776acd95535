// Git, read-only and without running anything of the repository's (D2): branch, status, diff, tracked files.
// Used by the git tool, the receipt, the tree and the header. See git-shadow.ts for how.
import { lstat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { safeLine } from "../policy/safe-text.ts";
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { AppError } from "../util/errors.ts";
import { parseStatus, type StatusEntry, splitDiff } from "./git-output.ts";
import { findGit, runGit } from "./git-program.ts";
import { findRepository, type Head, type Repository } from "./git-repository.ts";
import { type Shadow, withShadow } from "./git-shadow.ts";
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
  /**
   * The diff of worktree against index or of index against HEAD as git prints it, "" when there is none. A protected or
   * hidden file's part is one line that says so. Cut at 4 MB, with a line that says so.
   */
  diff(kind: "worktree" | "staged", signal: AbortSignal): Promise<Result<string>>;
  /**
   * Tracked regular files whose content git knows to be the index's without reading them: workspace path to
   * "file <object id>" or "program <object id>".
   */
  unchangedFiles(signal: AbortSignal): Promise<Result<Map<string, string>>>;
  /** Workspace paths of the tracked files, protected ones included; submodules are none. */
  trackedFiles(signal: AbortSignal): Promise<Result<string[]>>;
}

const listLimit = 64 * 1024 * 1024;
const diffLimit = 4 * 1024 * 1024;

const hardened = ["--no-pager", "--no-optional-locks", "--literal-pathspecs"];
const statusArgs = [
  "status",
  "--porcelain=v2",
  "-z",
  "--untracked-files=normal",
  "--ignore-submodules=all",
  "--renames",
];
const diffArgs = [
  "diff",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--ignore-submodules=all",
  "--relative",
];
const prefixArgs = ["--src-prefix=a/", "--dst-prefix=b/"];

/** The tree is taken around every effect; while the index is the same file, the list of tracked files is too. */
const listedFiles = new WeakMap<PathGate, { index: string; paths: string[] }>();

/** Null when the workspace lies in no repository. One that must not be read is an answer of each method. */
export async function openGit(gate: PathGate): Promise<Git | null> {
  const found = await attempt(async () => ok(await findRepository(gate.root)));
  if (found.ok && found.value === null) return null;

  /** Looks at the repository afresh, so that what changed since the last call is checked as well. */
  async function inShadow<T>(
    signal: AbortSignal,
    use: (shadow: Shadow, repository: Repository, git: string) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const done = await attempt(async () => {
      const repository = await findRepository(gate.root);
      if (repository === null) return refuse("error", "This folder is not in a git repository any more.");
      const git = await findGit(gate.root);
      return withShadow(repository, git, signal, (shadow) => use(shadow, repository, git));
    });
    return !done.ok && signal.aborted ? refuse("cancelled", "Cancelled.") : done;
  }

  async function run(
    { env, partial }: Shadow,
    git: string,
    args: readonly string[],
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<Result<{ output: string; cut: boolean }>> {
    const ran = await runGit({
      git,
      args: [...hardened, ...args, "--", "."],
      cwd: gate.root,
      env,
      maxBytes,
      signal,
    });
    if (ran.ok || ran.refusal.outcome !== "error" || !partial) return ran;
    return refuse(
      "error",
      `${ran.refusal.message} This is a partial clone; MiniCode never fetches what it lacks.`,
    );
  }

  async function branch(): Promise<string | null> {
    const head = await inShadow(new AbortController().signal, async (shadow) => ok(shadow.head));
    return head.ok ? branchName(head.value) : null;
  }

  function status(signal: AbortSignal): Promise<Result<GitStatus>> {
    return inShadow(signal, async (shadow, { top }, git) => {
      const ran = await run(shadow, git, statusArgs, listLimit, signal);
      if (!ran.ok) return ran;
      const prefix = relative(top, gate.root).split(sep).join("/");
      const all = parseStatus(ran.value.output).map((entry) => fromTop(entry, prefix));
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

  function diff(kind: "worktree" | "staged", signal: AbortSignal): Promise<Result<string>> {
    return inShadow(signal, async (shadow, _, git) => {
      const args = [...diffArgs, ...prefixArgs, ...(kind === "staged" ? ["--cached"] : [])];
      const ran = await run(shadow, git, args, diffLimit, signal);
      if (!ran.ok) return ran;
      const parts = await Promise.all(splitDiff(ran.value.output).map(shownPart));
      const more = ran.value.cut ? "\n(The diff is longer than 4 MB; the rest is left out.)\n" : "";
      return ok(parts.join("") + more);
    });
  }

  async function shownPart({ paths, text }: { paths: string[] | null; text: string }): Promise<string> {
    if (paths === null) return "(one file's diff left out: its name could not be read)\n";
    const hidden = [];
    for (const path of paths) if (!(await gate.visible(path, false))) hidden.push(safeLine(path));
    return hidden.length === 0 ? text : `(diff left out, protected: ${hidden.join(", ")})\n`;
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
    return inShadow(signal, async (shadow, _, git) => {
      const ran = await run(shadow, git, ["ls-files", "--cached", "--stage", "-z"], listLimit, signal);
      if (!ran.ok) return ran;
      const records = ran.value.output
        .split("\0")
        .filter((record) => record !== "" && !record.startsWith("160000 "));
      return ok([...new Set(records.map((record) => record.slice(record.indexOf("\t") + 1)))]);
    });
  }

  function unchangedFiles(signal: AbortSignal): Promise<Result<Map<string, string>>> {
    return inShadow(signal, async (shadow, _, git) => {
      const staged = await run(shadow, git, ["ls-files", "--cached", "--stage", "-z"], listLimit, signal);
      if (!staged.ok) return staged;
      const modified = await run(shadow, git, ["ls-files", "--modified", "-z"], listLimit, signal);
      if (!modified.ok) return modified;
      const changed = new Set(modified.value.output.split("\0"));
      const files = new Map<string, string>();
      for (const record of staged.value.output.split("\0")) {
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

/** A refusal for what git-*.ts throws. */
async function attempt<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return refuse("error", safeLine(error.message));
    throw error;
  }
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
