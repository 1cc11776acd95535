// Tools with a grammar of their own, of which only the plain part is known: find, tree, rg, sed, awk, jq, echo, date, command.
import { compile, readWords } from "./options.ts";
import { plain } from "./tools.ts";
import { one, type Rule, touch, type Use, union, useOf, type Word } from "./use.ts";

/** find's tests and actions by how many words follow; none of them changes anything. No abbreviations exist. */
const findTests = new Map<string, number>([
  ...words(
    "! ( ) , -a -and -o -or -not -print -print0 -ls -prune -depth -empty -true -false -xdev -mount -quit -readable -writable -executable -nouser -nogroup -daystart",
    0,
  ),
  ...words(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -size -mtime -mmin -atime -amin -ctime -cmin -maxdepth -mindepth -perm -user -group -links -printf",
    1,
  ),
]);

function words(names: string, following: number): [string, number][] {
  return names.split(" ").map((name) => [name, following]);
}

export const find: Rule = (args, name, place) => {
  const start = args.findIndex(({ value }) => /^[-(),!]/.test(value));
  const paths = start < 0 ? args : args.slice(0, start);
  const uses: Use[] = [useOf(one("reads", name)), ...paths.map((path) => touch(path, "names", place))];
  for (let at = paths.length; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    const following = word.glob ? undefined : findTests.get(word.value);
    if (word.value === "-delete") uses.push(useOf(one("destructive", word.value)));
    else if (following === undefined) uses.push(useOf(one("opaque", word.value)));
    else {
      uses.push(...args.slice(at + 1, at + 1 + following).map(plain));
      at += following;
    }
  }
  return union(uses);
};

const treeFlags = new Set(
  "-a -d -f -i -s -h -D -F -r -t -U -v -n -C -p -u -g -S -J -X --noreport --dirsfirst --filesfirst --du --prune --gitignore --si --inodes".split(
    " ",
  ),
);

/** tree reads a cluster of letters in its own way, so each must stand alone; -o and -R write. */
export const tree: Rule = (args, name, place) => {
  const uses: Use[] = [useOf(one("reads", name))];
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    const { value, glob } = word;
    if (!value.startsWith("-")) uses.push(touch(word, "names", place));
    else if (/^-[LIP]$/.test(value)) uses.push(...args.slice(++at, at + 1).map(plain));
    else if (glob || !treeFlags.has(value)) uses.push(useOf(one("opaque", value)));
  }
  return union(uses);
};

const rgKnown = compile({
  short: "abcFHhiIlnNoPpqsSUvwxA:B:C:d:e:f<g:m:M:r:t:T:",
  long: "after-context: before-context: context: color: colors: column no-column count count-matches crlf debug encoding: engine: file< files files-with-matches files-without-match fixed-strings glob: iglob: heading no-heading ignore-case invert-match json line-number no-line-number line-regexp max-columns: max-columns-preview max-count: max-depth: max-filesize: multiline multiline-dotall no-config no-filename with-filename no-messages null only-matching passthru pcre2 pretty quiet regexp: replace: smart-case case-sensitive sort: sortr: stats text threads: trim type: type-list type-not: vimgrep word-regexp",
});

/** rg goes down into every folder, and a repository's own ignore files decide what it leaves out. */
export const rg: Rule = (args, name, place) => {
  const { operands, given, use } = readWords(rgKnown, args, place);
  const names = given.has("files");
  const patterned = ["e", "regexp", "f", "file", "files", "type-list"].some((option) => given.has(option));
  const [pattern, paths] = patterned ? [[], operands] : [operands.slice(0, 1), operands.slice(1)];
  const reads = [useOf(one("reads", name)), use, ...pattern.map(plain)];
  const nothing = given.has("type-list") || (operands.length === 0 && !patterned);
  const here: Word[] = nothing || (place.piped && !names) ? [] : [{ value: ".", glob: false }];
  const searched = paths.length > 0 ? paths : here;
  return union([...reads, ...searched.map((path) => touch(path, names ? "names" : "tree", place))]);
};

/** `sed -n 10,20p FILE` and nothing else: sed's language can write files and run programs. */
export const sed: Rule = (args, name, place) => {
  const [quiet, script, ...files] = args;
  const odd = [
    quiet?.value === "-n" ? undefined : quiet,
    /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/.test(script?.value ?? "1p") ? undefined : script,
  ]
    .concat(files.filter(({ value }) => value.startsWith("-")))
    .find((word) => word !== undefined);
  if (odd !== undefined) return useOf(one("opaque", odd.value));
  return union([useOf(one("reads", name)), ...files.map((file) => touch(file, "file", place))]);
};

/** `jq -r .scripts.test FILE`: a path into the document; the rest of its language reads other things. */
export const jq: Rule = (args, name, place) => {
  const start = args.findIndex(({ value }) => !/^-[rcSMej]+$/.test(value));
  const [filter, ...files] = start < 0 ? [] : args.slice(start);
  const isPath = filter === undefined || /^\.(?:[\w.]|\[\d*\]|\["[\w-]*"\])*$/.test(filter.value);
  const odd = isPath && !filter?.glob ? files.find(({ value }) => value.startsWith("-")) : filter;
  if (odd !== undefined) return useOf(one("opaque", odd.value));
  return union([useOf(one("reads", name)), ...files.map((file) => touch(file, "file", place))]);
};

/** `awk -F, '{print $1, $3}' FILE`: columns and nothing else; the language can do anything. */
export const awk: Rule = (args, name, place) => {
  const at = args[0]?.value === "-F" ? 2 : /^-F./.test(args[0]?.value ?? "") ? 1 : 0;
  const [program, ...files] = args.slice(at);
  const columns = /^(?:NR ?(?:[<>]=?|==) ?\d+ ?)?\{ ?print(?: ?\$(?:\d+|NF)(?:, ?\$(?:\d+|NF))*)? ?\}$/;
  const bad = program !== undefined && !columns.test(program.value) ? program : undefined;
  const odd =
    bad ??
    [
      ...args.slice(0, at).filter(({ glob }) => glob),
      ...files.filter(({ value }) => value.startsWith("-")),
    ][0];
  if (odd !== undefined) return useOf(one("opaque", odd.value));
  return union([useOf(one("reads", name)), ...files.map((file) => touch(file, "file", place))]);
};

export const echo: Rule = (args, name) => union([useOf(one("reads", name)), ...args.map(plain)]);

const dateKnown = compile({ short: "d:I?Ru", long: "date: iso-8601? rfc-3339: utc universal rfc-email" });

/** An operand that is no format sets the clock. */
export const date: Rule = (args, name, place) => {
  const { operands, use } = readWords(dateKnown, args, place);
  const sets = operands.find(({ value, glob }) => glob || !value.startsWith("+"));
  return union([
    useOf(one("reads", name)),
    use,
    ...(sets === undefined ? [] : [useOf(one("opaque", sets.value))]),
  ]);
};

/** `command -v NAME` only says where a program is; otherwise it runs it. */
export const command: Rule = (args, name) => {
  const [first] = args;
  if (first !== undefined && !/^-[vV]$/.test(first.value)) return useOf(one("opaque", name));
  return union([useOf(one("reads", name)), ...args.map(plain)]);
};
