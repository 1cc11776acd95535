// apply_patch: edits, new files, deletes and renames over many files, prepared in memory and shown before anything is written.
import * as z from "zod";
import { applyEdits } from "../patch/edit.ts";
import type { Fact } from "../protocol/fact.ts";
import { ok, type Refusal, type Result, refuse } from "../protocol/refusal.ts";
import type { FileChange, FileState, Tool, ToolContext } from "./contract.ts";
import { fileText, mustBeSeen, NEW_FILE_MODE } from "./file-change.ts";
import { layered, overlayOf } from "./overlay.ts";

const change = z.strictObject({
  path: z.string(),
  edits: z
    .array(
      z.strictObject({
        old: z.string().describe("exact text, once in the file"),
        new: z.string(),
        all: z.boolean().optional().describe("replace every occurrence"),
      }),
    )
    .optional(),
  content: z.string().optional().describe("whole text of a new file"),
  delete: z.boolean().optional(),
  rename_to: z.string().optional(),
});

const input = z.strictObject({ changes: z.array(change).min(1), reason: z.string() });
type Change = z.infer<typeof change>;

export const applyPatchTool: Tool<z.infer<typeof input>> = {
  name: "apply_patch",
  description:
    "Change files: per path give edits (replace exact text of a file you have read), content (create), delete or rename_to. All or nothing; the user sees the diff first. Later calls of the same reply see the result.",
  input,
  effect: "patch",
  limits: "text files only, all or nothing",
  label: ({ changes }) => `patch ${[...new Set(changes.map((c) => c.path))].join(", ")}`,
  prepare: async ({ changes, reason }, context) => {
    const overlay = new Map<string, FileState | null>();
    const onTop = layered(context, overlay);
    const done: FileChange[] = [];
    const refusals: Refusal[] = [];
    const facts: Fact[] = [];
    for (const wanted of changes) {
      const prepared = await prepareChange(wanted, onTop, facts);
      if (!prepared.ok) {
        refusals.push(prepared.refusal);
        continue;
      }
      done.push(...prepared.value);
      for (const [path, state] of overlayOf(prepared.value)) overlay.set(path, state);
    }
    const [first] = refusals;
    if (!first) return { kind: "patch", reason, changes: done };
    const message = `${refusals.map((r) => r.message).join("\n\n")}\n\nNothing was written${changes.length > 1 ? ", of any of the changes" : ""}.`;
    return { kind: "refused", refusal: { outcome: first.outcome, message }, facts };
  },
};

async function prepareChange(
  wanted: Change,
  context: ToolContext,
  facts: Fact[],
): Promise<Result<FileChange[]>> {
  const kinds = [wanted.edits, wanted.content, wanted.delete || undefined].filter((k) => k !== undefined);
  if (kinds.length > 1 || (kinds.length === 0 && wanted.rename_to === undefined)) {
    return refuse(
      "invalid",
      `${wanted.path}: give exactly one of edits, content or delete; rename_to may stand alone or with edits.`,
    );
  }
  if (wanted.rename_to !== undefined && (wanted.content !== undefined || wanted.delete)) {
    return refuse("invalid", `${wanted.path}: rename_to goes with edits only.`);
  }
  const path = await context.gate.resolve(wanted.path);
  if (!path.ok) return path;
  const file = await context.file(path.value);
  if (!file.ok) return file;
  if (wanted.content !== undefined) return create(path.value, wanted.content, file.value);
  if (!file.value) {
    return refuse(
      "error",
      `${path.value}: no such file. Use find_files to look for it, or content to create it.`,
    );
  }
  const stale = mustBeSeen(path.value, file.value, context, facts);
  if (stale) return stale;
  if (wanted.delete) return ok([{ path: path.value, before: file.value, after: null }]);
  const edited = wanted.edits ? applyEdits(file.value.bytes, wanted.edits) : ok(file.value.bytes);
  if (!edited.ok) return refuse(edited.refusal.outcome, `${path.value}: ${edited.refusal.message}`);
  const after = { bytes: edited.value, mode: file.value.mode };
  if (wanted.rename_to === undefined) return ok([{ path: path.value, before: file.value, after }]);
  return rename(path.value, wanted.rename_to, file.value, after, context);
}

function create(path: string, content: string, existing: FileState | null): Result<FileChange[]> {
  if (existing) {
    return refuse(
      "error",
      `${path} exists already. Change it with edits; to rewrite it whole, delete it and create it in one call.`,
    );
  }
  const bytes = fileText(path, content);
  return bytes.ok ? ok([{ path, before: null, after: { bytes: bytes.value, mode: NEW_FILE_MODE } }]) : bytes;
}

async function rename(
  from: string,
  target: string,
  before: FileState,
  after: { bytes: Buffer; mode: number },
  context: ToolContext,
): Promise<Result<FileChange[]>> {
  const to = await context.gate.resolve(target);
  if (!to.ok) return to;
  const there = await context.file(to.value);
  if (!there.ok) return there;
  if (there.value) return refuse("error", `${from}: cannot rename, ${to.value} exists already.`);
  return ok([{ path: to.value, from, before, after }]);
}
