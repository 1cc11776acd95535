// Confines approved programs with bubblewrap on Linux (D4): the file system read-only but for the workspace, no network unless it
// was approved, the home folder's secrets hidden, processes of their own. Used by command.ts; probed once by src/app.ts.
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Confinement, Trait } from "../protocol/proposal.ts";
import { accountFolder, homeFolder } from "../util/home-folder.ts";
import { isInside } from "./environment.ts";
import { runProcess } from "./process.ts";
import { onPath } from "./program.ts";
import { type Place, presentPlaces, secretPlaces, systemSecrets, writableCaches } from "./sandbox-places.ts";

/** What this machine can do: bubblewrap's program, or why there is no sandbox. */
export type Sandbox =
  | { kind: "bubblewrap"; program: string; argv0: boolean; hidden: readonly string[] }
  | { kind: "none"; why: string };

/** Where a program can write though the rest of the machine is read-only: private to it, and gone with it. */
const privateFolders = ["/tmp", "/run"];
/** Root may write these without any capability, and the kernel's settings have it run programs outside (core_pattern). */
const kernelFiles = ["/proc/sys", "/proc/sysrq-trigger", "/proc/fs", "/proc/scsi", "/proc/acpi"];
/** What of /run programs need: NixOS has its programs there; with network, names are resolved through the other. */
const systemPrograms = "/run/current-system";
const resolver = "/run/systemd/resolve";

const probeMs = 5_000;

/**
 * Looks whether commands can be confined, by confining one. `own` are MiniCode's own folders, which stay hidden from programs.
 * Never rejects; nothing is looked for when `wanted` is "off".
 */
export async function probeSandbox(
  wanted: "auto" | "require" | "off",
  searchPath: string,
  own: readonly string[],
): Promise<Sandbox> {
  if (wanted === "off") return { kind: "none", why: "it is switched off" };
  if (process.platform !== "linux") return { kind: "none", why: `there is none for ${process.platform} yet` };
  const program = await onPath("bwrap", searchPath);
  if (program === null) return { kind: "none", why: "bubblewrap is not installed" };
  const help = await probe(program, ["--help"]);
  if (!isRoot() && help.exit === 0 && !help.text.includes("--disable-userns"))
    return { kind: "none", why: "bubblewrap is too old (0.8 or newer is needed)" };
  const homes = new Set([homeFolder(), accountFolder() ?? homeFolder()]);
  const secrets = [...homes].flatMap((home) => secretPlaces(home, process.env));
  const hidden = [...own.filter(isAbsolute), ...secrets, ...(isRoot() ? systemSecrets : [])];
  const sandbox: Sandbox = { kind: "bubblewrap", program, argv0: help.text.includes("--argv0"), hidden };
  const confinement: Confinement = { kind: "bubblewrap", network: false, git: "read-only" };
  const trial = { root: "/", cwd: "/", program, argv: [program, "--version"], gitFolder: null };
  const { args, inputs } = wrapped(sandbox, confinement, trial);
  const { exit, text } = await probe(program, args, inputs);
  if (exit === 0) return sandbox;
  const reason = text.split("\n").filter((line) => line.startsWith("bwrap:"))[0];
  return {
    kind: "none",
    why: `bubblewrap does not work here${reason === undefined ? "" : ` (${reason})`}`,
  };
}

async function probe(program: string, args: readonly string[], inputs: readonly string[] = []) {
  const signal = new AbortController().signal;
  const end = await runProcess({ program, args, inputs, cwd: "/", env: {}, timeoutMs: probeMs, signal });
  return { exit: end.exit, text: end.output.toString() };
}

/** What in a workspace tells MiniCode what to keep out of. */
const ours = [".minicode", ".minicodeignore"];

/** How a command with these traits is confined; part of its proposal. */
export function confinementFor(sandbox: Sandbox, traits: readonly Trait[]): Confinement {
  if (sandbox.kind === "none") return sandbox;
  const has = (name: Trait["trait"]): boolean => traits.some(({ trait }) => trait === name);
  return { kind: "bubblewrap", network: has("network"), git: has("git-write") ? "writable" : "read-only" };
}

interface Confined {
  /** The workspace, absolute. */
  root: string;
  /** Absolute. */
  cwd: string;
  program: string;
  /** As the program is told that it was called. */
  argv: readonly string[];
  /** Git's own folder where it lies outside of the workspace. */
  gitFolder: string | null;
}

/**
 * Arguments of bubblewrap that run the program so, and what bubblewrap has to find at the descriptors 3, 4, …: one text each.
 * With network, a cache that a named package manager will look for is made where it is missing.
 */
export function wrapped(
  sandbox: Extract<Sandbox, { kind: "bubblewrap" }>,
  { network, git }: Extract<Confinement, { kind: "bubblewrap" }>,
  { root, cwd, program, argv, gitFolder }: Confined,
): { args: string[]; inputs: string[] } {
  const hidden = presentPlaces(sandbox.hidden).filter(
    ({ path }) => !isPrivate(path) || (root !== "/" && isInside(root, path)),
  );
  // The workspace is shown though it lies in a hidden folder; what is hidden in the workspace is hidden all the same.
  const around = hidden.filter(({ path }) => isInside(path, root));
  const others = hidden.filter((place) => !around.includes(place));
  const files = others.filter(({ isFolder }) => !isFolder);
  const writable = [
    ...(network ? writableCaches(homeFolder(), process.env, argv).map(({ path }) => path) : []),
    ...(root === "/" ? [] : [root]),
    ...(git === "writable" && gitFolder !== null ? [gitFolder] : []),
  ];
  const args = [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...(isRoot() ? kernelFiles.flatMap((path) => ["--ro-bind-try", path, path]) : []),
    ...privateFolders.flatMap((folder) => ["--tmpfs", folder]),
    ...["--ro-bind-try", systemPrograms, systemPrograms],
    ...(network ? nameResolution() : []),
    ...(isPrivate(program) ? ["--ro-bind", program, program] : []),
    ...around.flatMap(emptied),
    ...writable.flatMap((path) => ["--bind", path, path]),
    ...others.filter(({ isFolder }) => isFolder).flatMap(emptied),
    ...files.flatMap(({ path }, i) => ["--ro-bind-data", String(3 + i), path]),
    ...keptFrom(root, git === "read-only" ? [...ours, ".git"] : ours),
    ...["--unshare-all", ...(network ? ["--share-net"] : [])],
    ...["--new-session", "--cap-drop", "ALL"],
    ...(isRoot() ? [] : ["--unshare-user", "--disable-userns"]),
    ...["--setenv", "TMPDIR", "/tmp"],
    // Go builds nothing without a cache that it can write.
    ...(network ? [] : ["--setenv", "GOCACHE", "/tmp/go-build"]),
    ...["--chdir", cwd],
    ...called(sandbox, program, argv),
  ];
  return { args, inputs: files.map(({ path }) => inPlaceOf(path)) };
}

/** Maven refuses settings without a root element. */
function inPlaceOf(path: string): string {
  return path.endsWith(".xml") ? "<settings/>\n" : "";
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function isPrivate(path: string): boolean {
  return privateFolders.some((folder) => isInside(folder, path));
}

function emptied({ path }: Place): string[] {
  return ["--tmpfs", path];
}

/** Read-only, as far as they are there: what git's settings and hooks say is run by whoever calls git next. */
function keptFrom(root: string, names: readonly string[]): string[] {
  const found = root === "/" ? [] : presentPlaces(names.map((name) => join(root, name)));
  return found.filter(({ path }) => isInside(root, path)).flatMap(({ path }) => ["--ro-bind", path, path]);
}

function nameResolution(): string[] {
  const places = [resolver, ...presentPlaces(["/etc/resolv.conf"]).map(({ path }) => path)];
  return places.filter(isPrivate).flatMap((path) => ["--ro-bind-try", path, path]);
}

/** The program under the name it was called by: some are many programs in one file, and Python finds its environment so. */
function called({ argv0 }: { argv0: boolean }, program: string, argv: readonly string[]): string[] {
  const [name = program, ...args] = argv;
  if (name === program) return ["--", program, ...args];
  if (argv0) return ["--argv0", name, "--", program, ...args];
  // Older releases cannot say it; bash can.
  if (!existsSync("/bin/bash")) return ["--", program, ...args];
  const script = 'name=$1 program=$2; shift 2; exec -a "$name" -- "$program" "$@"';
  return ["--", "/bin/bash", "--noprofile", "--norc", "-p", "-c", script, "minicode", name, program, ...args];
}
