// read_file: numbered lines of one text file, with what a later edit needs to know in the first line.
import * as z from "zod";
import { type Decoded, decodeText } from "../patch/decode.ts";
import type { FactOf } from "../protocol/fact.ts";
import { type FileState, result, type Tool, type ToolResult } from "./contract.ts";

const MAX_LINES = 2_000;
const MAX_CHARS = 50_000;
const MAX_LINE = 2_000;

const input = z.strictObject({
  path: z.string(),
  start: z.int().min(1).optional().describe("first line"),
  end: z.int().min(1).optional().describe("last line"),
});

export const readFileTool: Tool<z.infer<typeof input>> = {
  name: "read_file",
  description:
    "Read a text file, or lines start to end of it. Answers each line as number, TAB, text; at most 2,000 lines or 50 KB, then says how to go on.",
  input,
  effect: "read",
  limits: `${MAX_LINES} lines or ${MAX_CHARS / 1000} KB, lines cut at ${MAX_LINE} characters`,
  label: ({ path, start, end }) => `read ${path}${start || end ? `:${start ?? 1}-${end ?? ""}` : ""}`,
  prepare: async ({ path, start = 1, end }, context) => {
    const resolved = await context.gate.resolve(path);
    if (!resolved.ok) return { kind: "refused", refusal: resolved.refusal };
    return {
      kind: "read",
      paths: [resolved.value],
      run: async () => {
        const file = await context.file(resolved.value);
        if (!file.ok) return result(file.refusal.outcome, file.refusal.message);
        if (file.value) return showFile(resolved.value, file.value, start, end);
        // The gate says what is missing, and what there is instead.
        const opened = await context.gate.openFile(resolved.value);
        if (!opened.ok) return result(opened.refusal.outcome, opened.refusal.message);
        await opened.value.handle.close();
        return result("error", `${resolved.value} is gone.`);
      },
    };
  },
};

/** The file's lines from `start` to `end` (1-based, inclusive) as the model sees them, and the fact that it saw them. */
export function showFile(
  path: string,
  file: FileState,
  start = 1,
  end = Number.POSITIVE_INFINITY,
): ToolResult {
  const decoded = decodeText(file.bytes);
  if (!decoded.ok && decoded.why === "binary") {
    return result("error", `${path} is binary (${file.bytes.length} bytes); it is not shown.`);
  }
  const text = decoded.ok ? decoded.text : foreignText(file.bytes);
  const traits = traitsOf(text, decoded);
  if (text === "") return result("ok", [path, "empty", ...traits].join(" · "), [seen(path, file, 0, 0)]);
  // Lines as the edits count them: a CR that ends no line is ordinary text.
  const all = text.split(/\r?\n/);
  if (all.at(-1) === "") all.pop();
  const count = `${all.length} ${all.length === 1 ? "line" : "lines"}`;
  if (start > all.length) return result("error", `${path} has ${count}; there is no line ${start}.`);
  if (end < start) return result("invalid", `end (${end}) comes before start (${start}).`);
  const shown: string[] = [];
  let chars = 0;
  let cutLines = 0;
  for (let n = start; n <= Math.min(end, all.length); n++) {
    const line = all[n - 1] ?? "";
    const cut = cutLine(line);
    if (shown.length >= MAX_LINES || (chars + cut.length > MAX_CHARS && shown.length > 0)) break;
    if (cut !== line) cutLines++;
    shown.push(`${n}\t${cut}`);
    chars += cut.length + 8;
  }
  const last = start + shown.length - 1;
  const head = [path, count, ...traits, ...(cutLines > 0 ? ["long lines cut"] : [])];
  const more =
    last < Math.min(end, all.length)
      ? `\n… ${all.length - last} more lines; go on with read_file {"path":${JSON.stringify(path)},"start":${last + 1}}`
      : "";
  return result("ok", `${head.join(" · ")}\n${shown.join("\n")}${more}`, [seen(path, file, start, last)]);
}

function seen(path: string, file: FileState, start: number, end: number): FactOf<"file_read"> {
  return { type: "file_read", path, hash: file.hash, lines: [start, end] };
}

/** Text that is not UTF-8, to look at: Windows' UTF-16 as what it says, all else with replacement characters. */
function foreignText(bytes: Buffer): string {
  const [first = 0, second = 0] = bytes;
  const utf16 =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  return new TextDecoder(utf16 ?? "utf-8").decode(bytes);
}

/** What the lines alone do not show and an edit must know. */
function traitsOf(text: string, decoded: Decoded): string[] {
  const crlf = text.includes("\r\n");
  const lf = /(^|[^\r])\n/.test(text);
  return [
    ...(crlf && lf ? ["mixed line endings"] : crlf ? ["CRLF"] : lf ? ["LF"] : []),
    ...(/\r(?!\n)/.test(text) ? ["with lone CRs"] : []),
    ...(decoded.ok && decoded.bom ? ["UTF-8 with BOM"] : []),
    ...(decoded.ok ? [] : ["not UTF-8: cannot be patched"]),
    ...(text === "" || text.endsWith("\n") ? [] : ["no newline at the end"]),
  ];
}

/** A very long line's beginning, never with half a character at its end. */
function cutLine(line: string): string {
  if (line.length <= MAX_LINE) return line;
  const start = line.slice(0, MAX_LINE).replace(/[\uD800-\uDBFF]$/, "");
  return `${start}… (line cut, ${line.length} characters)`;
}
