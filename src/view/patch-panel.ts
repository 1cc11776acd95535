// The patch panel: what happens to each file, and the whole diff. Used by proposal.ts.
import type { Messages } from "../i18n/messages.ts";
import type { PatchContent, PatchFile } from "../protocol/proposal.ts";
import { diffRows } from "./diff.ts";
import { exactLine, exactRows, failingRows, whyRows } from "./exact.ts";
import { indented, labelled, type Row, span } from "./row.ts";

export function patchPanel(patch: PatchContent, messages: Messages): Row[] {
  const outside = new Set(patch.outsideScope);
  return [
    ...repairRows(patch, messages),
    ...whyRows(patch.reason, messages),
    ...totalRows(patch.files, messages),
    ...patch.files.flatMap((file) => [
      [],
      fileHeader(file, outside.has(file.path) || outside.has(file.from ?? file.path), messages),
      ...indented([...noteRows(file, messages), ...contentRows(file, messages)]),
    ]),
  ];
}

function repairRows({ repair }: PatchContent, messages: Messages): Row[] {
  if (repair === undefined) return [];
  const title = [span(messages["repair.title"](repair.round, repair.of), "warn")];
  return [title, ...failingRows(repair.failing, messages)];
}

function totalRows(files: readonly PatchFile[], messages: Messages): Row[] {
  if (files.length === 1) return [];
  const sum = (part: "added" | "removed") => files.reduce((total, file) => total + file[part], 0);
  return [[span(messages["patch.total"](files.length, sum("added"), sum("removed")), "bold")]];
}

/** `src/a.ts +3 -1 edit`, with where it comes from, unusual permission bits and the badge. */
function fileHeader(file: PatchFile, outside: boolean, messages: Messages): Row {
  const { path, from, before, after, mode, added, removed } = file;
  const what = before === null ? "create" : after === null ? "delete" : "edit";
  const special = after !== null && (mode & 0o7111) !== 0;
  return [
    ...exactLine(path, "bold"),
    span(` +${added}`, "added"),
    span(` -${removed}`, "removed"),
    span(" "),
    ...(from === undefined
      ? [span(messages[`patch.${what}`], what === "delete" ? "error" : "accent")]
      : [span(messages["patch.rename"], "accent"), ...exactLine(from, "bold")]),
    ...(special ? [span(`, ${messages["patch.mode"](mode.toString(8))}`, "warn")] : []),
    ...(outside ? [span(" "), span(`[${messages["patch.outside"]}]`, "warn")] : []),
  ];
}

function noteRows({ notes }: PatchFile, messages: Messages): Row[] {
  return notes.flatMap((note) => labelled(messages["label.note"], exactRows(note, messages, "warn")));
}

function contentRows({ before, after, hunks }: PatchFile, messages: Messages): Row[] {
  if (hunks.length > 0) return diffRows(hunks);
  if (before !== null && before.hash === after?.hash) return [[span(messages["patch.same_content"], "dim")]];
  return [[span(messages["patch.no_lines"](before?.size ?? 0, after?.size ?? 0), "dim")]];
}
