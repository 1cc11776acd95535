// Diffs of files: as hunks for proposals, as a git patch, and as a short report for the model. Pure; used by src/tools/,
// src/agent/, src/view/ and src/cli/.
import type { Hunk, PatchFile } from "../protocol/proposal.ts";
import { clipLine } from "./clip-line.ts";
import { decodeText } from "./decode.ts";
import { endOfGitName, gitName } from "./git-name.ts";
import { hunksBetween } from "./hunks.ts";

/** How many rows of diff the model is shown for one call. */
const maxRows = 60;

/**
 * The hunks from `before` to `after` (null where there is no file) with 3 lines of context, and the lines added and
 * removed. Lines are the file's own but for their "\n": a byte order mark, a CR and a missing last newline are part of
 * the comparison and of the hunks. A side that is binary or not UTF-8 has no lines: then there are no hunks and both
 * counts are 0, and the caller says so in the file's notes.
 */
export function diffHunks(
  before: Uint8Array | null,
  after: Uint8Array | null,
): { hunks: Hunk[]; added: number; removed: number } {
  const olds = linesOf(before);
  const news = linesOf(after);
  return olds === null || news === null ? { hunks: [], added: 0, removed: 0 } : hunksBetween(olds, news);
}

/** Lines with their "\n"; the last may be without. Null when the bytes are no text. */
function linesOf(bytes: Uint8Array | null): string[] | null {
  if (bytes === null) return [];
  const decoded = decodeText(bytes);
  if (!decoded.ok) return null;
  const text = decoded.bom ? `\uFEFF${decoded.text}` : decoded.text;
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * A patch as `git diff` writes it, which `git apply` turns into exactly the after-bytes. A file without lines is named
 * with "Binary files … differ", which `git apply` refuses (and then applies nothing of the patch). Empty text for no files.
 */
export function unifiedDiff(files: readonly PatchFile[]): string {
  return files.map((file) => `${gitHeader(file)}${file.hunks.map(gitHunk).join("")}`).join("");
}

function gitHeader(file: PatchFile): string {
  const from = gitName("a/", file.from ?? file.path);
  const to = gitName("b/", file.path);
  const mode = file.mode & 0o100 ? "100755" : "100644";
  const old = file.before === null ? "/dev/null" : from;
  const now = file.after === null ? "/dev/null" : to;
  const rows = [`diff --git ${from} ${to}`];
  if (file.before === null) rows.push(`new file mode ${mode}`);
  if (file.after === null) rows.push(`deleted file mode ${mode}`);
  if (file.from !== undefined)
    rows.push(`rename from ${gitName("", file.from)}`, `rename to ${gitName("", file.path)}`);
  if (file.hunks.length > 0) rows.push(`--- ${old}${endOfGitName(old)}`, `+++ ${now}${endOfGitName(now)}`);
  else if (!hasNoContentChange(file)) {
    // Without an index line git apply skips the file in silence; with one that names no bytes it refuses the patch.
    rows.push("index 0000000..0000000", `Binary files ${old} and ${now} differ`);
  }
  return `${rows.join("\n")}\n`;
}

/** Nothing but the name or the existence of an empty file changes. */
function hasNoContentChange({ before, after }: PatchFile): boolean {
  return before && after ? before.hash === after.hash : (before ?? after)?.size === 0;
}

function gitHunk(hunk: Hunk): string {
  const range = (start: number, count: number): string => (count === 1 ? `${start}` : `${start},${count}`);
  const header = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`;
  return `${header}\n${hunk.lines.join("\n")}\n`;
}

/**
 * What a patch did, for the model that wrote it: a line for each file, and for edited files the changed lines with
 * their context, numbered as in the new file. At most 60 rows of diff over all files; the rest is counted. A byte
 * order mark or CR is shown only where it is what changed.
 */
export function numberedDiff(files: readonly PatchFile[]): string {
  const rows: string[] = [];
  let shown = 0;
  let leftOut = 0;
  for (const file of files) {
    rows.push(headline(file));
    if (file.before === null || file.after === null) continue;
    for (const [i, hunk] of file.hunks.entries()) {
      const hunkRows = numberedRows(hunk);
      const room = Math.max(0, maxRows - shown);
      if (i > 0 && room > 0) rows.push("…");
      rows.push(...hunkRows.slice(0, room).map((row) => row.text));
      leftOut += hunkRows.slice(room).filter((row) => row.changed).length;
      shown += hunkRows.length;
    }
  }
  if (leftOut > 0) rows.push(`… ${leftOut} more changed lines, not shown`);
  return rows.join("\n");
}

function headline(file: PatchFile): string {
  const count = `+${file.added} -${file.removed}`;
  const unseen = file.hunks.length === 0 && !hasNoContentChange(file) ? ", not text" : "";
  if (file.before === null) return `${file.path}: created, ${count}${unseen}`;
  if (file.after === null) return `${file.path}: deleted, ${count}${unseen}`;
  const what = file.from === undefined ? "edited" : `renamed from ${file.from}`;
  return `${file.path}: ${what}, ${count}${unseen}`;
}

function numberedRows(hunk: Hunk): { text: string; changed: boolean }[] {
  const width = String(hunk.newStart + hunk.newLines).length;
  const lines = withoutHidden(hunk);
  let number = hunk.newStart;
  return lines.map((line) => {
    const mark = line[0] ?? " ";
    const place = mark === " " || mark === "+" ? String(number++) : "";
    return {
      text: `${place.padStart(width)} ${mark}${clipLine(line.slice(1))}`,
      changed: mark === "+" || mark === "-",
    };
  });
}

/** The hunk's lines; CRs and byte order marks are dropped where every line has them alike, made visible where not. */
function withoutHidden(hunk: Hunk): string[] {
  const texts = hunk.lines.filter((line) => !line.startsWith("\\"));
  const crs = texts.filter((line) => line.endsWith("\r")).length;
  const cr = crs === texts.length ? "" : "␍";
  const marks = texts.filter((line) => /^[-+]\uFEFF/.test(line)).length;
  const bom = marks === 1 ? "\\u{FEFF}" : "";
  return hunk.lines.map((line) => line.replace(/\r$/, cr).replace(/^([-+ ])\uFEFF/, `$1${bom}`));
}
