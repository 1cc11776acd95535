// Reads a command's words against the exact options it is known to have; an unknown one makes it opaque. No abbreviations.
import { one, type Place, touch, type Use, union, useOf, type Word } from "./use.ts";

/**
 * Known options. A name alone takes no value; with ":" a value, with "<" a file that is read, with "?" a value that may
 * be left out and never is the next word.
 */
export interface Options {
  /** Letters in getopt's form, e.g. "lan:". */
  short?: string;
  /** Names without dashes, e.g. "all lines: color?". */
  long?: string;
  /** "-20" is one too. */
  number?: boolean;
  /** An option after an operand is an operand (the program itself stops there). */
  ordered?: boolean;
  /** A letter without a value stands alone (the program reads no further in its word). */
  single?: boolean;
}

interface Kinds {
  short: Map<string, string>;
  long: Map<string, string>;
  number: boolean;
  ordered: boolean;
  single: boolean;
}

export interface Read {
  /** The words that are no options. */
  operands: Word[];
  /** The options that are there: letters and names. */
  given: Set<string>;
  /** What the options themselves touch, and the first one that is not known. */
  use: Use;
}

/** `options` in the form that `readWords` takes. */
export function compile({
  short = "",
  long = "",
  number = false,
  ordered = false,
  single = false,
}: Options): Kinds {
  return {
    short: new Map([...short.matchAll(/(.)([:<?]?)/g)].map(([, letter = "", kind = ""]) => [letter, kind])),
    long: new Map([...long.matchAll(/([\w-]+)([:<?]?)/g)].map(([, name = "", kind = ""]) => [name, kind])),
    number,
    ordered,
    single,
  };
}

/** Options may stand after operands, as GNU has it, until "--". A value that is missing is the program's own error. */
export function readWords(kinds: Kinds, args: readonly Word[], place: Place): Read {
  const operands: Word[] = [];
  const given = new Set<string>();
  const uses: Use[] = [];
  let at = 0;

  function value(kind: string, attached: string | undefined): void {
    const word = attached === undefined ? args[++at] : { value: attached, glob: false };
    if (word === undefined) return;
    // Where options end at the first operand this is no value but a file.
    const maybeFile = attached === undefined && operands.length > 0;
    if (kind === "<" || maybeFile) uses.push(touch(word, "file", place));
    else if (word.glob) uses.push(useOf(one("opaque", word.value)));
  }

  /** In `--include=*.ts` all that can come of the glob begins with the same option. */
  function long({ value: word, glob }: Word): boolean {
    const [, name = "", attached] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const kind = kinds.long.get(name);
    if (kind === undefined || (kind === "" && attached !== undefined)) return false;
    if (glob && kind !== ":") return false;
    given.add(name);
    if (kind === ":" || kind === "<") value(kind, attached);
    return true;
  }

  function cluster(word: string): boolean {
    if (kinds.number && /^-\d+$/.test(word)) return true;
    for (let i = 1; i < word.length; i++) {
      const letter = word.charAt(i);
      const kind = kinds.short.get(letter);
      if (kind === undefined || (kinds.single && kind === "" && word.length > 2)) return false;
      given.add(letter);
      if (kind === "?") return true;
      if (kind === "") continue;
      const rest = word.slice(i + 1);
      value(kind, rest === "" ? undefined : rest);
      return true;
    }
    return true;
  }

  for (; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    const late = kinds.ordered && operands.length > 0;
    if (word.value === "-" || !word.value.startsWith("-") || late) {
      operands.push(word);
      continue;
    }
    if (word.value === "--" && !word.glob) {
      operands.push(...args.slice(at + 1));
      break;
    }
    const known = word.value.startsWith("--") ? long(word) : !word.glob && cluster(word.value);
    if (!known) uses.push(useOf(one("opaque", word.value)));
  }
  return { operands, given, use: union(uses) };
}
