// Package managers, and the build tools that are one: what the verb says. Used by table.ts.
import type { Trait } from "../../protocol/proposal.ts";
import { one } from "./use.ts";

interface Verbs {
  /** Run the project's code and nothing else that is known. */
  runs: RegExp;
  reads: RegExp;
  /** pnpm and yarn take the name of a script as a verb. */
  scripts?: boolean;
  /** Options that may stand before the script's own arguments; every other is opaque, abbreviations too. */
  options?: RegExp;
  /** Options that are opaque where all others are the tool's own affair. */
  barred?: RegExp;
}

/** Changes no folder, shell, configuration or preload; with MiniCode's own two, which take such settings away. */
const npmOptions =
  /^(?:-s|--silent|-v|--version|-h|--help|--if-present|--json|--long|-[DESOPB]|--save(?:-dev|-exact|-optional|-prod)?|--no-(?:save|audit|fund)|--(?:omit|include|depth|loglevel)=\w+|--legacy-peer-deps|--ignore-scripts|--dry-run|--frozen-lockfile|--script-shell=\/bin\/sh|--node-options=)$/;

const bunOptions =
  /^(?:-[vhb]|--(?:version|revision|help|silent|if-present|bun|watch|hot|coverage|only|todo|minify|production|dev|exact|no-save|frozen-lockfile|dry-run)|-t|--(?:test-name-pattern|timeout|bail|rerun-each|target)(?:=\S*)?)$/;

/** They move the place, or name a program or settings to use. */
const cargoBars = /^(?:--(?:config|manifest-path|target-dir|lockfile-path)(?:=|$)|-C|-Z)/;
const goBars =
  /^--?(?:C|exec|toolexec|modfile|overlay|pkgdir|vettool|asmflags|gcflags|gccgoflags|ldflags|compiler)(?:=|$)/;
const pythonBars =
  /^(?:--(?:project|directory|config-file|with|with-editable|with-requirements|python|env-file)(?:=|$)|-C|-P)/;

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
  bun: { runs: /^(?:run|test|build)$/, reads: /^pm$/, options: bunOptions, scripts: true },
  cargo: {
    runs: /^(?:t|test|b|build|c|check|r|run|bench|clippy|fmt|doc|d|clean|nextest)$/,
    reads: /^(?:tree|metadata|version|help|pkgid)$/,
    barred: cargoBars,
  },
  go: {
    runs: /^(?:test|build|run|vet|fmt|generate|tool|clean)$/,
    reads: /^(?:list|version|doc|help)$/,
    barred: goBars,
  },
  pip: { runs: nothing, reads: /^(?:list|show|freeze|check|help)$/ },
  uv: { runs: nothing, reads: /^(?:help|version)$/, barred: pythonBars },
  poetry: { runs: /^run$/, reads: /^(?:show|check|version)$/, barred: pythonBars },
  bundle: { runs: /^exec$/, reads: /^(?:list|show|info|check)$/ },
};

const noVerbs: Verbs = { runs: nothing, reads: nothing };

/** Verbs that fetch, or run what was fetched, in any of them. */
const installs =
  /^(?:i|in|ins|install|install-test|it|ci|cit|clean-install|add|up|upgrade|update|get|fetch|mod|dlx|exec|x|create|init|publish|remove|rm|un|uninstall|r|unlink|link|ln|prune|dedupe|rebuild|audit|outdated|view|info|search|download|sync|lock|login|logout|generate-lockfile|vendor)$/;

/** Verbs that change the tool's own settings, or the tool. */
const configures = /^(?:c|config|set|plugin|policies|global|env|setup|self-update)$/;

/** What the verb says. Even what only reads obeys settings of the project, which may name programs and files. */
export function packageManager(args: readonly string[], name: string): Trait[] {
  const { runs, reads, scripts = false, options, barred } = packageVerbs[name] ?? noVerbs;
  const [verbAt = -1, scriptAt = args.length] = args.flatMap((word, i) => (word.startsWith("-") ? [] : [i]));
  const verb = args[verbAt];
  const traits = verb === undefined ? [one("runs-project-code", name)] : verbTraits(verb);
  const odd = ownWords().find(
    (word) => word.startsWith("-") && (options?.test(word) === false || barred?.test(word) === true),
  );
  return odd === undefined ? traits : [...traits, one("opaque", odd)];

  function verbTraits(word: string): Trait[] {
    if (runs.test(word)) return [one("runs-project-code", word)];
    if (reads.test(word)) return [one("reads", word), one("runs-project-code", "settings")];
    if (configures.test(word)) return [one("opaque", word)];
    if (installs.test(word)) return [one("network", word), one("runs-project-code", word)];
    return [one(scripts || options === undefined ? "runs-project-code" : "opaque", word)];
  }

  /** npm takes its options anywhere before "--"; the others give all that follows a script's name to the script. */
  function ownWords(): readonly string[] {
    const beforeDashes = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
    if (name === "npm" || options === undefined) return beforeDashes;
    if (verb === undefined || installs.test(verb)) return args;
    if (name === "bun" && /^(?:test|build)$/.test(verb)) return beforeDashes;
    return args.slice(0, verb === "run" ? scriptAt : verbAt);
  }
}
