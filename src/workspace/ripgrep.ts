// ripgrep with fixed arguments and no configuration (TH54), and where it is let look. Used by search.ts, find.ts and tree.ts.
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { messageOf } from "../util/errors.ts";
import type { Program } from "./exec.ts";
import { type Gitignore, gitignoreOf } from "./gitignore.ts";
import type { Dir, PathGate } from "./path-gate.ts";
import { joinPath, splitPath } from "./path-walk.ts";

const timeoutMs = 20_000;

/**
 * Only .gitignore files at or below the folder count: rules of folders above it are added by `Place.holds`, and a
 * `*` in the home folder's .gitignore must not empty every project below.
 */
const fixedArgs = [
  ...["--no-config", "--no-follow", "--hidden", "--no-require-git", "--no-ignore-parent", "--no-ignore-dot"],
  ...["--no-ignore-global", "--no-ignore-exclude", "--path-separator=/", "--glob-case-insensitive"],
];

/** Where to look: a folder, or one file in it. Opened, so that a rename cannot lead elsewhere. */
export interface Place {
  /** Workspace path of the file or folder. */
  path: string;
  isFile: boolean;
  /** Its size when it was opened; 0 for a folder. */
  fileBytes: number;
  /** Turns a path as ripgrep prints it into a workspace path. */
  toWorkspace(printed: string): string;
  /** Whether a found file is to be shown: visible, and not ignored unless the place itself is. */
  holds(path: string): Promise<boolean>;
  /** The call; `modes` come before the place. Lives as long as the place is open. */
  program(modes: readonly string[], globs: readonly string[], signal: AbortSignal): Program;
  close(): Promise<void>;
}

/** Opens what `input` names. Refuses what the path gate refuses: outside, protected, a link, a pipe, nothing there. */
export async function openPlace(gate: PathGate, input: string): Promise<Result<Place>> {
  const rg = await ripgrep();
  if (!rg.ok) return rg;
  const folder = await gate.openDir(input);
  if (folder.ok) return ok(await placeOf(gate, rg.value, folder.value, folder.value.path, null));
  const file = await gate.openFile(input);
  if (!file.ok) return file;
  const { handle, stat } = file.value;
  await handle.close();
  const parent = await gate.openDir(splitPath(file.value.path).folder);
  return parent.ok
    ? ok(await placeOf(gate, rg.value, parent.value, file.value.path, Number(stat.size)))
    : parent;
}

/** Where the program is. Loaded when it is used: the package throws on a platform that it has no program for. */
async function ripgrep(): Promise<Result<string>> {
  try {
    return ok((await import("@vscode/ripgrep")).rgPath);
  } catch (error) {
    return refuse("error", `Search is not available: ${messageOf(error)}`);
  }
}

/** `fileBytes` is null for a folder. */
async function placeOf(
  gate: PathGate,
  rg: string,
  dir: Dir,
  path: string,
  fileBytes: number | null,
): Promise<Place> {
  const isFile = fileBytes !== null;
  const gitignore: Gitignore = gitignoreOf(gate);
  // Whoever names an ignored folder or one in node_modules means to look into it.
  const unfiltered = isFile || inNodeModules(dir.path) || (await gitignore.ignores(dir.path, true));
  const folderGlobs = ["--glob=!.git", ...(unfiltered ? [] : ["--glob=!node_modules"])];
  const target = isFile ? `./${splitPath(path).name}` : ".";
  return {
    path,
    isFile,
    fileBytes: fileBytes ?? 0,
    toWorkspace: (printed) => joinPath(dir.path, printed.replace(/^\.\//, "")),
    holds: async (found) =>
      (await gate.visible(found, false)) && (unfiltered || !(await gitignore.ignores(found, false))),
    program: (modes, globs, signal) => ({
      program: rg,
      args: [
        ...fixedArgs,
        ...(unfiltered ? ["--no-ignore"] : []),
        ...modes,
        ...globs,
        ...folderGlobs,
        "--",
        target,
      ],
      cwd: dir.child("."),
      env: {},
      timeoutMs,
      signal,
    }),
    close: () => dir.close(),
  };
}

/**
 * ripgrep's arguments for a name pattern: without "/" it counts at any depth, with one from the folder searched. A plain
 * folder name stands for all below it. A leading "!" is part of the name.
 */
export function globArgs(pattern: string, root: string): string[] {
  const inside = pattern.startsWith(`${root}/`) ? pattern.slice(root.length) : pattern;
  const glob = inside.replace(/^(?:\.\/)+/, "").replace(/^!/, "\\!");
  const globs = glob.endsWith("/") ? [`${glob}**`] : /[*?[{]/.test(glob) ? [glob] : [glob, `${glob}/**`];
  return globs.map((each) => `--glob=${!each.startsWith("/") && isBare(glob) ? `**/${each}` : each}`);
}

/** No "/" but a last one. */
function isBare(glob: string): boolean {
  return !glob.slice(0, -1).includes("/");
}

/** What ripgrep complained about, in its own words without the frame. */
export function complaint(stderr: string): string {
  const errors = [...stderr.matchAll(/^(?:error|PCRE2): (.+)$/gm)].map(([, message]) => message);
  const first = stderr.split("\n", 1)[0] ?? "";
  return (errors.at(-1) ?? first.replace(/^rg: /, "")).trim();
}

function inNodeModules(path: string): boolean {
  return path.split("/").includes("node_modules");
}
