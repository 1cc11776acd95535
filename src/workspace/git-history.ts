// The past, read-only (D2): commits, one commit, a file as it was, who wrote which line, branches. Used by the git tool.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { findCommit } from "./git-commit.ts";
import { diffArgs, type GitDiff, readDiff } from "./git-diff.ts";
import { type BlameLine, parseBlame, parseNameStatus, type StatusEntry } from "./git-output.ts";
import { type Look, listLimit, lookAt } from "./git-session.ts";
import { maxFileBytes, type PathGate } from "./path-gate.ts";

export interface Commit {
  id: string;
  parents: string[];
  /** ISO 8601 with the author's offset. */
  date: string;
  author: string;
  /** Names that point here, as git lists them; "" for none. */
  refs: string;
  /** The first line in a log, the whole message otherwise. */
  message: string;
}

export interface CommitDetails extends Commit {
  /** What it changed inside the workspace, against its first parent; `code` is one letter. */
  files: StatusEntry[];
  /** Number of files that are left out because they are protected or hidden. */
  leftOut: number;
  diff: GitDiff;
}

interface OldFile {
  commit: string;
  bytes: Buffer;
}

export interface Branch {
  name: string;
  current: boolean;
  commit: string;
  date: string;
  subject: string;
}

/** Refs are checked before git sees them; paths are workspace paths that the gate has let through. */
export interface GitHistory {
  /** At most `limit` commits before `ref` (HEAD), of the workspace or of `path`; `more` when older ones follow. */
  log(
    query: { ref?: string; path?: string; limit: number },
    signal: AbortSignal,
  ): Promise<Result<{ commits: Commit[]; more: boolean; shallow: boolean }>>;
  show(ref: string, signal: AbortSignal): Promise<Result<CommitDetails>>;
  /** A regular file's bytes in the commit. */
  fileAt(ref: string, path: string, signal: AbortSignal): Promise<Result<OldFile>>;
  /** Who last changed the lines `start` to `end`, which `contents` must have. Without `ref`, of `contents` as yet uncommitted. */
  blame(
    query: { path: string; ref?: string; contents: Buffer; start: number; end: number },
    signal: AbortSignal,
  ): Promise<Result<BlameLine[]>>;
  /** Local and remote branches, the latest commit first, at most `limit`. */
  branches(limit: number, signal: AbortSignal): Promise<Result<{ branches: Branch[]; more: boolean }>>;
}

const commitFields = ["%H", "%P", "%aI", "%an", "%D"];
const logArgs = ["log", "-z", "--no-show-signature", "--no-mailmap", "--no-patch", "--encoding=UTF-8"];
const branchFields = [
  "%(HEAD)",
  "%(refname)",
  "%(objectname)",
  "%(committerdate:short)",
  "%(contents:subject)",
];
/** What git compares a first commit with: the empty tree's id, by the length of ids. */
const emptyTree = new Map([
  [40, "4b825dc642cb6eb9a060e54bf8d69288fbee4904"],
  [64, "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"],
]);

/** For a workspace that lies in a repository; elsewhere each method refuses. */
export function gitHistory(gate: PathGate): GitHistory {
  function look<T>(signal: AbortSignal, use: (look: Look) => Promise<Result<T>>): Promise<Result<T>> {
    return lookAt(gate, signal, { refs: true }, use);
  }

  return {
    log: ({ ref, path, limit }, signal) =>
      look(signal, async (at) => {
        const id = await findCommit(at, ref);
        if (!id.ok) return id;
        // git leaves out commits that change nothing in "."; at the top of the repository none are to be left out.
        const where = path ?? (at.repository.top === gate.root ? null : ".");
        const found = await commits(at, "%s", [
          `--max-count=${limit + 1}`,
          id.value,
          "--",
          ...(where === null ? [] : [where]),
        ]);
        if (!found.ok) return found;
        const { shallow } = at.shadow;
        return ok({ commits: found.value.slice(0, limit), more: found.value.length > limit, shallow });
      }),

    show: (ref, signal) =>
      look(signal, async (at) => {
        const id = await findCommit(at, ref);
        if (!id.ok) return id;
        const found = await commits(at, "%B", ["--max-count=1", id.value, "--"]);
        if (!found.ok) return found;
        const [commit] = found.value;
        if (commit === undefined) return refuse("error", `Commit ${id.value} cannot be read.`);
        const before = commit.parents[0] ?? emptyTree.get(id.value.length) ?? "";
        // A submodule's commit is compared as a number, without a look into the submodule.
        const range = ["--ignore-submodules=none", "--submodule=short", before, id.value];
        const [named, diff] = await Promise.all([
          at.run([...diffArgs, "--name-status", "-z", ...range, "--", "."], listLimit),
          readDiff(at, gate, range),
        ]);
        if (!named.ok) return named;
        if (!diff.ok) return diff;
        const all = parseNameStatus(named.value.output.toString());
        const files = await visible(all);
        return ok({ ...commit, files, leftOut: all.length - files.length, diff: diff.value });
      }),

    fileAt: (ref, path, signal) =>
      look(signal, async (at) => {
        const commit = await findCommit(at, ref);
        return commit.ok ? fileAt(at, commit.value, path) : commit;
      }),

    blame: ({ path, ref, contents, start, end }, signal) =>
      look(signal, async (at) => {
        const commit = await findCommit(at, ref);
        if (!commit.ok) return commit;
        // git would open the file by its name and follow a linked folder on the way; it gets what the gate has read.
        const copy = join(at.shadow.scratch, "contents");
        if (ref === undefined) await writeFile(copy, contents);
        const what = ref === undefined ? ["--contents", copy] : [commit.value];
        const args = ["blame", "--porcelain", "--encoding=UTF-8", `-L${start},${end}`, ...what, "--", path];
        const ran = await at.run(args, listLimit);
        return ran.ok ? ok(parseBlame(ran.value.output.toString())) : ran;
      }),

    branches: (limit, signal) =>
      look(signal, async (at) => {
        const ran = await at.run(
          [
            "for-each-ref",
            `--count=${limit + 1}`,
            "--sort=-committerdate",
            `--format=${branchFields.join("%00")}`,
            "refs/heads",
            "refs/remotes",
          ],
          listLimit,
        );
        if (!ran.ok) return ran;
        const branches = ran.value.output
          .toString()
          .split("\n")
          .filter((line) => line !== "")
          .map(branchOf);
        return ok({ branches: branches.slice(0, limit), more: branches.length > limit });
      }),
  };

  async function commits(at: Look, message: string, args: readonly string[]): Promise<Result<Commit[]>> {
    const format = `--format=tformat:${[...commitFields, message].join("%x00")}`;
    const ran = await at.run([...logArgs, format, ...args], listLimit);
    return ran.ok ? ok(commitsOf(ran.value.output.toString())) : ran;
  }

  async function visible(entries: readonly StatusEntry[]): Promise<StatusEntry[]> {
    const shown = [];
    for (const entry of entries) {
      const paths = entry.from === undefined ? [entry.path] : [entry.path, entry.from];
      const each = await Promise.all(paths.map((path) => gate.visible(path, false)));
      if (each.every(Boolean)) shown.push(entry);
    }
    return shown;
  }
}

async function fileAt({ run }: Look, commit: string, path: string): Promise<Result<OldFile>> {
  const listed = await run(["ls-tree", "-z", commit, "--", path], listLimit);
  if (!listed.ok) return listed;
  const [, mode, id] = /^(\d+) \w+ ([0-9a-f]+)\t/.exec(listed.value.output.toString()) ?? [];
  const where = `in commit ${commit.slice(0, 8)}`;
  if (id === undefined || path === ".") {
    return refuse("error", path === "." ? "Name a file as path." : `There is no ${path} ${where}.`);
  }
  if (mode !== "100644" && mode !== "100755") {
    const kind = mode === "120000" ? "a symbolic link" : mode === "160000" ? "a submodule" : "a folder";
    return refuse("error", `${path} is ${kind} ${where}, not a file.`);
  }
  const ran = await run(["cat-file", "blob", id], maxFileBytes);
  if (!ran.ok) return ran;
  if (ran.value.cut) return refuse("error", `${path} ${where} is larger than ${maxFileBytes} bytes.`);
  return ok({ commit, bytes: ran.value.output });
}

function commitsOf(output: string): Commit[] {
  const fields = output.split("\0");
  const found: Commit[] = [];
  for (let i = 0; i + commitFields.length < fields.length; i += commitFields.length + 1) {
    const [id = "", parents = "", date = "", author = "", refs = "", message = ""] = fields.slice(i);
    found.push({ id, parents: parents.split(" ").filter(Boolean), date, author, refs, message });
  }
  return found;
}

function branchOf(line: string): Branch {
  const [head, name = "", commit = "", date = "", subject = ""] = line.split("\0");
  return { name: name.replace(/^refs\/(?:heads\/)?/, ""), current: head === "*", commit, date, subject };
}
