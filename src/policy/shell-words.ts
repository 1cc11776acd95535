// Words of a command line that mean exactly what they say: no expansion, no escape that two readers could see differently.
// Used by shell.ts.
import type { Redirection, Word as ShellWord } from "unbash";
import { one, type Place, touch, type Use, union, useOf, type Word } from "./commands/use.ts";

/** What needs no quotes: all else is quoted, or the word is not taken. */
const bare = /[\w@%+=:,./^-]/;

/**
 * The word without its quotes, or null when the shell may make something else of it. Read here a second time, apart from the
 * parser; both must come to the same. A word with a glob is taken only when nothing in it is quoted.
 */
export function literalWord({ text, value }: ShellWord): Word | null {
  if (text === "{}" || text === "!") return { value: text, glob: false };
  const read = unquoted(text);
  if (read === null || read.value !== value || (read.glob && read.value !== text)) return null;
  return read;
}

function unquoted(text: string): Word | null {
  let value = "";
  let glob = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) return null;
      value += text.slice(at + 1, end);
      at = end;
    } else if (char === '"') {
      const inner = /^"((?:[^"\\$`]|\\.|\$(?="))*)"/s.exec(text.slice(at))?.[1];
      if (inner === undefined) return null;
      value += inner.replace(/\\([\\"$`])/g, "$1");
      at += inner.length + 1;
    } else if (char === "\\") {
      const next = text.charAt(++at);
      if (!/[\x20-\x7e]/.test(next)) return null;
      value += next;
    } else if (/[*?[\]]/.test(char)) {
      glob = true;
      value += char;
    } else if (
      bare.test(char) ||
      (at > 0 && (char === "#" || char === "!" || (char === "~" && !/[=:]/.test(text.charAt(at - 1)))))
    ) {
      value += char;
    } else return null;
  }
  return { value, glob };
}

/** A program's name that is written as it is called. */
export function isPlainName({ text, value }: ShellWord): boolean {
  return text === value && /^[A-Za-z0-9_.+-][A-Za-z0-9_.+/-]*$/.test(text);
}

/** What a redirection does. `harmless`: it changes neither a file nor what the command reads. */
export function redirection(node: Redirection, place: Place): { use: Use; harmless: boolean } {
  if (node.type !== "Redirect" || node.target === undefined) return closed(node.operator);
  const { descriptor, operator, target } = node;
  const word = literalWord(target);
  if (word === null || word.glob || word.value === "") return closed(target.text);
  if (descriptor !== undefined && descriptor.type !== "FileDescriptor") return closed(operator);
  const from = descriptor?.value;
  switch (operator) {
    case ">&":
      return from !== undefined && from !== 1 && from !== 2
        ? closed(operator)
        : /^[12]$/.test(target.text)
          ? { use: useOf(), harmless: true }
          : closed(target.text);
    case ">":
    case ">>":
      if (from !== undefined && from !== 1 && from !== 2) return closed(operator);
      if (word.value === "/dev/null") return { use: useOf(), harmless: true };
      return { use: written(word, place), harmless: false };
    case "<":
      if (from !== undefined && from !== 0) return closed(operator);
      return { use: touch(word, "file", place), harmless: word.value === "/dev/null" };
    default:
      return closed(operator);
  }
}

function written(word: Word, place: Place): Use {
  const net = /^\/dev\/(?:tcp|udp)\//.test(word.value) ? [one("network", word.value)] : [];
  return union([useOf(one("writes", word.value), ...net), touch(word, "write", place)]);
}

function closed(because: string): { use: Use; harmless: boolean } {
  return { use: useOf(one("opaque", because)), harmless: false };
}
