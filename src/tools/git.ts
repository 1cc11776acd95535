// The git tool: the state, the differences and the past of the repository, read-only. In every tool set.
import * as z from "zod";
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { type Git, openGit } from "../workspace/git.ts";
import { checkRef } from "../workspace/git-commit.ts";
import { type GitHistory, gitHistory } from "../workspace/git-history.ts";
import type { PathGate } from "../workspace/path-gate.ts";
import { result, type Tool } from "./contract.ts";
import {
  blameText,
  branchesText,
  commitText,
  diffText,
  linesOf,
  linesText,
  logText,
  maxChars,
  maxEntries,
  maxLines,
  statusText,
} from "./git-text.ts";

const maxCommits = 50;
const usualCommits = 20;
const maxBranches = 50;

const input = z.strictObject({
  action: z.enum(["status", "diff", "staged_diff", "log", "show", "blame", "branches"]),
  path: z.string().optional(),
  ref: z.string().optional(),
  start: z.int().min(1).optional(),
  end: z.int().min(1).optional(),
  limit: z.int().min(1).max(maxCommits).optional(),
});
type Input = z.infer<typeof input>;
type Action = Input["action"];

/** What each action takes; anything else is refused and not ignored. */
const takes: Readonly<Record<Action, readonly Exclude<keyof Input, "action">[]>> = {
  status: [],
  diff: ["path"],
  staged_diff: ["path"],
  log: ["path", "ref", "limit"],
  show: ["ref", "path", "start", "end"],
  blame: ["path", "ref", "start", "end"],
  branches: [],
};

interface Open {
  gate: PathGate;
  git: Git;
  history: GitHistory;
  signal: AbortSignal;
}

export const gitTool: Tool<Input> = {
  name: "git",
  description:
    "Read-only git. diff: unstaged; log: of path, up to ref; show: commit ref, or path as of ref; blame: lines start-end of path.",
  input,
  effect: "read",
  limits: `${maxEntries} paths, ${maxCommits} commits, ${maxBranches} branches, ${maxLines} lines, ${maxChars / 1000} KB, 10 s`,
  label,
  async prepare(asked, { gate, signal }) {
    const form = checkForm(asked);
    if (!form.ok) return { kind: "refused", refusal: form.refusal };
    const at = await gate.resolve(asked.path ?? ".");
    if (!at.ok) return { kind: "refused", refusal: at.refusal };
    const request = asked.path === undefined ? asked : { ...asked, path: at.value };
    return {
      kind: "read",
      paths: asked.path === undefined ? [] : [at.value],
      trees: showsContent(asked) ? [at.value] : [],
      async run() {
        const git = await openGit(gate);
        if (git === null) return result("error", "This folder is not in a git repository.");
        const answer = await answerTo(request, { gate, git, history: gitHistory(gate), signal });
        return answer.ok
          ? result("ok", answer.value)
          : result(answer.refusal.outcome, answer.refusal.message);
      },
    };
  },
};

/** E.g. `git log src/a.ts`, `git show HEAD~1:src/a.ts`, `git blame src/a.ts:1-40`. */
/** Whether it shows what is in the files below its path; a file that it names is in its paths. */
function showsContent({ action, path }: Input): boolean {
  return action === "diff" || action === "staged_diff" || (action === "show" && path === undefined);
}

function label({ action, path, ref, start, end }: Input): string {
  const lines = start || end ? `:${start ?? 1}-${end ?? ""}` : "";
  const what = path === undefined ? "" : `${path}${lines}`;
  if (action === "show") return `git show ${ref ?? "HEAD"}${what === "" ? "" : `:${what}`}`;
  const words = [action === "staged_diff" ? "diff --staged" : action, ref ?? "", what];
  return `git ${words.filter(Boolean).join(" ")}`;
}

/** What the fields alone can tell; git does not run for what is refused here. */
function checkForm(asked: Input): Result<null> {
  const { action, path, ref, start, end } = asked;
  for (const field of ["path", "ref", "start", "end", "limit"] as const) {
    if (asked[field] !== undefined && !takes[action].includes(field)) {
      const fields = takes[action].length === 0 ? "nothing more" : takes[action].join(", ");
      return refuse("invalid", `${action} takes no ${field}; it takes ${fields}.`);
    }
  }
  if (action === "blame" && path === undefined) return refuse("invalid", "blame needs path.");
  if (action === "show" && path === undefined && (start ?? end) !== undefined) {
    return refuse("invalid", "show takes start and end only with path.");
  }
  if (start !== undefined && end !== undefined && end < start) {
    return refuse("invalid", `end (${end}) comes before start (${start}).`);
  }
  const checked = ref === undefined ? ok(ref) : checkRef(ref);
  return checked.ok ? ok(null) : checked;
}

async function answerTo(asked: Input, open: Open): Promise<Result<string>> {
  const { git, history, signal } = open;
  switch (asked.action) {
    case "status":
      return map(await git.status(signal), statusText);
    case "diff":
    case "staged_diff":
      return diff(asked, open);
    case "log":
      return log(asked, open);
    case "show":
      if (asked.path !== undefined) return fileThen(asked.path, asked, open);
      return map(await history.show(asked.ref ?? "HEAD", signal), commitText);
    case "blame":
      return blame(asked.path ?? ".", asked, open);
    case "branches":
      return map(await history.branches(maxBranches, signal), ({ branches, more }) =>
        branchesText(branches, more),
      );
  }
}

async function diff({ action, path }: Input, { git, signal }: Open): Promise<Result<string>> {
  const staged = action === "staged_diff";
  const answer = await git.diff(staged ? "staged" : "worktree", signal, path);
  return map(answer, (found) => {
    const text = diffText(found, "Name one as path to see it.");
    if (text !== "") return text;
    const where = path === undefined ? "" : ` in ${path}`;
    return staged ? `Nothing is staged${where}.` : `No unstaged changes in tracked files${where}.`;
  });
}

async function log(
  { path, ref, limit = usualCommits }: Input,
  { history, signal }: Open,
): Promise<Result<string>> {
  const answer = await history.log(
    { limit, ...(path === undefined ? {} : { path }), ...(ref === undefined ? {} : { ref }) },
    signal,
  );
  return map(answer, ({ commits, more, shallow }) => {
    const last = commits.at(-1);
    if (last === undefined) return `No commits${path === undefined ? "" : ` of ${path}`} found.`;
    if (more) return logText(commits, `(older commits: log with ref ${last.id.slice(0, 10)}~1)`);
    return logText(commits, shallow ? "(shallow clone: older commits are missing)" : "");
  });
}

/** show with a path: the file as it was. */
async function fileThen(
  path: string,
  { ref = "HEAD", start = 1, end }: Input,
  { history, signal }: Open,
): Promise<Result<string>> {
  const file = await history.fileAt(ref, path, signal);
  if (!file.ok) return file;
  const name = `${path} in ${file.value.commit.slice(0, 10)}`;
  return map(rangeOf(name, file.value.bytes, start, end), (range) => linesText(name, range.all, range));
}

async function blame(
  path: string,
  { ref, start = 1, end }: Input,
  { gate, history, signal }: Open,
): Promise<Result<string>> {
  const contents = await bytesOf(path, ref, gate, history, signal);
  if (!contents.ok) return contents;
  const lines = rangeOf(path, contents.value, start, end);
  if (!lines.ok) return lines;
  const { all, to, wanted } = lines.value;
  if (all.length === 0) return ok(`${path} · empty`);
  const query = { path, contents: contents.value, start, end: to, ...(ref === undefined ? {} : { ref }) };
  return map(await history.blame(query, signal), (rows) => blameText(path, rows, all.length, wanted));
}

/** The file as it is, or as it was in a commit. */
async function bytesOf(
  path: string,
  ref: string | undefined,
  gate: PathGate,
  history: GitHistory,
  signal: AbortSignal,
): Promise<Result<Buffer>> {
  if (ref !== undefined) return map(await history.fileAt(ref, path, signal), ({ bytes }) => bytes);
  const read = await gate.readFile(path);
  if (!read.ok) return read;
  return read.value === null
    ? refuse("error", `There is no such file: ${path}. With a ref, blame takes the file as of that commit.`)
    : ok(read.value.bytes);
}

interface Range {
  all: string[];
  start: number;
  /** The last line to show. */
  to: number;
  /** The last line that was asked for. */
  wanted: number;
}

function rangeOf(name: string, bytes: Buffer, start: number, end: number | undefined): Result<Range> {
  const all = linesOf(bytes);
  if (all === null) return refuse("error", `${name} is binary (${bytes.length} bytes); it is not shown.`);
  if (start > Math.max(all.length, 1)) {
    return refuse("error", `${name} has ${all.length} lines; there is no line ${start}.`);
  }
  const wanted = Math.min(end ?? all.length, all.length);
  return ok({ all, start, to: Math.min(wanted, start + maxLines - 1), wanted });
}

function map<A, B>(from: Result<A>, to: (value: A) => B): Result<B> {
  return from.ok ? ok(to(from.value)) : from;
}
