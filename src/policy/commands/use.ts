// What a command's words come to: its traits, and the paths it touches. Shared by the tables in this folder.
import { posix } from "node:path";
import type { Trait, TraitName } from "../../protocol/proposal.ts";
import { protectedBy } from "../protected.ts";
import { actedOnBy } from "../self-acting.ts";

/** One argument. `glob`: the shell replaces it by the names that match, if any do. */
export interface Word {
  value: string;
  glob: boolean;
}

/**
 * How a path is touched. "file": its content is read, and a folder must not be; "tree": the content of everything below it
 * may be read; "names": names, sizes and times only; "glob": the content of what matches; "folder": it becomes the current one;
 * "copied": it goes elsewhere with everything below it; "placed": something that was elsewhere comes to stand there.
 */
export interface Touch {
  /** As the command has it. */
  word: string;
  /** The path from where the command line starts, in POSIX form without "..". */
  path: string;
  how: "file" | "tree" | "names" | "glob" | "folder" | "write" | "copied" | "placed";
}

export interface Use {
  /** Without what only the files themselves can tell: see `textTraits`. */
  traits: Trait[];
  touches: Touch[];
}

/** Where a command stands. */
export interface Place {
  /** The folders it may run in, from where the command line starts; more than one when a `cd` may have failed. */
  cwds: readonly string[];
  /** Its input is another command's output. */
  piped: boolean;
}

export const alone: Place = { cwds: ["."], piped: false };

/** `args` are the words after the program, `name` is its plain name. */
export type Rule = (args: readonly Word[], name: string, place: Place) => Use;

export function one(trait: TraitName, because: string): Trait {
  return { trait, because };
}

export function useOf(...traits: Trait[]): Use {
  return { traits, touches: [] };
}

export function union(uses: readonly Use[]): Use {
  return { traits: uses.flatMap(({ traits }) => traits), touches: uses.flatMap(({ touches }) => touches) };
}

/** Each trait once, with the first word that showed it. */
export function once(traits: readonly Trait[]): Trait[] {
  return traits.filter(({ trait }, i) => traits.findIndex((other) => other.trait === trait) === i);
}

/** The traits by the text alone: what reads all that is below a folder may read what is protected there. */
export function textTraits({ traits, touches }: Use): Trait[] {
  const trees = touches.filter(({ how }) => how === "tree").map(({ word }) => one("opaque", word));
  return once([...traits, ...trees]);
}

/** A rule on plain strings; a glob among them may become anything. */
export function onWords(classify: (args: readonly string[], name: string) => Trait[]): Rule {
  return (args, name) => {
    const globs = args.filter(({ glob }) => glob).map(({ value }) => one("opaque", value));
    return useOf(
      ...classify(
        args.map(({ value }) => value),
        name,
      ),
      ...globs,
    );
  };
}

export function always(...traits: TraitName[]): Rule {
  return onWords((_, name) => traits.map((trait) => one(trait, name)));
}

/** Absolute, with "..", or with a home folder. */
function leadsOut(path: string): boolean {
  return /^(?:[/~\\]|[A-Za-z]:[/\\])|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path);
}

/**
 * A path among a command's words. One that leads out of the workspace or is protected makes the command opaque, and so does
 * writing what other programs act on.
 */
export function touch({ value, glob }: Word, how: Touch["how"], { cwds }: Place, inert = false): Use {
  const writes = how === "write" || how === "placed";
  if ((value === "/dev/null" && !writes) || (value === "-" && (how === "file" || how === "names")))
    return useOf();
  if (leadsOut(value)) return useOf(one("opaque", value));
  if (glob && ((how !== "file" && how !== "names") || !isTameGlob(value, inert))) {
    return useOf(one("opaque", value));
  }
  const paths = cwds.map((cwd) => posix.join(cwd, value));
  if (paths.some((path) => protectedBy(path) !== null)) return useOf(one("opaque", value));
  const acted = writes ? paths.map(actedOnBy).find((how) => how !== null) : undefined;
  if (acted) return useOf(one("opaque", `${value}: ${acted}`));
  return {
    traits: [],
    touches: paths.map((path) => ({ word: value, path, how: glob ? "glob" : how })),
  };
}

/**
 * `src/*.ts`: one star in the last name, and an ending that no protected name has. A star never stands for a leading dot. The
 * names that come of it must not be taken for options (`-o.txt`), so a folder stands before it unless no option can do harm.
 */
function isTameGlob(word: string, inert: boolean): boolean {
  const tame =
    /^(?<folder>(?:[\w@+][\w@.+-]*\/|\.\/)*)(?:[\w@+][\w@.+-]*)?\*[\w@+-]*\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|css|scss|less|html|vue|svelte|md|rst|txt|sql|toml)$/.exec(
      word,
    );
  return tame !== null && (inert || tame.groups?.["folder"] !== "");
}
