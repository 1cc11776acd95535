// Text search over the visible files of the workspace, through ripgrep. Used by the search_text tool.
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { type ProgramEnd, stream } from "./exec.ts";
import type { PathGate } from "./path-gate.ts";
import { complaint, globArgs, openPlace, type Place } from "./ripgrep.ts";
import { eventReader, type SearchEvent, type SearchLine, searchLine } from "./search-output.ts";

export interface SearchQuery {
  /** A regular expression, or text when `literal`. */
  pattern: string;
  /** File or folder. */
  path: string;
  /** Only files with such names (see `globArgs`); counts for a folder only. */
  glob?: string | undefined;
  literal: boolean;
  ignoreCase: boolean;
  /** Lines shown around each match. */
  context: number;
}

export interface FileHits {
  path: string;
  /** In order; numbers jump where lines in between are left out. */
  lines: SearchLine[];
}

export interface SearchResult {
  /** What was searched. */
  place: string;
  isFile: boolean;
  /** By path; holds at most `maxMatches` matching lines and `maxLines` lines. */
  hits: FileHits[];
  /** All matching lines and the files they are in, shown or not. */
  matches: number;
  files: number;
  shown: number;
  /** Files that match and are binary, so not shown. */
  binary: string[];
  /** Files with matches in lines of more than about 1 MB, which are not shown or counted. */
  tooLong: string[];
  /** Files that could not be read, with the reason. */
  unread: string[];
  /** True when a limit of time (20 s) or output ended it. */
  incomplete: boolean;
}

export const maxMatches = 100;
export const maxLines = 400;
/** Matching lines kept while the search runs, so that the first by path are shown whatever order ripgrep comes in. */
const maxKept = 5_000;

const maxFileMb = 64;
/** Of ripgrep's output, which lists every match in a line. Normal searches stay far below. */
const maxOutputBytes = 256 * 1024 * 1024;

const modes = ["--json", "--crlf", `--max-filesize=${maxFileMb}M`, "--no-ignore-messages"];

/** Refuses a broken pattern or path; no match is a result like any other. */
export async function searchText(
  gate: PathGate,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<Result<SearchResult>> {
  if (query.pattern === "") return refuse("invalid", "The pattern is empty.");
  if (/[\r\n]/.test(query.pattern)) {
    return refuse("invalid", "A pattern matches within one line; search for one of its lines.");
  }
  const place = await openPlace(gate, query.path);
  if (!place.ok) return place;
  try {
    // ripgrep itself heeds the limit only for files that it finds.
    if (place.value.fileBytes > maxFileMb * 1024 * 1024) {
      return refuse(
        "error",
        `${place.value.path} is over ${maxFileMb} MB; such files are not searched. Read parts of it.`,
      );
    }
    const plain = await searchIn(place.value, query, [], gate.root, signal);
    // Look-around and backreferences are more than ripgrep's own engine has; it says so.
    return plain === "needs pcre2"
      ? refuseOr(await searchIn(place.value, query, ["--pcre2"], gate.root, signal))
      : plain;
  } finally {
    await place.value.close();
  }
}

function refuseOr<T>(result: Result<T> | "needs pcre2"): Result<T> {
  return result === "needs pcre2" ? refuse("invalid", "The pattern is not a valid regex.") : result;
}

async function searchIn(
  place: Place,
  query: SearchQuery,
  engine: readonly string[],
  root: string,
  signal: AbortSignal,
): Promise<Result<SearchResult> | "needs pcre2"> {
  const options = [
    ...modes,
    ...engine,
    ...(query.literal ? ["--fixed-strings"] : []),
    ...(query.ignoreCase ? ["--ignore-case"] : []),
    ...(query.context > 0 ? [`--context=${query.context}`] : []),
    ...["-e", query.pattern],
  ];
  const globs = query.glob === undefined || place.isFile ? [] : globArgs(query.glob, root);
  const collector = collect(place);
  const end = await stream(place.program(options, globs, signal), collector.take);
  if (end.how === "cancelled") return refuse("cancelled", "Cancelled.");
  if (end.how === "failed") return refuse("error", `The search could not be started: ${end.stderr}`);
  if (end.exit === 2 && !collector.finished()) {
    if (end.stderr.includes("--pcre2")) return "needs pcre2";
    return refuse("invalid", refusedPattern(end.stderr));
  }
  return ok({
    ...(await collector.result()),
    unread: await unreadFiles(place, end),
    incomplete: end.how === "timeout" || end.how === "enough",
  });
}

function refusedPattern(stderr: string): string {
  const what = stderr.includes("parsing glob") ? "glob" : "pattern";
  const help = what === "pattern" ? " For plain text set literal: true." : "";
  return `Not a valid ${what}: ${complaint(stderr)}.${help}`;
}

type Collected = Omit<SearchResult, "unread" | "incomplete">;

interface Collector {
  /** For `stream`: takes a piece of ripgrep's output; false once it is too much. */
  take(chunk: Buffer): boolean;
  /** Whether ripgrep came to its end, so that an exit code of 2 means that some files could not be read. */
  finished(): boolean;
  result(): Promise<Collected>;
}

/** What was seen of one file. */
interface Seen {
  path: string;
  lines: SearchLine[];
  matches: number;
  isLong: boolean;
}

function seen(path: string): Seen {
  return { path, lines: [], matches: 0, isLong: false };
}

function collect(place: Place): Collector {
  const hits: FileHits[] = [];
  const binary: string[] = [];
  const tooLong: string[] = [];
  let finished = false;
  let file = seen("");
  let matches = 0;
  let files = 0;
  let kept = 0;
  let settled = Promise.resolve();

  function onEvent(event: SearchEvent): void {
    switch (event.type) {
      case "begin":
        file = seen(place.toWorkspace(event.data.path));
        break;
      case "match":
      case "context":
        if (event.type === "match") file.matches++;
        if (file.matches <= maxMatches && file.lines.length < maxLines) file.lines.push(searchLine(event));
        break;
      case "end": {
        const ended = file;
        file = seen("");
        const isBinary = event.data.binary_offset !== null;
        settled = settled.then(() => settle(ended, isBinary));
        break;
      }
      case "summary":
        finished = true;
    }
  }

  function onLong(beginning: string): void {
    if (beginning.startsWith('{"type":"match"')) file.isLong = true;
  }

  async function settle(ended: Seen, isBinary: boolean): Promise<void> {
    if (!(await place.holds(ended.path))) return;
    if (isBinary) {
      binary.push(ended.path);
      return;
    }
    if (ended.isLong) tooLong.push(ended.path);
    if (ended.matches === 0) return;
    matches += ended.matches;
    files++;
    if (kept >= maxKept) return;
    kept += ended.matches;
    hits.push({ path: ended.path, lines: ended.lines });
  }

  const read = eventReader(onEvent, onLong);
  let room = maxOutputBytes;
  return {
    take(chunk) {
      read(chunk);
      room -= chunk.length;
      return room > 0;
    },
    finished: () => finished,
    async result() {
      if (file.isLong) tooLong.push(file.path);
      await settled;
      hits.sort((a, b) => (a.path < b.path ? -1 : 1));
      const first = firstLines(hits);
      const shown = first.flatMap(({ lines }) => lines.filter(({ match }) => match)).length;
      return {
        place: place.path,
        isFile: place.isFile,
        hits: first,
        matches,
        files,
        shown,
        binary: binary.sort(),
        tooLong: tooLong.sort(),
      };
    },
  };
}

/** As many of the hits as may be shown. */
function firstLines(hits: readonly FileHits[]): FileHits[] {
  const shown: FileHits[] = [];
  let matchesLeft = maxMatches;
  let linesLeft = maxLines;
  for (const { path, lines } of hits) {
    const room: SearchLine[] = [];
    for (const line of lines) {
      if (linesLeft === 0 || (line.match && matchesLeft === 0)) break;
      if (line.match) matchesLeft--;
      linesLeft--;
      room.push(line);
    }
    if (room.some(({ match }) => match)) shown.push({ path, lines: room });
  }
  return shown;
}

/** Of what ripgrep complained about, the files that may be named. */
async function unreadFiles(place: Place, { stderr }: ProgramEnd): Promise<string[]> {
  const unread: string[] = [];
  for (const [, printed, reason] of stderr.matchAll(/^rg: (.+?): (.+?)(?: \(os error \d+\))?$/gm)) {
    if (printed === undefined) continue;
    const path = place.toWorkspace(printed);
    if (await place.holds(path)) unread.push(`${path}: ${reason}`);
  }
  return unread;
}
