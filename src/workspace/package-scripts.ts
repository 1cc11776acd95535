// What an npm, pnpm or yarn command will run: the script bodies, and the files that decide them (D11, TH56, TH86–TH90).
// Used by command.ts for every command, and by checks.ts to find a project's test.
import { realpath } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import * as z from "zod";
import type { Command } from "../protocol/proposal.ts";
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { filesMatching, namedPaths } from "./inputs.ts";
import { maxFileBytes, type PathGate } from "./path-gate.ts";
import { joinPath } from "./path-walk.ts";

/** The parts of a package.json that matter here; whatever else is wrong with it is npm's affair. */
const manifestSchema = z.object({
  scripts: z.record(z.string(), z.string()).catch({}),
  packageManager: z.string().catch(""),
  dependencies: z.record(z.string(), z.string()).catch({}),
  devDependencies: z.record(z.string(), z.string()).catch({}),
});

export interface Manifest {
  /** Its workspace path. */
  path: string;
  /** Its folder. */
  folder: string;
  scripts: Record<string, string>;
  packageManager: string;
  /** Of both kinds. */
  dependencies: Record<string, string>;
}

/** Test runners and build tools whose configuration is code, or names code to load. */
const runnerConfig =
  /^(?:(?:vitest|vite|jest|ava|babel|playwright|karma)\.config\.[cm]?[jt]s(?:on)?|vitest\.workspace\.[cm]?[jt]s|\.mocharc\.\w+|\.taprc|\.babelrc(?:\.\w+)?)$/;

/** Files in which a package manager can be told what runs the scripts; some of them are protected and only hashed. */
const managerConfig = [".npmrc", ".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml"];

/** The package.json in a workspace folder, or null. Refused when it cannot be read or is not JSON. */
export async function readManifest(gate: PathGate, folder: string): Promise<Result<Manifest | null>> {
  const path = joinPath(folder, "package.json");
  const file = await gate.readFile(path, maxFileBytes);
  if (!file.ok) return file;
  if (file.value === null) return ok(null);
  try {
    const parsed = manifestSchema.parse(JSON.parse(file.value.bytes.toString("utf8").replace(/^\uFEFF/, "")));
    const { scripts, packageManager, dependencies, devDependencies } = parsed;
    return ok({
      path,
      folder,
      scripts,
      packageManager,
      dependencies: { ...dependencies, ...devDependencies },
    });
  } catch {
    return refuse("error", `${path} is not a JSON object, so its scripts cannot be run. Mend it first.`);
  }
}

/** The folder itself and those above it up to the root, as workspace paths. */
export function foldersUpward(folder: string): string[] {
  const above = [folder];
  for (let at = folder; at !== "."; above.push(at)) at = posix.dirname(at);
  return above;
}

/**
 * For a command that runs a package script in the folder `cwd`: its bodies in order, and the files to bind. Empty for every
 * other command. Refused when the manager would leave the workspace to find a package.json.
 */
export async function packageScripts(
  gate: PathGate,
  argv: readonly string[],
  cwd: string,
): Promise<Result<Pick<Command, "scripts"> & { inputs: string[] }>> {
  const none = ok({ inputs: [], scripts: [] });
  const manager = /^(npm|pnpm|yarn|bun)(?:\.cmd)?$/.exec(posix.basename(argv[0] ?? ""))?.[1];
  if (manager === undefined) return none;
  const wanted = scriptIn(manager, argv.slice(1));
  if (wanted === null) return none;

  for (const folder of foldersUpward(cwd)) {
    const manifest = await readManifest(gate, folder);
    if (!manifest.ok) return manifest;
    if (manifest.value === null) continue;
    const scripts = bodiesOf(manifest.value.scripts, wanted.name);
    if (scripts.length === 0) return wanted.certain ? ok({ inputs: [manifest.value.path], scripts }) : none;
    const inputs = [
      manifest.value.path,
      ...foldersUpward(folder).flatMap((above) => managerConfig.map((name) => joinPath(above, name))),
      ...(await filesMatching(gate, folder, runnerConfig)),
    ];
    for (const word of scripts.flatMap(({ body }) => shellWords(body))) {
      const named = await namedPaths(gate, [word], folder);
      if (named.ok) inputs.push(...named.value);
    }
    const shadows = await installedPrograms(gate, scripts, folder);
    inputs.push(...shadows.map(({ path }) => path));
    return ok({ inputs, scripts: [...scripts, ...shadows.map(({ name, path }) => ({ name, body: path }))] });
  }
  if (!wanted.certain) return none;
  return refuse(
    "blocked",
    `There is no package.json in ${cwd} or above it, and ${manager} would look for one outside the workspace.`,
  );
}

/** The script that the words run, or null; not certain where pnpm's or yarn's first word only may be a script. */
function scriptIn(manager: string, words: readonly string[]): { name: string; certain: boolean } | null {
  const [verb, name] = words.filter((word) => !word.startsWith("-"));
  if (verb === undefined) return null;
  if (["run", "run-script", "rum", "urn"].includes(verb)) {
    return name === undefined ? null : { name, certain: true };
  }
  // Bun's own runner.
  if (manager === "bun" && verb === "test") return null;
  if (["test", "t", "tst"].includes(verb)) return { name: "test", certain: true };
  if (["start", "stop", "restart"].includes(verb)) return { name: verb, certain: true };
  return manager === "npm" ? null : { name: verb, certain: false };
}

/** pre, the script, post; then the bodies of scripts that these call, so that the user sees what really runs. */
function bodiesOf(scripts: Record<string, string>, name: string): Command["scripts"] {
  const names = new Set([`pre${name}`, name, `post${name}`]);
  const found: Command["scripts"] = [];
  for (const at of names) {
    const body = Object.hasOwn(scripts, at) ? scripts[at] : undefined;
    if (body === undefined) continue;
    found.push({ name: at, body });
    for (const [, called = ""] of body.matchAll(
      /\b(?:npm|pnpm|yarn)(?:\s+(?:run|run-script|-s|--silent))*\s+([\w:.-]+)/g,
    )) {
      for (const inner of [`pre${called}`, called, `post${called}`]) names.add(inner);
    }
  }
  return found;
}

/**
 * The workspace files that the scripts' programs really are: what stands in `node_modules/.bin` goes before every program of the
 * same name (TH89), so it is shown and bound.
 */
async function installedPrograms(
  gate: PathGate,
  scripts: Command["scripts"],
  folder: string,
): Promise<{ name: string; path: string }[]> {
  const names = new Set(scripts.flatMap(({ body }) => programNames(body)));
  const found: { name: string; path: string }[] = [];
  for (const name of names) {
    for (const above of foldersUpward(folder)) {
      const real = await realpath(join(gate.root, above, "node_modules", ".bin", name)).catch(() => null);
      if (real === null) continue;
      const path = relative(gate.root, real).split(sep).join("/");
      if (!path.startsWith("..")) found.push({ name: `${name} is`, path });
      break;
    }
  }
  return found;
}

/** The first word of each command of a script's body, after its variables. */
function programNames(body: string): string[] {
  return body.split(/&&|\|\||[;|&\n]/).flatMap((part) => {
    const words = part.trim().split(/\s+/);
    const first = words.find((word) => !/^\w+=/.test(word)) ?? "";
    return /^[\w@.-]+$/.test(first) ? [first] : [];
  });
}

function shellWords(body: string): string[] {
  return body.split(/[\s'"`;|&<>()]+/).filter((word) => word !== "");
}
