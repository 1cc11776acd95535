// What `minicode doctor` looks at on this machine: Node, git, ripgrep, the terminal, the folders. Nothing is left written.
import { constants } from "node:fs";
import { access, mkdtemp, readFile, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import type { Folders } from "../config/folders.ts";
import { packageRoot } from "../config/package-root.ts";
import { AppError, errnoOf, messageOf } from "../util/errors.ts";
import { capture } from "../workspace/exec.ts";
import { findGit } from "../workspace/git-program.ts";
import { probeSandbox } from "../workspace/sandbox.ts";
import type { Check } from "./check.ts";
import { type Io, wantsColor } from "./io.ts";

const PROGRAM_MS = 10_000;
const OUTPUT_BYTES = 4_096;
/** Panels need some room; see test/tui/screens. */
const MIN_COLUMNS = 40;

export async function machineChecks(io: Io, places: Folders, signal: AbortSignal): Promise<Check[]> {
  return [
    await nodeCheck(),
    await gitCheck(io.cwd(), signal),
    await ripgrepCheck(signal),
    await sandboxCheck(io.env),
    terminalCheck(io),
    await folderCheck("config folder", places.config, "written"),
    await folderCheck("data folder", places.data, "read"),
    await folderCheck("state folder", places.state, "read"),
  ];
}

async function nodeCheck(): Promise<Check> {
  const manifest = await readFile(join(packageRoot(), "package.json"), "utf8");
  const { engines } = z.object({ engines: z.object({ node: z.string() }) }).parse(JSON.parse(manifest));
  const wanted = engines.node.replace(/^>=/, "");
  const found = process.versions.node;
  const detail = `${found} (${wanted} or newer is needed)`;
  if (isAtLeast(found, wanted)) return { name: "node", state: "ok", detail };
  return {
    name: "node",
    state: "fail",
    detail,
    hint: "Install a newer Node, from nodejs.org or your system.",
  };
}

function isAtLeast(found: string, wanted: string): boolean {
  const [have, need] = [found, wanted].map((version) => version.split(".").map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (have?.[i] ?? 0) - (need?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

async function gitCheck(folder: string, signal: AbortSignal): Promise<Check> {
  const name = "git";
  const hint = "Install git: the demo and the git tool need it.";
  try {
    const program = await findGit(folder);
    const said = await versionOf(program, folder, signal);
    if (said !== undefined) return { name, state: "ok", detail: `${said}, ${program}` };
    return { name, state: "fail", detail: `${program} does not run`, hint };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { name, state: "fail", detail: "there is no git on PATH", hint };
  }
}

async function ripgrepCheck(signal: AbortSignal): Promise<Check> {
  const name = "ripgrep";
  const hint = "Install MiniCode again: the search tools come with it as a package, @vscode/ripgrep.";
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    const said = await versionOf(rgPath, dirname(rgPath), signal);
    if (said !== undefined) return { name, state: "ok", detail: `${said}, comes with MiniCode` };
    return { name, state: "fail", detail: `${rgPath} does not run`, hint };
  } catch (error) {
    return { name, state: "fail", detail: `there is none for this machine: ${messageOf(error)}`, hint };
  }
}

async function sandboxCheck(env: NodeJS.ProcessEnv): Promise<Check> {
  const name = "sandbox";
  const sandbox = await probeSandbox("auto", env["PATH"] ?? "", []);
  if (sandbox.kind === "bubblewrap")
    return { name, state: "ok", detail: `${sandbox.program} confines approved programs` };
  const hint =
    process.platform === "linux"
      ? "Install bubblewrap (apt install bubblewrap); without it programs can do what you can."
      : "Programs you approve can do what you can.";
  return { name, state: "warn", detail: `none: ${sandbox.why}`, hint };
}

/** The version that a program tells; undefined when it does not run. */
async function versionOf(program: string, cwd: string, signal: AbortSignal): Promise<string | undefined> {
  const run = { program, args: ["--version"], cwd, env: {}, timeoutMs: PROGRAM_MS, signal };
  const { how, exit, stdout } = await capture(run, OUTPUT_BYTES);
  if (how !== "exited" || exit !== 0) return undefined;
  const [line = ""] = stdout.toString().split("\n");
  return /\d+(\.\d+)+/.exec(line)?.[0] ?? line;
}

function terminalCheck({ stdin, stdout, env }: Io): Check {
  const name = "terminal";
  if (!stdout.isTTY || !stdin.isTTY) {
    const detail = "this run has none; the interactive session needs one, minicode -p does not";
    return { name, state: "skipped", detail };
  }
  const { columns = 0, rows = 0 } = stdout;
  const term = env["TERM"] || "not set";
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "not set";
  const utf8 = /utf-?8/i.test(locale) || process.platform !== "linux";
  const detail = [
    `${columns} x ${rows}`,
    `TERM ${term}`,
    wantsColor(stdout, env) ? "colours" : "no colours",
    utf8 ? "UTF-8" : `the locale (${locale}) is not UTF-8`,
  ].join(", ");
  const problem = terminalHint(term, columns, utf8);
  return problem === undefined
    ? { name, state: "ok", detail }
    : { name, state: "warn", detail, hint: problem };
}

function terminalHint(term: string, columns: number, utf8: boolean): string | undefined {
  if (term === "dumb" || term === "not set") return "Set TERM to what your terminal is, or use minicode -p.";
  if (columns < MIN_COLUMNS) return `Make the window at least ${MIN_COLUMNS} columns wide.`;
  return utf8 ? undefined : "export LANG=C.UTF-8, or some marks and lines come out wrong.";
}

/**
 * Whether a folder can be used, or could be made. Nobody else may write the configuration, which says where the code goes, or
 * read the sessions, which hold it.
 */
async function folderCheck(name: string, folder: string, mayNotBe: "written" | "read"): Promise<Check> {
  const found = await nearestExisting(folder);
  const mine = found.path === folder;
  if (!found.isFolder) {
    const detail = `${found.path} is not a folder`;
    return {
      name,
      state: "fail",
      detail,
      hint: "Move that file away, or set another place with XDG_*_HOME.",
    };
  }
  try {
    await (mine ? access(folder, constants.W_OK | constants.X_OK) : canMakeIn(found.path));
  } catch (error) {
    const detail = `${mine ? folder : `${folder} cannot be made: ${found.path}`} cannot be written (${errnoOf(error)})`;
    return {
      name,
      state: "fail",
      detail,
      hint: `Make ${found.path} yours and writable, or set another place with XDG_*_HOME.`,
    };
  }
  if (!mine) return { name, state: "ok", detail: `${folder} (made when it is first needed)` };
  const open = found.mode & (mayNotBe === "written" ? 0o022 : 0o077);
  if (open === 0 || process.platform === "win32") return { name, state: "ok", detail: folder };
  const detail = `${folder} can be ${mayNotBe} by others on this machine (mode ${found.mode.toString(8)})`;
  return { name, state: "warn", detail, hint: `chmod 700 ${folder}` };
}

/** Rejects where no folder can be made: what the mode bits say is not all, /proc gives root every right and no folder. */
async function canMakeIn(folder: string): Promise<void> {
  await rmdir(await mkdtemp(join(folder, ".minicode-doctor-")));
}

async function nearestExisting(folder: string): Promise<{ path: string; isFolder: boolean; mode: number }> {
  try {
    const found = await stat(folder);
    return { path: folder, isFolder: found.isDirectory(), mode: found.mode & 0o777 };
  } catch (error) {
    const parent = dirname(folder);
    if (parent === folder || errnoOf(error) === undefined) throw error;
    return nearestExisting(parent);
  }
}
