// Commands inside of commands: after wrappers, in command lines given as one word, in substitutions. What they destroy, send
// or write to git counts for the whole, and a rule that denies must see them; they never make anything harmless.
import { forEachChild, parse, type SyntaxNode } from "unbash";
import type { Trait, TraitName } from "../../protocol/proposal.ts";
import { runsText, runsWords, useOfWords } from "./table.ts";
import { alone, once } from "./use.ts";

const grave: readonly TraitName[] = ["destructive", "network", "git-write"];

/** Longer or more deeply nested text is only looked at word by word. */
const maxParsed = 16_384;
const maxOpenings = 64;
const maxDepth = 3;
/** Words looked at after each word of such a text. */
const maxTail = 8;

export interface Found {
  /** The words, without quotes; what would be replaced stands as it is written. */
  argv: string[];
  /** As it is written. */
  text: string;
}

/** The traits of commands that are only known to be in there somewhere. */
export function graveTraits(argvs: readonly (readonly string[])[]): Trait[] {
  const traits = argvs.flatMap((argv) => useOfWords(argv.map(literal), alone).traits);
  return once(traits.filter(({ trait }) => grave.includes(trait)));
}

export function literal(value: string): { value: string; glob: boolean } {
  return { value, glob: false };
}

/** The argv itself, and every one that it may come to run as far as its words show. */
export function argvsIn(argv: readonly string[], depth = 0): string[][] {
  const all = [[...argv], ...starts(argv).map((start) => argv.slice(start))];
  if (all.some(([program = ""]) => runsText(program))) {
    for (const word of argv.slice(1))
      if (/[^\w./:@%+=-]/.test(word)) all.push(...argvsInText(word, depth + 1));
  }
  return all;
}

/** Where another command may begin among a command's words: after find's -exec, or anywhere after a wrapper. */
function starts([program = "", ...args]: readonly string[]): number[] {
  const kind = runsWords(program);
  if (kind === null || (kind === "named" && /^-[vV]$/.test(args[0] ?? ""))) return [];
  return args.flatMap((word, i) => {
    const begins =
      kind === "after-exec" ? /^-(?:exec|ok|x$|X$|-exec)/.test(args[i - 1] ?? "") : !word.startsWith("-");
    return begins ? [i + 1] : [];
  });
}

/** Every argv that stands anywhere in a command line, whatever else is in it. */
export function argvsInText(text: string, depth = 0): string[][] {
  const walked = depth > maxDepth ? null : walk(text);
  if (walked === null) return tails(text);
  const all = walked.found.flatMap(({ argv }) => argvsIn(argv, depth));
  if (!walked.whole) all.push(...tails(text));
  if (all.some(([program = ""]) => runsText(program) || /[$`]/.test(program))) {
    for (const inner of walked.texts) all.push(...argvsInText(inner, depth + 1));
  }
  return all;
}

/** The simple commands in a text in order, those in substitutions too; null when it is too long or too deep to be parsed. */
export function commandsIn(text: string): Found[] | null {
  return walk(text)?.found ?? null;
}

interface Walked {
  found: Found[];
  /** Values that may be run as text: assigned, piped in, quoted. */
  texts: string[];
  /** The parser understood all of it, and so would bash. */
  whole: boolean;
}

function walk(text: string): Walked | null {
  if (text.length > maxParsed || (text.match(/[(`{]/g)?.length ?? 0) > maxOpenings) return null;
  const found: Found[] = [];
  const texts: string[] = [];
  let whole = isPlain(text);

  function visit(node: SyntaxNode, source: string): void {
    let inner = source;
    switch (node.type) {
      case "Script":
        if (node.errors) whole = false;
        inner = node.source ?? source;
        break;
      case "Command": {
        const words = node.suffix.flatMap((part) =>
          part.type === "Word" ? [part.value] : part.type === "Assignment" ? [part.text] : [],
        );
        if (node.name)
          found.push({ argv: [node.name.value, ...words], text: source.slice(node.pos, node.end) });
        break;
      }
      case "Word":
        if (/[\s;&|<>$`]/.test(node.value)) texts.push(node.value);
        break;
      case "HereDocBody":
        texts.push(node.text);
        break;
    }
    forEachChild(node, (child) => visit(child, inner));
  }

  visit(parse(text), text);
  return { found, texts, whole };
}

/** Nothing in it that the parser and bash are known to split differently. */
export function isPlain(text: string): boolean {
  return /^[\t\n\x20-\x7e]*$/.test(text) && !text.includes("\\\n");
}

/** What each word would be as a command's first: the view of a text that cannot be parsed. */
function tails(text: string): string[][] {
  const words = text.split(/[^\w./:@%+=~-]+/).filter((word) => word !== "");
  return words.map((_, i) => words.slice(i, i + maxTail));
}
