// read_output: pages through what a program printed, where its result was too long to be given whole.
import * as z from "zod";
import { safeText } from "../policy/safe-text.ts";
import { framed } from "../policy/untrusted.ts";
import { sha256 } from "../util/hash.ts";
import { countLineEnds } from "./command-output.ts";
import { result, type Tool, type ToolResult } from "./contract.ts";

const MAX_LINES = 1_000;
const MAX_CHARS = 50_000;
const MAX_LINE = 2_000;
const LF = 10;

const input = z.strictObject({
  seq: z.int().min(1).describe("the run's number, as its result names it"),
  start: z.int().min(1).optional().describe("first line"),
});

export const readOutputTool: Tool<z.infer<typeof input>> = {
  name: "read_output",
  description: "Read what an earlier command printed, from a line on, when its result left something out.",
  input,
  effect: "read",
  limits: `${MAX_LINES} lines or ${MAX_CHARS / 1000} KB, lines cut at ${MAX_LINE} characters`,
  label: ({ seq, start = 1 }) => `read output #${seq} from line ${start}`,
  prepare: async ({ seq, start = 1 }, context) => ({
    kind: "read",
    run: async () => {
      const output = await context.outputOf(seq);
      return output === null
        ? result("error", `No command #${seq} has run in this session.`)
        : page(seq, output, start);
    },
  }),
};

function page(seq: number, output: Buffer, start: number): ToolResult {
  if (output.length === 0) return result("ok", `#${seq} printed nothing.`);
  const total = countLines(output);
  if (start > total)
    return result("error", `The output of #${seq} has ${total} lines; there is no line ${start}.`);
  const shown: string[] = [];
  let chars = 0;
  let at = startOfLine(output, start);
  while (shown.length < MAX_LINES && at < output.length) {
    const end = output.indexOf(LF, at);
    const cut = cutLine(output.subarray(at, end < 0 ? undefined : end));
    if (chars + cut.length > MAX_CHARS && shown.length > 0) break;
    shown.push(cut);
    chars += cut.length + 1;
    at = end < 0 ? output.length : end + 1;
  }
  const last = start + shown.length - 1;
  const body = shown.join("\n");
  const head = `output #${seq}, lines ${start} to ${last} of ${total}`;
  const next = JSON.stringify({ seq, start: last + 1 });
  const more = last < total ? `\n… go on with read_output ${next}` : "";
  return result("ok", `${framed(head, body, sha256(body).slice(0, 8))}${more}`);
}

/** No character takes more than four bytes, so of a line without end no more has to be looked at. */
function cutLine(bytes: Buffer): string {
  const line = safeText(bytes.subarray(0, 4 * MAX_LINE).toString());
  if (line.length <= MAX_LINE) return line;
  return `${line.slice(0, MAX_LINE).replace(/[\uD800-\uDBFF]$/, "")}… (line cut, ${bytes.length} bytes)`;
}

function countLines(output: Buffer): number {
  const unfinished = output.at(-1) === LF ? 0 : 1;
  return countLineEnds(output) + unfinished;
}

function startOfLine(output: Buffer, line: number): number {
  let at = 0;
  for (let n = 1; n < line && at < output.length; at++) if (output[at] === LF) n++;
  return at;
}
