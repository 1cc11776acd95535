// write_file: a file's whole text, new or over one that was read, for models that do better with it than with apply_patch.
import * as z from "zod";
import type { Fact } from "../protocol/fact.ts";
import type { Tool } from "./contract.ts";
import { fileText, mustBeSeen, NEW_FILE_MODE } from "./file-change.ts";

const input = z.strictObject({
  path: z.string(),
  content: z.string().describe("the whole text"),
  overwrite: z.boolean().optional().describe("replace a file that exists and that you have read"),
  reason: z.string(),
});

export const writeFileTool: Tool<z.infer<typeof input>> = {
  name: "write_file",
  description:
    "Write a new file; with overwrite, replace one that you have read. Missing folders are made. The user sees the diff first.",
  input,
  effect: "patch",
  limits: "one text file",
  label: ({ path }) => `write ${path}`,
  prepare: async ({ path, content, overwrite = false, reason }, context) => {
    const resolved = await context.gate.resolve(path);
    if (!resolved.ok) return { kind: "refused", refusal: resolved.refusal };
    const file = await context.file(resolved.value);
    if (!file.ok) return { kind: "refused", refusal: file.refusal };
    const bytes = fileText(resolved.value, content);
    if (!bytes.ok) return { kind: "refused", refusal: bytes.refusal };
    const before = file.value;
    const after = { bytes: bytes.value, mode: before?.mode ?? NEW_FILE_MODE };
    const change = { kind: "patch" as const, reason, changes: [{ path: resolved.value, before, after }] };
    if (!before) return change;
    if (!overwrite) {
      const message = `${resolved.value} exists already. Set overwrite: true to replace all of it.`;
      return { kind: "refused", refusal: { outcome: "error", message } };
    }
    const facts: Fact[] = [];
    const stale = mustBeSeen(resolved.value, before, context, facts);
    if (stale) return { kind: "refused", refusal: stale.refusal, facts };
    return change;
  },
};
