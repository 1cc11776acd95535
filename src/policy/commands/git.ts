// What git's verbs can do. Used by table.ts.
import type { Trait } from "../../protocol/proposal.ts";
import { one } from "./use.ts";

const writes =
  /^(?:add|am|apply|bisect|branch|checkout|cherry-pick|clean|commit|filter-branch|gc|init|merge|mv|notes|prune|read-tree|rebase|reflog|remote|replace|reset|restore|revert|rm|sparse-checkout|stash|switch|symbolic-ref|tag|update-index|update-ref|worktree)$/;
const network = /^(?:clone|fetch|ls-remote|pull|push|submodule)$/;

/** By verb, the word (the verb itself, or an option also when abbreviated) with which git loses work or history. */
const destroys: Readonly<Record<string, RegExp>> = {
  branch: /^(?:-[a-zA-Z]*[dDMf]|--(?:d|f))/,
  // A word that looks like a file may be one, and its changes are gone then.
  checkout: /^(?:-[a-zA-Z]*[fB]|--(?:f|$)|\.$|[^-].*(?:\.[A-Za-z]\w*|\/)$)/,
  clean: /^clean$/,
  "filter-branch": /^filter-branch$/,
  gc: /^--pr/,
  prune: /^prune$/,
  push: /^(?:-[a-zA-Z]*[fd]|--(?:f|d|m|p)|[+:])/,
  rebase: /^rebase$/,
  reflog: /^(?:expire|delete)$/,
  reset: /^--(?:h|me|k)/,
  restore: /^restore$/,
  rm: /^rm$/,
  stash: /^(?:drop|clear)$/,
  switch: /^(?:-[a-zA-Z]*[fC]|--(?:f|di))/,
  tag: /^(?:-[a-zA-Z]*[df]|--(?:d|f))/,
  "update-ref": /^(?:-[a-zA-Z]*d|--std)/,
  worktree: /^remove$/,
};

/** Verbs that only show something in these forms, up to the last word. */
const shows: Readonly<Record<string, RegExp>> = {
  branch: /^(?:-[arv]+|--(?:all|list|remotes|show-current|verbose))$/,
  tag: /^(?:-l|--list)$/,
  stash: /^(?:list|show)$/,
  remote: /^(?:-v|--verbose)$/,
  worktree: /^list$/,
  reflog: /^show$/,
};

/** Options before the verb that take the next word. */
const valued = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--config-env|--attr-source|--super-prefix)$/;

/**
 * git's traits. Verbs that only read are opaque as well: a repository's settings can make them run code (there is a git
 * tool). So is every option before the verb: it moves the place or changes the settings.
 */
export function git(args: readonly string[]): Trait[] {
  const verbAt = verbIn(args);
  const verb = args[verbAt];
  const [first] = args;
  const before = verbAt > 0 && first !== undefined ? [one("opaque", first)] : [];
  if (verb === undefined) return before.length > 0 ? before : [one("reads", "git")];
  return [...before, ...verbTraits(verb, args.slice(verbAt))];
}

function verbIn(args: readonly string[]): number {
  let at = 0;
  for (; args[at]?.startsWith("-") === true; at++) if (valued.test(args[at] ?? "")) at++;
  return at;
}

function verbTraits(verb: string, words: readonly string[]): Trait[] {
  const lost = destroys[Object.hasOwn(destroys, verb) ? verb : ""];
  const loss = words.find((word) => lost?.test(word));
  const traits = loss === undefined ? [] : [one("destructive", loss)];
  const shown = shows[Object.hasOwn(shows, verb) ? verb : ""];
  if (
    shown !== undefined &&
    words.slice(1).every((word) => shown.test(word)) &&
    (words.length > 1 || verb !== "stash")
  ) {
    return [one("runs-project-code", "settings")];
  }
  const local = writes.test(verb);
  if (!local && !network.test(verb)) return [...traits, one("opaque", verb)];
  if (!local) traits.push(one("network", verb));
  if (verb !== "ls-remote") traits.push(one("git-write", verb));
  return [...traits, one("runs-project-code", "hooks")];
}
