// Pure: ripgrep's JSON events to lines that are short enough to show. Used by search.ts.
import * as z from "zod";

/** Longer lines are cut around their first match. */
const lineLimit = 200;

const textSchema = z.union([
  z.object({ text: z.string() }).transform(({ text }) => text),
  z.object({ bytes: z.string() }).transform(({ bytes }) => Buffer.from(bytes, "base64").toString()),
]);
const lineSchema = z.object({
  lines: textSchema,
  line_number: z.number(),
  submatches: z.array(z.object({ start: z.number(), end: z.number() })),
});
const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("begin"), data: z.object({ path: textSchema }) }),
  z.object({ type: z.literal("match"), data: lineSchema }),
  z.object({ type: z.literal("context"), data: lineSchema }),
  z.object({ type: z.literal("end"), data: z.object({ binary_offset: z.number().nullable() }) }),
  z.object({ type: z.literal("summary") }),
]);
export type SearchEvent = z.infer<typeof eventSchema>;

export interface SearchLine {
  number: number;
  /** False for a line of context. */
  match: boolean;
  text: string;
}

/** An event with a line in it is several times as long as the line. */
const maxEventBytes = 2 * 1024 * 1024;
const LF = 10;

/**
 * Takes ripgrep's output in pieces of any size. Of an event over 2 MB only its beginning comes, to `onLong`: a file of one line
 * must not be held whole, with every match in it.
 */
export function eventReader(
  onEvent: (event: SearchEvent) => void,
  onLong: (beginning: string) => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;

  function add(part: Buffer): void {
    if (size <= maxEventBytes) parts.push(part);
    size += part.length;
  }

  function end(): void {
    const [first] = parts;
    if (size > maxEventBytes) onLong(first?.toString("latin1", 0, 40) ?? "");
    else if (size > 0) onEvent(eventSchema.parse(JSON.parse(Buffer.concat(parts).toString())));
    parts = [];
    size = 0;
  }

  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      add(chunk.subarray(from, at));
      end();
      from = at + 1;
    }
    add(chunk.subarray(from));
  };
}

/** The line as it is shown. */
export function searchLine({ type, data }: Extract<SearchEvent, { type: "match" | "context" }>): SearchLine {
  const line = data.lines.replace(/\r?\n$/, "");
  const [first] = data.submatches;
  return {
    number: data.line_number,
    match: type === "match",
    text: cut(line, first?.start ?? 0, first?.end ?? 0),
  };
}

/** At most 200 characters of the line, with the match from byte `start` to `end` in them, and marks where something is missing. */
function cut(line: string, start: number, end: number): string {
  if (line.length <= lineLimit) return line;
  const bytes = Buffer.from(line);
  const matchStart = bytes.subarray(0, start).toString().length;
  const matchLength = bytes.subarray(start, end).toString().length;
  const before = Math.max(0, Math.floor((lineLimit - matchLength) / 2));
  const from = whole(line, Math.max(0, Math.min(matchStart - before, line.length - lineLimit)));
  const to = whole(line, from + lineLimit);
  const marked = `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
  return `${marked} (line of ${line.length} characters)`;
}

/** The position, or the one before it when it would split a surrogate pair. */
function whole(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at - 1 : at;
}
