// read_many_files: several files in one call, for models that do better with few calls. Each path has its own answer.
import * as z from "zod";
import { type FileState, result, type Tool, type ToolContext, type ToolResult } from "./contract.ts";
import { showFile } from "./read-file.ts";

export const MAX_FILES = 20;
export const MAX_LINES_EACH = 400;
/** Characters of all files together; what is left over is named, to be read alone. */
export const MAX_CHARS_TOGETHER = 50_000;

const input = z.strictObject({ paths: z.array(z.string()).min(1).max(MAX_FILES) });

export const readManyFilesTool: Tool<z.infer<typeof input>> = {
  name: "read_many_files",
  description: `Read up to ${MAX_FILES} text files as read_file does, ${MAX_LINES_EACH} lines of each, 50 KB together. A path that cannot be read does not stop the others.`,
  input,
  effect: "read",
  limits: `${MAX_FILES} files, ${MAX_LINES_EACH} lines each, ${MAX_CHARS_TOGETHER / 1000} KB together`,
  label: ({ paths }) => `read ${paths.join(", ")}`,
  prepare: async ({ paths }, context) => ({ kind: "read", run: () => readAll([...new Set(paths)], context) }),
};

async function readAll(paths: readonly string[], context: ToolContext): Promise<ToolResult> {
  const read = await Promise.all(paths.map((path) => readOne(path, context)));
  const shown: ToolResult[] = [];
  let chars = 0;
  for (const one of read) {
    if (chars + one.content.length > MAX_CHARS_TOGETHER && shown.length > 0) break;
    chars += one.content.length;
    shown.push(one);
  }
  const left = paths.slice(shown.length);
  const texts = shown.map(({ content }) => content);
  if (left.length > 0) texts.push(`Not read, this reply is full: ${left.join(", ")}`);
  const outcome = shown.some((one) => one.outcome === "ok") ? "ok" : (shown[0]?.outcome ?? "error");
  return result(
    outcome,
    texts.join("\n\n"),
    shown.flatMap(({ facts }) => facts),
  );
}

async function readOne(path: string, context: ToolContext): Promise<ToolResult> {
  const resolved = await context.gate.resolve(path);
  if (!resolved.ok) return result(resolved.refusal.outcome, `${path}: ${resolved.refusal.message}`);
  const file = await context.file(resolved.value);
  if (!file.ok) return result(file.refusal.outcome, `${path}: ${file.refusal.message}`);
  return file.value ? head(resolved.value, file.value) : result("error", `${path}: no such file.`);
}

/** A file's first lines, and how to go on when there are more. */
function head(path: string, file: FileState): ToolResult {
  const whole = showFile(path, file);
  const isLong = whole.facts.some((fact) => fact.type === "file_read" && fact.lines[1] > MAX_LINES_EACH);
  if (!isLong) return whole;
  const { outcome, content, facts } = showFile(path, file, 1, MAX_LINES_EACH);
  const next = JSON.stringify({ path, start: MAX_LINES_EACH + 1 });
  return result(outcome, `${content}\n… go on with read_file ${next}`, facts);
}
