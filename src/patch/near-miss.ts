// The ways in which models miss a text by a little, each with how to see it and what to say. Used by nearest.ts.
import { lineNumbers, occurrences } from "./occurrences.ts";

/** A reading of both sides under which they may be the same; line breaks of the file stay. */
interface Reading {
  file(line: string): string;
  wanted(text: string): string;
  says(wanted: string, there: string): string;
}

interface NearMiss {
  /** What differs, as the beginning of a sentence. */
  says: string;
  /** First lines of the places, counting from 1. */
  places: number[];
  /** Lines that each place covers. */
  count: number;
}

const readings: readonly Reading[] = [
  bothAs((line) => line.trimStart(), "Only the indentation differs"),
  { file: plain, wanted: plain, says: characterDifference },
  bothAs((line) => line.replace(/\s+/g, ""), "Only white space differs"),
  bothAs((line) => line.toLowerCase(), "Only upper and lower case differ"),
  bothAs((line) => plain(line).replace(/\s+/g, ""), "Only white space and look-alike characters differ"),
  wantedAs(
    (text) => text.replace(/^\n+|\n+$/g, ""),
    "Old begins or ends with line breaks that are not there",
  ),
  {
    file: (line) => line.trimStart(),
    wanted: (text) => text.replace(/^[ \t]*\d+[\t|:→][ \t]*/gm, ""),
    says: () => "Old has line numbers in front of its lines; leave them out",
  },
  wantedAs(unescaped, 'Old is escaped once too often (\\n, \\t or \\" for the character itself)'),
];

/** The first reading under which `wanted` is in `text` (both with "\n" endings), or null. */
export function nearMiss(text: string, wanted: string): NearMiss | null {
  const lines = text.split("\n");
  for (const reading of readings) {
    const file = lines.map(reading.file).join("\n");
    const sought = reading.wanted(wanted);
    if (sought.trim() === "") continue;
    // An indented old text means whole lines; without its indentation it must not match in the middle of one.
    const wholeLine = /^\s/.test(wanted) && !/^\s/.test(sought);
    const found = occurrences(file, sought).filter((at) => !wholeLine || at === 0 || file[at - 1] === "\n");
    const places = [...new Set(lineNumbers(file, found))];
    const [first] = places;
    if (first === undefined) continue;
    const count = sought.replace(/\n$/, "").split("\n").length;
    const there = lines.slice(first - 1, first - 1 + count).join("\n");
    return { says: reading.says(wanted, there), places, count };
  }
  return null;
}

function bothAs(key: (line: string) => string, says: string): Reading {
  return { file: key, wanted: (text) => text.split("\n").map(key).join("\n"), says: () => says };
}

function wantedAs(repair: (text: string) => string, says: string): Reading {
  return { file: (line) => line, wanted: repair, says: () => says };
}

function unescaped(text: string): string {
  return text.replace(/\\([nt"'])/g, (_, letter: string) => ({ n: "\n", t: "\t" })[letter] ?? letter);
}

/** The text with typographic quotes, dashes and blanks made plain and invisible characters left out. */
function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/\p{Zs}/gu, " ")
    .replace(/[\u2018\u2019\u201A\u201B\u2032\u00B4`]/g, "'")
    .replace(/[\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-");
}

function characterDifference(wanted: string, there: string): string {
  const sides = [
    ["old has", lookAlikes(wanted, there)],
    ["the file has", lookAlikes(there, wanted)],
  ];
  const told = sides.filter(([, characters]) => characters !== "").map((side) => side.join(" "));
  const what = told.join("; ") || "they are composed in another way (Unicode NFC, NFD), or in another order";
  return `Only look-alike characters differ: ${what}`;
}

/** `“ (U+201C) for "`: the characters that are not plain and that the other side has less often. */
function lookAlikes(of: string, other: string): string {
  return [...new Set(of)]
    .filter((character) => plain(character) !== character && count(of, character) > count(other, character))
    .map((character) => `${named(character)} for ${plainNames[plain(character)] ?? plain(character)}`)
    .join(", ");
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

const plainNames: Readonly<Record<string, string>> = { "": "nothing", " ": "a blank" };

function named(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${character} (U+${code})`;
}
