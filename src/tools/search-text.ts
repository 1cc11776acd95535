// The search_text tool: lines by content. In every tool set.
import * as z from "zod";
import { safeLine } from "../policy/safe-text.ts";
import { findFiles } from "../workspace/find.ts";
import type { PathGate } from "../workspace/path-gate.ts";
import { type FileHits, maxLines, maxMatches, type SearchResult, searchText } from "../workspace/search.ts";
import { result, type Tool } from "./contract.ts";

const input = z.strictObject({
  pattern: z.string().min(1).describe("regex"),
  path: z.string().optional(),
  glob: z.string().min(1).optional(),
  literal: z.boolean().optional(),
  ignore_case: z.boolean().optional(),
  context: z.int().min(0).max(5).optional(),
});
type Input = z.infer<typeof input>;

const maxNames = 3;

export const searchTextTool: Tool<Input> = {
  name: "search_text",
  description:
    "Search file contents line by line; answers path:line: text. path: file or folder; glob: e.g. *.ts; context: lines around. Leaves out ignored files and node_modules.",
  input,
  effect: "read",
  limits: `${maxMatches} hits, ${maxLines} lines with context`,
  label: ({ pattern, path, glob }) => {
    return `search ${pattern}${path === undefined ? "" : ` in ${path}`}${glob === undefined ? "" : ` (${glob})`}`;
  },
  async prepare(wanted, { gate, signal }) {
    const resolved = await gate.resolve(wanted.path ?? ".");
    if (!resolved.ok) return { kind: "refused", refusal: resolved.refusal };
    const { pattern, glob, literal = false, ignore_case: ignoreCase = false, context = 0 } = wanted;
    return {
      kind: "read",
      paths: [resolved.value],
      trees: [resolved.value],
      async run() {
        const query = { pattern, path: resolved.value, glob, literal, ignoreCase, context };
        const found = await searchText(gate, query, signal);
        if (!found.ok) return result(found.refusal.outcome, found.refusal.message);
        const { matches } = found.value;
        const lines =
          matches === 0 && found.value.tooLong.length === 0
            ? [await noMatch(gate, wanted, found.value, signal)]
            : hitLines(found.value);
        return result("ok", [...lines, ...notes(found.value)].join("\n"));
      },
    };
  },
};

function hitLines({ hits, matches, files, shown }: SearchResult): string[] {
  if (matches === 0) return [];
  const total = `${count(matches, "matching line")} in ${count(files, "file")}`;
  const head =
    shown === matches
      ? `${total}:`
      : `${total}; the first ${shown} by path (${matches - shown} left out; narrow the pattern, path or glob):`;
  return [head, ...hits.flatMap(fileLines)];
}

/** As grep prints them: ":" for a match, "-" for context, "--" where lines are missing in between. */
function fileLines({ path, lines }: FileHits): string[] {
  const name = safeLine(path);
  const around = lines.some(({ match }) => !match);
  return lines.flatMap(({ number, match, text }, i) => {
    const mark = match ? ":" : "-";
    const before = lines[i - 1]?.number ?? number - 1;
    const line = `${name}${mark}${number}${mark} ${safeLine(text)}`;
    return around && number > before + 1 ? ["--", line] : [line];
  });
}

async function noMatch(
  gate: PathGate,
  { pattern, glob }: Input,
  { place, isFile }: SearchResult,
  signal: AbortSignal,
): Promise<string> {
  const where = `${pattern} in ${place}`;
  if (isFile) return `No matches for ${where}.`;
  const searched = await findFiles(gate, place, glob, signal);
  const files = searched.ok
    ? ` (${count(searched.value.paths.length, "file")}${glob === undefined ? "" : ` like ${glob}`})`
    : "";
  return `No matches for ${where}${files}. Ignored, protected and binary files, node_modules and files over 64 MB are not searched.`;
}

function notes({ binary, tooLong, unread, incomplete }: SearchResult): string[] {
  return [
    ...(binary.length > 0 ? [`(binary, not shown: ${names(binary)})`] : []),
    ...(tooLong.length > 0 ? [`(not counted, matching lines of over 1 MB: ${names(tooLong)})`] : []),
    ...(unread.length > 0 ? [`(could not be read: ${names(unread)})`] : []),
    ...(incomplete
      ? ["(incomplete: stopped at a limit of time or size; give a narrower pattern, path or glob)"]
      : []),
  ];
}

function names(all: readonly string[]): string {
  const shown = all.slice(0, maxNames).map(safeLine);
  return [...shown, ...(all.length > shown.length ? [`${all.length - shown.length} more`] : [])].join(", ");
}

function count(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? "" : "s"}`;
}
