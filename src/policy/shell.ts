// What a command line for bash can do: read strictly, and opaque wherever it is more than plain commands (D1). Used by
// run_shell and, for the list of its parts, by the panel.

import { posix } from "node:path";
import {
  type CommandNode,
  type ParsedScript,
  parse,
  type Command as ShellCommand,
  type Statement,
} from "unbash";
import type { Trait } from "../protocol/proposal.ts";
import { argvsInText, commandsIn, graveTraits, isPlain } from "./commands/nested.ts";
import { useOfWords } from "./commands/table.ts";
import {
  once,
  one,
  type Place,
  textTraits,
  touch,
  type Use,
  union,
  useOf,
  type Word,
} from "./commands/use.ts";
import { isPlainName, literalWord, redirection } from "./shell-words.ts";

/** One simple command of a command line. */
interface ShellPart {
  /** Its words, when it is nothing but these; null when the shell may make something else of it. */
  argv: string[] | null;
  /** The folder it runs in, from where the command line starts; null when that cannot be told. */
  cwd: string | null;
  /** As it is written. */
  text: string;
}

export interface ShellReading {
  /** By the text alone. */
  traits: Trait[];
  /** What they come from: traits before the files are looked at, and the paths to look at. */
  use: Use;
  /** In order. A rule that allows must match every one; one without argv it cannot match. */
  parts: ShellPart[];
  /** Every argv anywhere in the text, also in what is opaque, as far as words show it. A rule that denies matches any. */
  found: string[][];
}

const maxBytes = 4096;
const maxParts = 32;
const maxFolders = 8;
/** Characters that open something; the parser's time grows with their nesting. */
const maxOpenings = 64;

/** What may stand between two commands. The parser passes over more than that without a word. */
const betweenCommands = /^(?:[ \t\n;|&!]|#[^\n]*(?=\n|$))*$/;

/** Reads a command line. Never throws; at least one trait for every text. */
export function classifyShell(text: string): ShellReading {
  const gate = closedBy(text);
  const read = gate === null ? readScript(parse(text), text) : null;
  const found = argvsInText(text);
  const own = read?.use ?? useOf(one("opaque", gate ?? ""));
  const use = { traits: once([...own.traits, ...graveTraits(found)]), touches: own.touches };
  const parts =
    read?.parts ?? (commandsIn(text) ?? []).map((command) => ({ argv: null, cwd: null, text: command.text }));
  return { traits: textTraits(use), use, parts, found };
}

/** Why a text is not read at all, or null. */
function closedBy(text: string): string | null {
  if (text.trim() === "") return "(no command)";
  if (text.length > maxBytes) return `(${text.length} characters)`;
  if (!isPlain(text)) return /[^\t\n\x20-\x7e]/.exec(text)?.[0] ?? "\\\n";
  return (text.match(/[(`]/g)?.length ?? 0) > maxOpenings ? "(" : null;
}

/** The parts and what they come to, or parts of null where the text is more than lists of simple commands. */
function readScript(script: ParsedScript, text: string): { use: Use; parts: ShellPart[] | null } {
  const uses: Use[] = [];
  const parts: ShellPart[] = [];
  const spans: { pos: number; end: number }[] = [];
  let cwds: readonly string[] = ["."];
  let lost = false;
  let plain = true;

  function bar(because: string): void {
    plain = false;
    uses.push(useOf(one("opaque", because)));
  }

  function statement({ command, background }: Statement): void {
    if (background) bar("&");
    const [list, operators] =
      command.type === "AndOr" ? [command.commands, command.operators] : [[command], []];
    const certain = operators.every((operator) => operator === "&&");
    // Any step may be the last, so after the list each folder on the way is possible.
    const passed = new Set(cwds);
    for (const node of list) {
      if (node.type === "Command" && node.name?.text === "cd") {
        const entered = cd(node);
        cwds = certain ? entered : [...new Set([...cwds, ...entered])];
        for (const folder of cwds) passed.add(folder);
      } else if (node.type === "Pipeline") {
        for (const prefix of node.prefixes) if (prefix.type !== "Negation") bar("time");
        for (const operator of node.operators) if (operator !== "|") bar(operator);
        for (const [i, inner] of node.commands.entries()) simple(inner, i > 0);
      } else simple(node, false);
    }
    cwds = [...passed];
    if (cwds.length > maxFolders) bar("cd");
  }

  function simple(node: CommandNode, piped: boolean): void {
    if (node.type !== "Command") {
      bar(/^(?:[a-z]+|\W{1,2})/.exec(text.slice(node.pos, node.end))?.[0] ?? node.type);
      return;
    }
    // Whether a `cd` in a pipeline counts for what comes after it is another thing in each shell.
    if (node.name?.value === "cd") stray(node.name.text);
    part(node, { cwds, piped });
  }

  function part(node: ShellCommand, place: Place): Word[] | null {
    const { use, words, exact } = readCommand(node, place, text);
    uses.push(use);
    const cwd = lost || place.cwds.length > 1 ? null : (place.cwds[0] ?? null);
    const argv = exact ? words.map(({ value }) => value) : null;
    parts.push({ argv, cwd, text: text.slice(node.pos, node.end) });
    spans.push(node);
    return exact ? words : null;
  }

  function stray(because: string): void {
    lost = true;
    uses.push(useOf(one("opaque", because)));
  }

  /** The folders that come of a `cd`. */
  function cd(node: ShellCommand): readonly string[] {
    const [, folder, ...more] = part(node, { cwds, piped: false }) ?? [];
    const entered =
      folder && more.length === 0 && /^[^-]/.test(folder.value)
        ? touch(folder, "folder", { cwds, piped: false })
        : null;
    if (entered === null || entered.traits.length > 0 || folder?.glob !== false) {
      stray(folder?.value ?? "cd");
      return cwds;
    }
    uses.push(entered);
    return cwds.map((cwd) => posix.join(cwd, folder.value));
  }

  for (const node of script.commands) statement(node);
  let at = 0;
  for (const { pos, end } of spans) {
    if (!betweenCommands.test(text.slice(at, pos))) bar(text.slice(at, pos).trim());
    at = end;
  }
  if (!betweenCommands.test(text.slice(at))) bar(text.slice(at).trim());
  if (script.errors) bar(text.slice(script.errors[0]?.pos ?? 0).slice(0, 20));
  if (script.shebang !== undefined) bar(script.shebang);
  if (parts.length === 0 && plain) bar("(no command)");
  if (parts.length > maxParts) bar(`(${parts.length} parts)`);
  uses.push(useOf(...moved(uses)));
  return { use: union(uses), parts: plain ? parts : null };
}

/**
 * One command brings something to where another one looks: what the paths are now says nothing of what they are then (TH42).
 */
function moved(uses: readonly Use[]): Trait[] {
  const touches = uses.flatMap(({ touches }, part) => touches.map((touch) => ({ ...touch, part })));
  const placed = touches.filter(({ how }) => how === "placed");
  const met = touches.find(({ path, part }) =>
    placed.some((other) => other.part !== part && overlap(path, other.path)),
  );
  return met === undefined ? [] : [one("opaque", met.word)];
}

function overlap(a: string, b: string): boolean {
  const inside = (path: string, folder: string): boolean =>
    folder === "." || path === folder || path.startsWith(`${folder}/`);
  return inside(a, b) || inside(b, a);
}

/** `exact`: the words are all that the shell will do with it. */
function readCommand(
  node: ShellCommand,
  outer: Place,
  text: string,
): { use: Use; words: Word[]; exact: boolean } {
  const uses: Use[] = [];
  const words: Word[] = [];
  let exact = true;

  function bar(because: string): void {
    exact = false;
    uses.push(useOf(one("opaque", because)));
  }

  let at = node.pos;
  for (const { pos, end } of [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix]) {
    if (!/^[ \t]*$/.test(text.slice(at, pos))) bar(text.slice(at, pos).trim());
    at = end;
  }
  for (const item of node.prefix) if (item.type === "Assignment") bar(item.text);
  let piped = outer.piped;
  for (const redirect of node.redirects) {
    const { use, harmless } = redirection(redirect, outer);
    uses.push(use);
    exact &&= harmless;
    if (redirect.operator.startsWith("<")) piped = false;
  }
  const place = { ...outer, piped };
  for (const word of [...(node.name ? [node.name] : []), ...node.args]) {
    const read = word.type === "Word" ? literalWord(word) : null;
    if (read === null) bar(word.text);
    words.push(read ?? { value: word.type === "Word" ? word.value : word.text, glob: false });
  }
  if (node.name === undefined) bar("(no program)");
  else if (!isPlainName(node.name)) bar(node.name.text);
  exact &&= words.every(({ glob }) => !glob);
  if (node.name?.text === "cd") uses.push(useOf(one("reads", "cd")));
  else if (node.name) uses.push(useOfWords(words, place));
  return { use: union(uses), words, exact };
}
