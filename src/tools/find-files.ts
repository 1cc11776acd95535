// The find_files tool: files by name. In every tool set.
import * as z from "zod";
import { safeLine } from "../policy/safe-text.ts";
import { type Found, findFiles } from "../workspace/find.ts";
import type { PathGate } from "../workspace/path-gate.ts";
import { result, type Tool } from "./contract.ts";

const input = z.strictObject({
  pattern: z.string().min(1).describe("glob; without / it matches at any depth"),
  path: z.string().optional(),
});
type Input = z.infer<typeof input>;

const maxPaths = 200;

export const findFilesTool: Tool<Input> = {
  name: "find_files",
  description:
    "Find files by name, e.g. *.test.ts or src/**/*.{js,ts}, below path (default: all). Leaves out ignored files and node_modules.",
  input,
  effect: "read",
  limits: `${maxPaths} paths`,
  label: ({ pattern, path }) => `find ${pattern}${path === undefined ? "" : ` in ${path}`}`,
  async prepare({ pattern, path = "." }, { gate, signal }) {
    const resolved = await gate.resolve(path);
    if (!resolved.ok) return { kind: "refused", refusal: resolved.refusal };
    return {
      kind: "read",
      paths: [resolved.value],
      async run() {
        const found = await findFiles(gate, resolved.value, pattern, signal);
        if (!found.ok) return result(found.refusal.outcome, found.refusal.message);
        if (found.value.paths.length > 0) return result("ok", foundText(found.value));
        return result("ok", await nothingText(gate, pattern, found.value, signal));
      },
    };
  },
};

function foundText({ paths, incomplete }: Found): string {
  const shown = paths.slice(0, maxPaths).map(safeLine);
  const more = paths.length - shown.length;
  return [
    ...shown,
    ...(more > 0 ? [`(${more} more; narrow the pattern or the path)`] : []),
    ...(incomplete ? ["(incomplete: the time limit was reached)"] : []),
  ].join("\n");
}

async function nothingText(
  gate: PathGate,
  pattern: string,
  { folder, incomplete }: Found,
  signal: AbortSignal,
): Promise<string> {
  if (incomplete) return "No file found before the time limit was reached; give a narrower path.";
  const all = await findFiles(gate, folder, undefined, signal);
  const among = all.ok
    ? `none of ${all.value.paths.length} files in ${folder} matches ${pattern}`
    : "none found";
  return `No files: ${among}. (Ignored and protected files and node_modules do not count.)`;
}
