// The simple tools that only read, and those that only write what they name: exact options, and which operands are paths.
import { posix } from "node:path";
import type { TraitName } from "../../protocol/proposal.ts";
import { compile, type Options, readWords } from "./options.ts";
import { one, type Place, type Rule, type Touch, touch, type Use, union, useOf, type Word } from "./use.ts";

interface Tool extends Options {
  /** What an operand is: a path touched in that way, or "data" that names nothing. */
  operands: Touch["how"] | "data";
  /** The first operand is data (a pattern, a mode) unless one of these options is given. */
  first?: { unless: readonly string[] };
  /** More operands than this mean something else (uniq's second one is written). */
  max?: number;
  /** None of its options can do harm, so a file's name may pass for one. */
  inert?: boolean;
  /** Words that it takes for more than what they are, options or not. */
  barred?: RegExp;
  /** The last operand is where the others go, and they take along what is below them. */
  places?: boolean;
  /** With one of these options it reads whole folders. */
  recursive?: readonly string[];
}

const endings = "zero-terminated";

const readers: Readonly<Record<string, Tool>> = {
  ls: {
    operands: "names",
    inert: true,
    short: "aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1",
    long: "all almost-all directory classify? color? full-time group-directories-first human-readable inode numeric-uid-gid recursive reverse size sort: time: time-style: si",
  },
  cat: {
    operands: "file",
    inert: true,
    short: "AbeEnstTuv",
    long: "number number-nonblank show-all show-ends show-nonprinting show-tabs squeeze-blank",
  },
  tac: { operands: "file", inert: true },
  head: {
    operands: "file",
    inert: true,
    number: true,
    short: "n:c:qvz",
    long: `lines: bytes: quiet silent verbose ${endings}`,
  },
  tail: {
    operands: "file",
    number: true,
    short: "n:c:qvz",
    long: `lines: bytes: quiet silent verbose ${endings}`,
  },
  nl: { operands: "file", short: "b:d:f:h:i:l:n:ps:v:w:" },
  wc: { operands: "file", short: "clLmw", long: "bytes chars lines max-line-length words" },
  od: { operands: "file", short: "A:bcdj:N:ost:vx", long: "address-radix: format: read-bytes: skip-bytes:" },
  hexdump: { operands: "file", short: "bCcdn:os:vx" },
  xxd: { operands: "file", max: 1, ordered: true, single: true, short: "bc:Eg:l:ps:u" },
  // "@file" stands for the words in that file.
  strings: { operands: "file", barred: /^@/, short: "an:t:", long: "all bytes: radix:" },
  cut: {
    operands: "file",
    short: "b:c:d:f:nsz",
    long: `bytes: characters: delimiter: fields: complement only-delimited output-delimiter: ${endings}`,
  },
  paste: { operands: "file", short: "d:sz", long: `delimiters: serial ${endings}` },
  join: { operands: "file", short: "a:e:ij:o:t:v:1:2:z" },
  comm: {
    operands: "file",
    short: "123z",
    long: `check-order nocheck-order output-delimiter: total ${endings}`,
  },
  cmp: { operands: "file", short: "bln:s", long: "bytes: print-bytes quiet silent verbose" },
  diff: {
    operands: "file",
    short: "abBcC:dEeipqstTuU:wyW:",
    long: "brief unified? context? side-by-side width: ignore-all-space ignore-space-change ignore-blank-lines ignore-case minimal report-identical-files strip-trailing-cr suppress-common-lines text color? label:",
  },
  sort: {
    operands: "file",
    short: "bcCdfghik:MnrRst:uVz",
    long: `key: field-separator: ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort month-sort numeric-sort random-sort reverse stable unique version-sort check? ${endings}`,
  },
  uniq: {
    operands: "file",
    max: 1,
    ordered: true,
    number: true,
    short: "cdDf:is:uw:z",
    long: `count repeated all-repeated? group? skip-fields: ignore-case skip-chars: unique check-chars: ${endings}`,
  },
  fold: { operands: "file", short: "bsw:", long: "bytes spaces width:" },
  fmt: { operands: "file", short: "cstuw:", long: "width:" },
  expand: { operands: "file", short: "it:", long: "initial tabs:" },
  unexpand: { operands: "file", short: "at:", long: "all tabs:" },
  rev: { operands: "file" },
  column: { operands: "file", short: "c:s:tx" },
  ...same("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum", {
    operands: "file",
    short: "btz",
    long: `binary text tag ${endings}`,
  }),
  cksum: { operands: "file" },
  sum: { operands: "file", short: "rs" },
  shasum: { operands: "file", short: "a:bt", long: "algorithm: binary text" },
  ...same("grep egrep fgrep", {
    operands: "file",
    first: { unless: ["e", "regexp", "f", "file"] },
    recursive: ["r", "recursive"],
    number: true,
    short: "abchHiIlLnoqrsTvwxyEFGPm:A:B:C:e:f<",
    long: "after-context: before-context: context: basic-regexp extended-regexp fixed-strings perl-regexp byte-offset color? colour? count exclude: exclude-dir: file< files-with-matches files-without-match ignore-case no-ignore-case include: invert-match initial-tab line-number line-regexp max-count: no-filename with-filename no-messages null only-matching quiet silent recursive regexp: text word-regexp",
  }),
  stat: { operands: "names", short: "c:ft", long: "format: printf: file-system terse" },
  file: {
    operands: "file",
    short: "bikINnrF:",
    long: "brief mime mime-type mime-encoding no-pad no-buffer raw separator: extension apple",
  },
  du: {
    operands: "names",
    short: "abchkmsSx0d:t:",
    long: "all apparent-size bytes total max-depth: human-readable summarize separate-dirs one-file-system threshold: time? time-style: exclude: null si",
  },
  df: {
    operands: "names",
    short: "ahHiklPTt:x:",
    long: "all human-readable inodes print-type portability total si",
  },
  realpath: {
    operands: "names",
    short: "emqsz",
    long: "canonicalize-existing canonicalize-missing quiet no-symlinks zero",
  },
  readlink: { operands: "names", short: "efmnqsvz", long: "canonicalize no-newline quiet verbose zero" },
  basename: { operands: "data", short: "as:z", long: "multiple suffix: zero" },
  dirname: { operands: "data", short: "z", long: "zero" },
  tr: { operands: "data", short: "cCdst", long: "complement delete squeeze-repeats truncate-set1" },
  seq: { operands: "data", number: true, short: "f:s:w", long: "format: separator: equal-width" },
  sleep: { operands: "data" },
  true: { operands: "data" },
  false: { operands: "data" },
  printenv: { operands: "data" },
  pwd: { operands: "data", short: "LP" },
  which: { operands: "data", short: "as" },
  type: { operands: "data", short: "afpPt" },
  whoami: { operands: "data" },
  id: { operands: "data", short: "Ggnruz", long: "group groups name real user zero" },
  groups: { operands: "data" },
  uname: { operands: "data", short: "amnoprsv", long: "all" },
  arch: { operands: "data" },
  nproc: { operands: "data", long: "all ignore:" },
  uptime: { operands: "data", short: "ps" },
  free: { operands: "data", short: "bghkmtw" },
  hostname: { operands: "data", max: 0 },
  tty: { operands: "data", short: "s" },
};

const writers: Readonly<Record<string, Tool>> = {
  mkdir: { operands: "write", short: "m:pv", long: "mode: parents verbose" },
  touch: { operands: "write", short: "acd:hmt:", long: "no-create date: time:" },
  cp: {
    operands: "write",
    places: true,
    short: "fiknuvp",
    long: "force interactive no-clobber update verbose preserve? recursive archive",
    recursive: ["r", "R", "a", "recursive", "archive"],
  },
  mv: {
    operands: "write",
    places: true,
    short: "finuv",
    long: "force interactive no-clobber update verbose",
  },
  tee: { operands: "write", short: "ai", long: "append ignore-interrupts" },
  chmod: { operands: "write", first: { unless: [] }, short: "cfv", long: "changes quiet verbose" },
  chown: { operands: "write", first: { unless: [] }, short: "cfv", long: "changes quiet verbose" },
};

function same(names: string, tool: Tool): Record<string, Tool> {
  return Object.fromEntries(names.split(" ").map((name) => [name, tool]));
}

function rule(tool: Tool, trait: TraitName): Rule {
  const known = compile({
    ...tool,
    short: `${(tool.recursive ?? []).filter((o) => o.length === 1).join("")}${tool.short ?? ""}`,
  });
  return (args, name, place) => {
    const { operands, given, use } = readWords(known, args, place);
    const data = tool.first && !tool.first.unless.some((option) => given.has(option)) ? 1 : 0;
    const deep = tool.recursive?.some((option) => given.has(option)) === true;
    const paths = operands.slice(data);
    const uses = [useOf(one(trait, name)), use, ...operands.slice(0, data).map(plain)];
    const barred = args.find(({ value }) => tool.barred?.test(value));
    if (barred !== undefined) uses.push(useOf(one("opaque", barred.value)));
    if (tool.max !== undefined && operands.length > tool.max) {
      uses.push(useOf(one("opaque", operands.at(-1)?.value ?? name)));
    }
    uses.push(...paths.map((word) => pathUse(word, deep)));
    if (tool.places) uses.push(...placing(paths, place));
    // grep alone reads the folder it stands in when it is told to go down.
    if (deep && trait === "reads" && paths.length === 0) {
      uses.push(touch({ value: ".", glob: false }, "tree", place));
    }
    return union(uses);

    function pathUse(word: Word, recursive: boolean): Use {
      if (tool.operands === "data") return plain(word);
      if (word.glob && tool.max !== undefined) return plain(word);
      if (trait === "reads") return touch(word, recursive ? "tree" : tool.operands, place, tool.inert);
      const source = recursive && word !== paths.at(-1);
      return union([touch(word, "write", place), ...(source ? [touch(word, "tree", place)] : [])]);
    }
  };
}

/** What cp and mv do to `sources` and to the place they come to, which may be a folder or the new name. */
function placing(operands: readonly Word[], place: Place): Use[] {
  const [to, ...sources] = [...operands].reverse();
  if (to === undefined) return [];
  const names = sources.map(({ value, glob }) => ({
    value: posix.join(to.value, posix.basename(value)),
    glob,
  }));
  return [
    touch(to, "placed", place),
    ...names.map((word) => touch(word, "placed", place)),
    ...sources.map((word) => touch(word, "copied", place)),
  ];
}

/** Words that name nothing: only a glob among them would. */
export function plain({ value, glob }: Word): Use {
  return glob ? useOf(one("opaque", value)) : useOf();
}

export const readerRules: readonly [string, Rule][] = Object.entries(readers).map(([name, tool]) => [
  name,
  rule(tool, "reads"),
]);
export const writerRules: readonly [string, Rule][] = Object.entries(writers).map(([name, tool]) => [
  name,
  rule(tool, "writes"),
]);
