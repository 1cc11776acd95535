// Pure: takes git's machine output apart. Used by git.ts, git-diff.ts and git-history.ts.

export interface StatusEntry {
  /** Two letters as in `git status --short`: index, worktree; "??" for a file git does not know. */
  code: string;
  /** Ends in "/" for a folder of which git knows nothing. */
  path: string;
  /** Where a renamed or copied file was. */
  from?: string;
}

/** Reads `status --porcelain=v2 -z`; headers and ignored entries are left out. */
export function parseStatus(output: string): StatusEntry[] {
  const entries: StatusEntry[] = [];
  const records = output.split("\0");
  for (let i = 0; i < records.length; i++) {
    const record = records[i] ?? "";
    const code = record.slice(2, 4).replaceAll(".", " ");
    if (record.startsWith("? ")) entries.push({ code: "??", path: record.slice(2) });
    else if (record.startsWith("1 ")) entries.push({ code, path: afterFields(record, 8) });
    else if (record.startsWith("u ")) entries.push({ code, path: afterFields(record, 10) });
    else if (record.startsWith("2 ")) {
      entries.push({ code, path: afterFields(record, 9), from: records[++i] ?? "" });
    }
  }
  return entries;
}

/** What comes after `count` blank-separated fields; a path may hold blanks itself. */
function afterFields(record: string, count: number): string {
  return record.split(" ").slice(count).join(" ");
}

export interface DiffPart {
  /** The file's path, and the old one of a rename; null when they could not be told. */
  paths: string[] | null;
  text: string;
}

/**
 * Cuts a diff into one part per file. Lines of content begin with a blank, "+", "-", "\" or "@", never with these words; a
 * line ends with LF alone, since a CR in a protected file must not begin a new part.
 */
export function splitDiff(diff: string): DiffPart[] {
  return diff
    .split(/(?<![^\n])(?=diff --(?:git|cc|combined) |\* Unmerged path )/)
    .filter((text) => text !== "")
    .map((text) => ({ paths: pathsOf(text), text }));
}

function pathsOf(part: string): string[] | null {
  const end = part.search(/(?<=\n)@@/);
  const lines = (end < 0 ? part : part.slice(0, end)).split("\n");
  const first = lines[0] ?? "";
  const alone = /^(?:diff --(?:cc|combined)|\* Unmerged path) (.+)$/s.exec(first)?.[1];
  if (alone !== undefined) return known([unquote(alone)]);
  const moved = lines.flatMap((line) => /^(?:rename|copy) (?:from|to) (.+)$/s.exec(line)?.[1] ?? []);
  if (moved.length > 0) return known(moved.map(unquote));
  return known([samePath(first.slice("diff --git ".length))]);
}

/** The path of `a/PATH b/PATH`, where both sides are the same. */
function samePath(sides: string): string | null {
  const middle = (sides.length - 1) / 2;
  const left = unquote(sides.slice(0, middle));
  const right = unquote(sides.slice(middle + 1));
  if (left === null || right === null || left.slice(2) !== right.slice(2)) return null;
  return left.startsWith("a/") && right.startsWith("b/") ? left.slice(2) : null;
}

function known(paths: (string | null)[]): string[] | null {
  return paths.flatMap((path) => path ?? []).length === paths.length
    ? paths.flatMap((path) => path ?? [])
    : null;
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A name as git writes it: as it is, or in quotes with C escapes. Null when the quotes are not well formed. */
function unquote(name: string): string | null {
  if (!name.startsWith('"')) return name;
  const inner = /^"((?:[^"\\]|\\.)*)"$/s.exec(name)?.[1];
  if (inner === undefined) return null;
  const bytes: Buffer[] = [];
  for (const [piece, octal, char] of inner.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]));
    else if (char !== undefined) bytes.push(Buffer.from(char in escapes ? [escapes[char] ?? 0] : char));
    else bytes.push(Buffer.from(piece));
  }
  return Buffer.concat(bytes).toString();
}

/** Reads `diff --name-status -z`; `code` is one letter, without a rename's likeness. */
export function parseNameStatus(output: string): StatusEntry[] {
  const fields = output.split("\0");
  const entries: StatusEntry[] = [];
  for (let i = 0; i + 1 < fields.length; ) {
    const code = (fields[i++] ?? "").slice(0, 1);
    const path = fields[i++] ?? "";
    entries.push(
      code === "R" || code === "C" ? { code, path: fields[i++] ?? "", from: path } : { code, path },
    );
  }
  return entries;
}

export interface BlameLine {
  /** Absent while the line is not committed. */
  commit?: { id: string; author: string; date: string; subject: string };
  line: number;
  text: string;
}

/** Reads `blame --porcelain`. Dates are days in UTC. */
export function parseBlame(output: string): BlameLine[] {
  const commits = new Map<string, Map<string, string>>();
  const lines: BlameLine[] = [];
  let id = "";
  let line = 0;
  for (const row of output.split("\n")) {
    if (row.startsWith("\t")) {
      const said = commits.get(id);
      const commit = /^0+$/.test(id) ? {} : { commit: { id, ...blamed(said) } };
      lines.push({ ...commit, line, text: row.slice(1) });
      continue;
    }
    const [, next, at] = /^([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?$/.exec(row) ?? [];
    if (next !== undefined) {
      id = next;
      line = Number(at);
      if (!commits.has(id)) commits.set(id, new Map());
      continue;
    }
    const end = row.indexOf(" ");
    if (end > 0) commits.get(id)?.set(row.slice(0, end), row.slice(end + 1));
  }
  return lines;
}

function blamed(said: ReadonlyMap<string, string> | undefined): {
  author: string;
  date: string;
  subject: string;
} {
  const seconds = Number(said?.get("author-time") ?? 0);
  const day = new Date(seconds * 1000);
  return {
    author: said?.get("author") ?? "",
    date: Number.isNaN(day.getTime()) ? "" : day.toISOString().slice(0, 10),
    subject: said?.get("summary") ?? "",
  };
}
