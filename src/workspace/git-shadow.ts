// The shadow: a throw-away gitdir with our own config, copies of HEAD, branch and index, and the real objects (D2).
// git sees the repository's content and none of its settings, and has nothing of it to write to. Used by git.ts.
import { mkdir, mkdtemp, readdir, realpath, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readConfig, shadowConfig } from "./git-config.ts";
import { kindAt, readPlain, requireNoLinks, unusable } from "./git-files.ts";
import { type Head, type Repository, readHead, requireOwnObjects } from "./git-repository.ts";

const indexLimit = 512 * 1024 * 1024;
const infoLimit = 1024 * 1024;

export interface Shadow {
  head: Head;
  /** What git must be told to use the shadow in place of `.git`. */
  env: Record<string, string>;
  /** A partial clone: objects may be missing, and are never fetched. */
  partial: boolean;
}

/** Makes the shadow, lends it to `use` and removes it. Throws `unusable` when the repository is not fit to be read. */
export async function withShadow<T>(
  repository: Repository,
  git: string,
  signal: AbortSignal,
  use: (shadow: Shadow) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "minicode-git-"));
  try {
    return await use(await makeShadow(repository, folder, git, signal));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeShadow(
  repository: Repository,
  folder: string,
  git: string,
  signal: AbortSignal,
): Promise<Shadow> {
  const { top, gitDir, commonDir } = repository;
  const dir = join(folder, "git");
  await requireOwnObjects(repository);
  const head = await readHead(repository);
  const config = await readConfig(repository, folder, git, signal);
  if (repository.proveByConfig) await requireWorktree(config.get("core.worktree"), repository);

  await mkdir(join(dir, "refs"), { recursive: true });
  await mkdir(join(dir, "info"));
  await writeFile(join(dir, "config"), shadowConfig(config));
  await writeHead(dir, head);
  await copyIndex(gitDir, dir);
  await requireNoLinks(commonDir, "info");
  await requireNoLinks(gitDir, "info");
  await copy(join(commonDir, "info/exclude"), join(dir, "info/exclude"), infoLimit);
  await copy(join(commonDir, "info/attributes"), join(dir, "info/attributes"), infoLimit);
  await copy(join(gitDir, "info/sparse-checkout"), join(dir, "info/sparse-checkout"), infoLimit);

  const env = {
    GIT_DIR: dir,
    GIT_WORK_TREE: top,
    GIT_OBJECT_DIRECTORY: join(commonDir, "objects"),
    GIT_CEILING_DIRECTORIES: dirname(top),
    GIT_LITERAL_PATHSPECS: "1",
  };
  return { head, env, partial: config.has("extensions.partialclone") };
}

/** A submodule's gitdir belongs to the folder that its `core.worktree` names. */
async function requireWorktree(worktree: string | undefined, { top, gitDir }: Repository): Promise<void> {
  const named = worktree === undefined ? null : await realpath(resolve(gitDir, worktree)).catch(() => null);
  if (named !== top) throw unusable(`${join(top, ".git")} points to ${gitDir}, which does not point back`);
}

async function writeHead(dir: string, { ref, commit }: Head): Promise<void> {
  await writeFile(join(dir, "HEAD"), ref === undefined ? `${commit}\n` : `ref: ${ref}\n`);
  if (ref === undefined || commit === undefined) return;
  await mkdir(join(dir, dirname(ref)), { recursive: true });
  await writeFile(join(dir, ref), `${commit}\n`);
}

/** The index with the base files that a split index names. */
async function copyIndex(gitDir: string, dir: string): Promise<void> {
  await copy(join(gitDir, "index"), join(dir, "index"), indexLimit);
  for (const name of await readdir(gitDir)) {
    if (/^sharedindex\.[0-9a-f]+$/.test(name)) await copy(join(gitDir, name), join(dir, name), indexLimit);
  }
}

/**
 * Copies a file if there is one. The copy is as old as the original, in whole seconds: git takes an entry for unchanged
 * only when it is older than the index, so a younger index would hide edits made in the second of the last `git add`.
 */
async function copy(from: string, to: string, maxBytes: number): Promise<void> {
  if ((await kindAt(from)) === null) return;
  const file = await readPlain(from, maxBytes);
  if (file === null) return;
  await writeFile(to, file.bytes);
  await utimes(to, file.mtimeSeconds, file.mtimeSeconds);
}
