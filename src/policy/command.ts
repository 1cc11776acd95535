// What a program with its arguments can do, as a set of traits with the word that shows each (design §8).
// What the tables in commands/ do not fully know is never called harmless. Used by the tools that run programs.
import type { Trait } from "../protocol/proposal.ts";
import { argvsIn, graveTraits, literal } from "./commands/nested.ts";
import { useOfWords } from "./commands/table.ts";
import { alone, once, textTraits, type Use } from "./commands/use.ts";

/**
 * At least one trait for every argv. Words added at the end never take away "opaque" or "destructive".
 * A name with a folder in it (`./ls`) is some file's name: it may run anything, whatever else the name says.
 */
export function classifyArgv(argv: readonly string[]): Trait[] {
  return textTraits(useOfArgv(argv));
}

/** `classifyArgv` before the files are looked at: its traits, and the paths that it touches. */
export function useOfArgv(argv: readonly string[]): Use {
  const { traits, touches } = useOfWords(argv.map(literal), alone);
  return { traits: once([...traits, ...graveTraits(argvsIn(argv).slice(1))]), touches };
}
