// The rules for programs with verbs and for interpreters. Used by command.ts.
import type { Trait, TraitName } from "../protocol/proposal.ts";

/** `args` are the words after the program, `name` is its plain name. */
export type Classify = (args: readonly string[], name: string) => Trait[];

export function one(trait: TraitName, because: string): Trait {
  return { trait, because };
}

const gitWrites =
  /^(?:add|am|apply|branch|checkout|cherry-pick|clean|commit|init|merge|mv|rebase|reset|restore|revert|rm|stash|switch|tag)$/;
const gitNetwork = /^(?:clone|fetch|pull|push)$/;

/** By verb, the word (the verb itself, or an option also when abbreviated) with which git loses work or history. */
const gitDestroys: Readonly<Record<string, RegExp>> = {
  branch: /^(?:-[a-zA-Z]*[dDMf]|--(?:d|f))/,
  checkout: /^(?:-[a-zA-Z]*[fB]|--(?:f|$)|\.$)/,
  clean: /^clean$/,
  push: /^(?:-[a-zA-Z]*[fd]|--(?:f|d|m|p)|[+:])/,
  reset: /^--(?:h|me|k)/,
  restore: /^restore$/,
  rm: /^rm$/,
  stash: /^(?:drop|clear)$/,
  switch: /^(?:-[a-zA-Z]*[fC]|--(?:f|di))/,
  tag: /^(?:-[a-zA-Z]*[df]|--(?:d|f))/,
};

/** Verbs that only read are opaque as well: a repository's settings can make them run code (there is a git tool). */
export const git: Classify = (args) => {
  const [verb] = args;
  if (verb === undefined) return [one("reads", "git")];
  const lost = Object.hasOwn(gitDestroys, verb)
    ? args.find((word) => gitDestroys[verb]?.test(word))
    : undefined;
  const traits = lost === undefined ? [] : [one("destructive", lost)];
  const local = gitWrites.test(verb);
  if (!local && !gitNetwork.test(verb)) return [...traits, one("opaque", verb)];
  if (!local) traits.push(one("network", verb));
  return [...traits, one("git-write", verb), one("runs-project-code", "hooks")];
};

interface Verbs {
  /** Run the project's code and nothing else that is known. */
  runs: RegExp;
  reads: RegExp;
  /** pnpm and yarn take the name of a script as a verb. */
  scripts?: boolean;
  /** Options that may stand before the script's own arguments; every other is opaque, abbreviations too. */
  options?: RegExp;
}

/** Changes no folder, shell, configuration or preload; with MiniCode's own two, which take such settings away. */
const npmOptions =
  /^(?:-s|--silent|-v|--version|-h|--help|--if-present|--json|--long|-[DESOPB]|--save(?:-dev|-exact|-optional|-prod)?|--no-(?:save|audit|fund)|--(?:omit|include|depth|loglevel)=\w+|--legacy-peer-deps|--ignore-scripts|--dry-run|--frozen-lockfile|--script-shell=\/bin\/sh|--node-options=)$/;

const nothing = /^(?!)/;

const packageVerbs: Readonly<Record<string, Verbs>> = {
  npm: {
    runs: /^(?:run|run-script|rum|urn|t|tst|test|start|stop|restart)$/,
    reads: /^(?:ls|list|ll|la|explain|why|help|root|prefix|bin)$/,
    options: npmOptions,
  },
  pnpm: {
    runs: /^(?:run|t|tst|test|start|stop|restart)$/,
    reads: /^(?:ls|list|why|root|bin)$/,
    options: npmOptions,
    scripts: true,
  },
  yarn: { runs: /^(?:run|test|start)$/, reads: /^(?:list|why|bin)$/, options: npmOptions, scripts: true },
  cargo: {
    runs: /^(?:t|test|b|build|c|check|r|run|bench|clippy|fmt|doc|d|clean|nextest)$/,
    reads: /^(?:tree|metadata|version|help|pkgid)$/,
  },
  go: { runs: /^(?:test|build|run|vet|fmt|generate|tool|clean)$/, reads: /^(?:list|version|doc|help)$/ },
  pip: { runs: nothing, reads: /^(?:list|show|freeze|check|help)$/ },
  uv: { runs: nothing, reads: /^(?:help|version)$/ },
  poetry: { runs: /^run$/, reads: /^(?:show|check|version)$/ },
  bundle: { runs: /^exec$/, reads: /^(?:list|show|info|check)$/ },
};

const noVerbs: Verbs = { runs: nothing, reads: nothing };

/** Verbs that fetch, or run what was fetched, in any of them. */
const installs =
  /^(?:i|in|ins|install|install-test|it|ci|cit|clean-install|add|up|upgrade|update|get|fetch|mod|dlx|exec|x|create|init|publish|remove|rm|un|uninstall|r|unlink|link|ln|prune|dedupe|rebuild|audit|outdated|view|info|search|download|sync|lock|login|logout|generate-lockfile|vendor)$/;

/** Package managers and the build tools that are one: what the verb says. */
export const packageManager: Classify = (args, name) => {
  const { runs, reads, scripts = false, options } = packageVerbs[name] ?? noVerbs;
  const [verbAt = -1, scriptAt = args.length] = args.flatMap((word, i) => (word.startsWith("-") ? [] : [i]));
  const verb = args[verbAt];
  const traits = verb === undefined ? [one("runs-project-code", name)] : verbTraits(verb);
  const odd = ownWords().find((word) => word.startsWith("-") && options?.test(word) === false);
  return odd === undefined ? traits : [...traits, one("opaque", odd)];

  function verbTraits(word: string): Trait[] {
    if (runs.test(word)) return [one("runs-project-code", word)];
    if (reads.test(word)) return [one("reads", word)];
    if (installs.test(word)) return [one("network", word), one("runs-project-code", word)];
    return [one(scripts || options === undefined ? "runs-project-code" : "opaque", word)];
  }

  /** npm takes its options anywhere before "--"; the others give all that follows a script's name to the script. */
  function ownWords(): readonly string[] {
    if (name === "npm") return args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
    if (verb === undefined || installs.test(verb)) return args;
    return args.slice(0, verb === "run" ? scriptAt : verbAt);
  }
};

/** Node's options that load or evaluate nothing: alone, with "=value", or with the next word as their value. */
const nodeFlags =
  /^(?:-v|--version|-h|--help|-c|--check|--test|--test-only|--watch|--no-warnings|--enable-source-maps|--expose-gc|--trace-(?:warnings|deprecation|uncaught|exit)|--throw-deprecation|--experimental-(?:strip-types|transform-types|test-coverage|test-module-mocks|vm-modules|sqlite)|--test-force-exit)$/;
const nodeValues =
  /^--(?:test-name-pattern|test-skip-pattern|test-reporter|test-concurrency|test-timeout|test-shard|stack-trace-limit|max-old-space-size|unhandled-rejections)(=|$)/;

export const node: Classify = (args, name) => {
  const traits = [one("runs-project-code", args.find((word) => !word.startsWith("-")) ?? name)];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (!word.startsWith("-") || word === "--") break;
    const valued = nodeValues.exec(word);
    if (valued?.[1] === "") at++;
    else if (valued === null && !nodeFlags.test(word)) return [one("opaque", word), ...traits];
  }
  return traits;
};

/** Modules of Python itself that take code or serve as a wrapper. */
const pythonWrappers =
  /^(?:code|codeop|cProfile|pdb|profile|runpy|timeit|trace|idlelib|asyncio|http\.server|webbrowser)(?:\.|$)/;
const pythonInstallers = /^(?:pip|ensurepip|venv|virtualenv|pipx|uv|poetry|conda)(?:\.|$)/;

export const python: Classify = (args, name) => {
  const runs = one("runs-project-code", args.find((word) => !word.startsWith("-")) ?? name);
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (!word.startsWith("-") || /^--(?:version|help)$/.test(word)) return [runs];
    const cluster = /^-[bBdEhiIOPqsSuvVx]*(.?)(.*)$/s.exec(word);
    const [, letter = "", rest = ""] = cluster ?? [];
    if (letter === "" && word !== "-") continue;
    if (letter === "W" || letter === "X") {
      if (rest === "") at++;
      continue;
    }
    if (letter !== "m") return [one("opaque", word), runs];
    const module = rest === "" ? (args[at + 1] ?? "") : rest;
    if (pythonInstallers.test(module)) return [one("network", module), one("runs-project-code", module)];
    if (pythonWrappers.test(module)) return [one("opaque", `-m ${module}`), runs];
    return [one("runs-project-code", module === "" ? word : module)];
  }
  return [runs];
};

/** Other interpreters: a file first, or their version; every option before it may be code. */
export const interpreter: Classify = (args, name) => {
  const [first] = args;
  const runs = one("runs-project-code", first ?? name);
  if (first === undefined || (args.length === 1 && /^(?:-v|-V|--version|--help)$/.test(first))) return [runs];
  if (first.startsWith("-") || /^(?:eval|repl|x|exec)$/.test(first)) return [one("opaque", first), runs];
  if (/^(?:install|add|i|update|upgrade|create|init|publish|compile)$/.test(first))
    return [one("network", first), runs];
  return [runs];
};
