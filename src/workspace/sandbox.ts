// Confines approved programs with bubblewrap on Linux (D4): the file system read-only but for the workspace, no network unless it
// was approved, the home folder's secrets hidden, processes of their own. Used by command.ts; probed once by src/app.ts.
import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import type { Confinement, Trait } from "../protocol/proposal.ts";
import { messageOf } from "../util/errors.ts";
import { isInside } from "./environment.ts";
import { onPath } from "./program.ts";

/** What this machine can do: bubblewrap's program, or why there is no sandbox. */
export type Sandbox =
  | { kind: "bubblewrap"; program: string; argv0: boolean; hidden: readonly string[] }
  | { kind: "none"; why: string };

/** Where a program can write though the rest of the machine is read-only: private to it, and gone with it. */
const privateFolders = ["/tmp", "/run"];
/** Below the home folder; a folder is shown empty, a file as well. */
const secretPlaces = [
  ...[".ssh", ".aws", ".gnupg", ".azure", ".kube", ".docker", ".oci", ".password-store", ".minicode"],
  ...[".config/gh", ".config/gcloud", ".config/op", ".config/rclone", ".local/share/keyrings", ".mozilla"],
  ...[".netrc", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".git-credentials", ".pgpass", ".my.cnf"],
  ...[".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml"],
];
/** What package managers must write when they may fetch. */
const cacheFolders = [
  ...[".npm", ".cache", ".cargo/registry", ".cargo/git", ".local/share/pnpm", ".yarn", ".bun"],
  ...["go/pkg", ".m2/repository", ".gradle", ".nuget", ".gem", ".bundle"],
];

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
  const run = promisify(execFile);
  try {
    const { stdout } = await run(program, ["--help"], { timeout: probeMs });
    const argv0 = stdout.includes("--argv0");
    const sandbox: Sandbox = { kind: "bubblewrap", program, argv0, hidden: [...own, ...secretFiles()] };
    const content: Confinement = { kind: "bubblewrap", network: false, git: "read-only" };
    const argv = wrapped(sandbox, content, {
      root: "/",
      cwd: "/",
      program: "/bin/true",
      argv: ["/bin/true"],
    });
    await run(program, argv, { timeout: probeMs, env: {} });
    return sandbox;
  } catch (error) {
    const reason = messageOf(error)
      .split("\n")
      .filter((line) => line.startsWith("bwrap:"))[0];
    return {
      kind: "none",
      why: `bubblewrap does not work here${reason === undefined ? "" : ` (${reason})`}`,
    };
  }
}

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
}

/** Arguments of bubblewrap that run the program as `confinement` says. */
export function wrapped(
  sandbox: Extract<Sandbox, { kind: "bubblewrap" }>,
  confinement: Extract<Confinement, { kind: "bubblewrap" }>,
  { root, cwd, program, argv }: Confined,
): string[] {
  const home = homedir();
  const caches = confinement.network ? cacheFolders.map((name) => join(home, name)).filter(existsSync) : [];
  const isPrivate = (path: string): boolean => privateFolders.some((folder) => isInside(folder, path));
  const git = join(root, ".git");
  const protectGit = root !== "/" && confinement.git === "read-only" && existsSync(git);
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...privateFolders.flatMap((folder) => ["--tmpfs", folder]),
    // Names are resolved through it on many systems.
    ...(confinement.network ? ["--ro-bind-try", "/run/systemd/resolve", "/run/systemd/resolve"] : []),
    ...caches.flatMap((path) => ["--bind", path, path]),
    ...sandbox.hidden.filter(existsSync).flatMap(hide),
    ...(isPrivate(program) ? ["--ro-bind", program, program] : []),
    ...(root === "/" ? [] : ["--bind", root, root]),
    ...(protectGit ? ["--ro-bind", git, git] : []),
    ...["--unshare-all", ...(confinement.network ? ["--share-net"] : [])],
    ...["--new-session", "--cap-drop", "ALL"],
    ...(process.getuid?.() === 0 ? [] : ["--unshare-user", "--disable-userns"]),
    ...["--setenv", "TMPDIR", "/tmp", "--chdir", cwd],
    ...called(sandbox, program, argv),
  ];
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

function secretFiles(): string[] {
  return secretPlaces.map((name) => join(homedir(), name));
}

function hide(path: string): string[] {
  if (!isAbsolute(path)) return [];
  return statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}
