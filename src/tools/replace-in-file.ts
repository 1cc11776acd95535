// replace_in_file: one replacement in one file, for models that do better with it than with apply_patch.
import * as z from "zod";
import { applyEdits } from "../patch/edit.ts";
import type { Fact } from "../protocol/fact.ts";
import type { Tool } from "./contract.ts";
import { mustBeSeen } from "./file-change.ts";

const input = z.strictObject({
  path: z.string(),
  old: z.string().describe("exact text of the file"),
  new: z.string(),
  expected: z.int().min(1).optional().describe("how often old occurs; 1 by default"),
  all: z.boolean().optional().describe("replace every occurrence, however many"),
  reason: z.string(),
});

export const replaceInFileTool: Tool<z.infer<typeof input>> = {
  name: "replace_in_file",
  description:
    "Replace exact text of a file you have read. Nothing is written when it occurs more or less often than expected; the user sees the diff first.",
  input,
  effect: "patch",
  limits: "one text file",
  label: ({ path }) => `replace in ${path}`,
  prepare: async ({ path, old, new: replacement, expected, all, reason }, context) => {
    const resolved = await context.gate.resolve(path);
    if (!resolved.ok) return { kind: "refused", refusal: resolved.refusal };
    const file = await context.file(resolved.value);
    if (!file.ok) return { kind: "refused", refusal: file.refusal };
    const before = file.value;
    if (!before) {
      const message = `${resolved.value}: no such file. Use find_files to look for it.`;
      return { kind: "refused", refusal: { outcome: "error", message } };
    }
    const facts: Fact[] = [];
    const stale = mustBeSeen(resolved.value, before, context, facts);
    if (stale) return { kind: "refused", refusal: stale.refusal, facts };
    const edited = applyEdits(before.bytes, [{ old, new: replacement, all, expected }]);
    if (!edited.ok) {
      const { outcome, message } = edited.refusal;
      return { kind: "refused", refusal: { outcome, message: `${resolved.value}: ${message}` } };
    }
    const after = { bytes: edited.value, mode: before.mode };
    return { kind: "patch", reason, changes: [{ path: resolved.value, before, after }] };
  },
};
