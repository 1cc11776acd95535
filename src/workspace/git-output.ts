// Pure: takes git's machine output apart. Used by git.ts.

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

/** Cuts a diff into one part per file. Lines of content begin with a blank, "+", "-", "\" or "@", never with these words. */
export function splitDiff(diff: string): DiffPart[] {
  return diff
    .split(/^(?=diff --(?:git|cc|combined) |\* Unmerged path )/m)
    .filter((text) => text !== "")
    .map((text) => ({ paths: pathsOf(text), text }));
}

function pathsOf(part: string): string[] | null {
  const end = part.search(/^@@/m);
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
