// What the git tool's answers look like: everything in them was written by others and is made safe to show. Used by git.ts.
import { decodeText } from "../patch/decode.ts";
import { safeLine, safeText } from "../policy/safe-text.ts";
import type { GitStatus } from "../workspace/git.ts";
import type { GitDiff } from "../workspace/git-diff.ts";
import type { Branch, Commit, CommitDetails } from "../workspace/git-history.ts";
import type { BlameLine, StatusEntry } from "../workspace/git-output.ts";

export const maxEntries = 300;
/** Characters of an answer; the dispatcher cuts blindly what is much longer. */
export const maxChars = 48_000;
/** Lines of a file in one answer. */
export const maxLines = 1_000;
const maxLine = 2_000;
const maxField = 300;
const maxMessage = 4_000;
const maxNamed = 20;

/** As `git status --short --branch`, and with words where there is nothing. */
export function statusText({ branch, entries, leftOut }: GitStatus): string {
  return [
    `On ${branch.startsWith("detached") ? "no branch, " : "branch "}${safeLine(branch)}`,
    ...(entries.length === 0 && leftOut === 0 ? ["Nothing changed: the working tree is clean."] : []),
    ...entryLines(entries, leftOut),
  ].join("\n");
}

function entryLines(entries: readonly StatusEntry[], leftOut: number): string[] {
  const shown = entries.slice(0, maxEntries).map(({ code, path, from }) => {
    return `${code} ${from === undefined ? "" : `${safeLine(from)} -> `}${safeLine(path)}`;
  });
  const more = entries.length - shown.length;
  return [
    ...shown,
    ...(more > 0 ? [`(${more} more changed paths)`] : []),
    ...(leftOut > 0 ? [`(${leftOut} protected ${leftOut === 1 ? "path" : "paths"} left out)`] : []),
  ];
}

/** As many files' diffs as there is room for, and what is left out by name; `hint` says how to see it. */
export function diffText({ parts, cut }: GitDiff, hint: string): string {
  let text = "";
  let next = 0;
  for (; next < parts.length; next++) {
    const part = safeText(parts[next]?.text ?? "");
    if (text.length + part.length > maxChars && next > 0) break;
    text += part.length <= maxChars ? part : `${wholeLines(part)}… (the rest of this file is left out)\n`;
  }
  const left = parts.slice(next).map(({ name }) => safeLine(name));
  const names = `${left.slice(0, maxNamed).join(", ")}${left.length > maxNamed ? ` and ${left.length - maxNamed} more` : ""}`;
  if (left.length > 0) text += `\n(Left out for length: ${names}. ${hint})\n`;
  return cut ? `${text}\n(The diff is longer than 4 MB; the rest is left out.)\n` : text;
}

function wholeLines(text: string): string {
  const cut = text.slice(0, maxChars);
  return cut.slice(0, cut.lastIndexOf("\n") + 1);
}

/** One line each: id, day, author, first line of the message, names that point there. */
export function logText(commits: readonly Commit[], end: string): string {
  const lines = commits.map(({ id, date, author, message, refs }) => {
    const names = refs === "" ? "" : ` (${short(refs)})`;
    return `${id.slice(0, 10)} ${date.slice(0, 10)} ${short(author)}: ${short(message)}${names}`;
  });
  return [...lines, ...(end === "" ? [] : [end])].join("\n");
}

export function commitText({
  id,
  parents,
  date,
  author,
  refs,
  message,
  files,
  leftOut,
  diff,
}: CommitDetails): string {
  const head = `commit ${id}${refs === "" ? "" : ` (${short(refs)})`}\n${short(author)}, ${date}`;
  const merge =
    parents.length > 1
      ? `\nMerge of ${parents.map((parent) => parent.slice(0, 10)).join(" and ")}; what follows is against the first.`
      : "";
  const said = safeText(message.trim());
  const cut = said.length > maxMessage ? `${firstOf(said, maxMessage)}… (message cut)` : said;
  const none = files.length === 0 && leftOut === 0 ? ["It changed nothing in this workspace."] : [];
  const changes = [...none, ...entryLines(files, leftOut)].join("\n");
  const shown = diffText(diff, "show with path gives a file as it was then.");
  return `${head}${merge}\n\n${cut}\n\n${changes}${shown === "" ? "" : `\n\n${shown}`}`;
}

export function branchesText(branches: readonly Branch[], more: boolean): string {
  if (branches.length === 0) return "There are no branches with commits yet.";
  const lines = branches.map(
    ({ name, current, commit, date, subject }) =>
      `${current ? "*" : " "} ${short(name)} ${commit.slice(0, 10)} ${date} ${short(subject)}`,
  );
  return [...lines, ...(more ? [`(only the ${branches.length} with the latest commits)`] : [])].join("\n");
}

/** Lines `start` to `to` of a file, numbered as read_file does; `wanted` is the last one that was asked for. */
export function linesText(
  name: string,
  lines: readonly string[],
  { start, to, wanted }: { start: number; to: number; wanted: number },
): string {
  const rows: Row[] = lines.slice(start - 1, to).map((text, i) => ({ line: start + i, text }));
  return bounded(`${safeLine(name)} · ${count(lines.length)}`, rows, wanted, numbered);
}

/** The lines under a heading for each run of lines of the same commit; `wanted` as in `linesText`. */
export function blameText(name: string, rows: readonly BlameLine[], total: number, wanted: number): string {
  let last: string | undefined;
  return bounded(`${safeLine(name)} · ${count(total)}`, rows, wanted, (row) => {
    const { commit } = row;
    const heading = commit
      ? `${commit.id.slice(0, 10)} ${commit.date} ${short(commit.author)}: ${short(commit.subject)}`
      : "not committed";
    const first = heading === last ? "" : `${heading}\n`;
    last = heading;
    return first + numbered(row);
  });
}

interface Row {
  line: number;
  text: string;
}

function bounded<R extends Row>(
  head: string,
  rows: readonly R[],
  wanted: number,
  show: (row: R) => string,
): string {
  let text = head;
  let last = (rows[0]?.line ?? wanted + 1) - 1;
  for (const row of rows) {
    const next = `\n${show(row)}`;
    if (text.length + next.length > maxChars) break;
    text += next;
    last = row.line;
  }
  return last < wanted ? `${text}\n… ${wanted - last} more lines; go on with start ${last + 1}` : text;
}

function numbered({ line, text }: Row): string {
  return `${line}\t${cutLine(safeText(text.replace(/\r$/, "")))}`;
}

function cutLine(text: string): string {
  if (text.length <= maxLine) return text;
  return `${firstOf(text, maxLine)}… (line cut, ${text.length} characters)`;
}

/** A field on one line, at most 300 characters. */
function short(text: string): string {
  const line = safeLine(text);
  return line.length <= maxField ? line : `${firstOf(line, maxField)}…`;
}

/** The beginning of a text, never with half a character at its end. */
function firstOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

function count(lines: number): string {
  return `${lines} ${lines === 1 ? "line" : "lines"}`;
}

/** A file's lines as git counts them, or null for one that is no text. Bytes that are not UTF-8 become U+FFFD. */
export function linesOf(bytes: Buffer): string[] | null {
  const decoded = decodeText(bytes);
  if (!decoded.ok && decoded.why === "binary") return null;
  const lines = (decoded.ok ? decoded.text : bytes.toString()).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
