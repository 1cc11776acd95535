// Programs that run a file, and their options that load or evaluate other code. Used by table.ts.
import type { Trait } from "../../protocol/proposal.ts";
import { one } from "./use.ts";

/** Node's options that load or evaluate nothing: alone, with "=value", or with the next word as their value. */
const nodeFlags =
  /^(?:-v|--version|-h|--help|-c|--check|--test|--test-only|--watch|--no-warnings|--enable-source-maps|--expose-gc|--trace-(?:warnings|deprecation|uncaught|exit)|--throw-deprecation|--experimental-(?:strip-types|transform-types|test-coverage|test-module-mocks|vm-modules|sqlite)|--test-force-exit)$/;
const nodeValues =
  /^--(?:test-name-pattern|test-skip-pattern|test-reporter|test-concurrency|test-timeout|test-shard|stack-trace-limit|max-old-space-size|unhandled-rejections)(=|$)/;

export function node(args: readonly string[], name: string): Trait[] {
  const traits = [one("runs-project-code", args.find((word) => !word.startsWith("-")) ?? name)];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (!word.startsWith("-") || word === "--") break;
    const valued = nodeValues.exec(word);
    if (valued?.[1] === "") at++;
    else if (valued === null && !nodeFlags.test(word)) return [one("opaque", word), ...traits];
  }
  return traits;
}

/** Modules of Python itself that take code or serve as a wrapper. */
const pythonWrappers =
  /^(?:code|codeop|cProfile|pdb|profile|runpy|timeit|trace|idlelib|asyncio|http\.server|webbrowser)(?:\.|$)/;
const pythonInstallers = /^(?:pip|ensurepip|venv|virtualenv|pipx|uv|poetry|conda)(?:\.|$)/;

export function python(args: readonly string[], name: string): Trait[] {
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
}

/** deno's options that permit things to its own program; others name settings or code to load. */
const denoOptions =
  /^(?:-[Aqr]|--(?:allow|deny)-[a-z-]+(?:=.*)?|--(?:no-check|check|watch|quiet|no-prompt|unstable-[a-z-]+|coverage|parallel|doc|filter=.*))$/;
const denoFiles = /^(?:run|test|check|bench|serve|compile|fmt|lint|task)$/;

/** Other interpreters: a file first, or their version; every option before it may be code. */
export function interpreter(args: readonly string[], name: string): Trait[] {
  const [first] = args;
  const runs = one("runs-project-code", first ?? name);
  if (first === undefined || (args.length === 1 && /^(?:-v|-V|--version|--help)$/.test(first))) return [runs];
  if (first.startsWith("-") || /^(?:eval|repl|x|exec)$/.test(first)) return [one("opaque", first), runs];
  if (name === "deno" && denoFiles.test(first)) {
    const odd = denoOdd(args.slice(1));
    return odd === undefined ? [runs] : [one("opaque", odd), runs];
  }
  if (/^(?:install|add|i|update|upgrade|create|init|publish|compile)$/.test(first))
    return [one("network", first), runs];
  return [runs];
}

/** The first word before deno's own program that is no known option; a program from elsewhere is one too. */
function denoOdd(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => !denoOptions.test(word));
  const word = words[at];
  return word !== undefined && (word.startsWith("-") || /^[a-z]+:/.test(word)) ? word : undefined;
}
