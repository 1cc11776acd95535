// The shadow: a throw-away gitdir with our own config, copies of HEAD, branch and index, and the real objects (D2).
// git sees the repository's content and none of its settings, and has nothing of it to write to. Used by git-session.ts.
import { mkdir, mkdtemp, readdir, realpath, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readConfig, shadowConfig } from "./git-config.ts";
import { kindAt, readPlain, requireNoLinks, unusable } from "./git-files.ts";
import { readPseudoRefs, readRefs } from "./git-refs.ts";
import { type Head, type Repository, readHead, requireOwnObjects } from "./git-repository.ts";

const indexLimit = 512 * 1024 * 1024;
const infoLimit = 1024 * 1024;
const shallowLimit = 16 * 1024 * 1024;

export interface Shadow {
  head: Head;
  /** What git must be told to use the shadow in place of `.git`. */
  env: Record<string, string>;
  /** A partial clone: objects may be missing, and are never fetched. */
  partial: boolean;
  /** A shallow clone: commits end before the first one. */
  shallow: boolean;
  /** A folder for what one run needs to have as a file; gone with the shadow. */
  scratch: string;
}

/** Makes the shadow, lends it to `use` and removes it. Throws `unusable` when the repository is not fit to be read. */
export async function withShadow<T>(
  repository: Repository,
  git: string,
  signal: AbortSignal,
  need: { refs: boolean },
  use: (shadow: Shadow) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "minicode-git-"));
  try {
    return await use(await makeShadow(repository, folder, git, signal, need));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeShadow(
  repository: Repository,
  folder: string,
  git: string,
  signal: AbortSignal,
  need: { refs: boolean },
): Promise<Shadow> {
  const { top, gitDir, commonDir } = repository;
  const dir = join(folder, "git");
  const [head] = await together(readHead(repository), requireOwnObjects(repository));
  const config = await readConfig(repository, folder, git, signal);
  if (repository.proveByConfig) await requireWorktree(config.get("core.worktree"), repository);

  await mkdir(join(dir, "refs"), { recursive: true });
  await mkdir(join(dir, "info"));
  await together(requireNoLinks(commonDir, "info"), requireNoLinks(gitDir, "info"));
  await together(
    writeFile(join(dir, "config"), shadowConfig(config)),
    writeHead(dir, head),
    need.refs ? writeRefs(dir, repository) : null,
    copyIndex(gitDir, dir),
    copy(join(commonDir, "info/exclude"), join(dir, "info/exclude"), infoLimit),
    copy(join(commonDir, "info/attributes"), join(dir, "info/attributes"), infoLimit),
    copy(join(commonDir, "shallow"), join(dir, "shallow"), shallowLimit),
    copy(join(gitDir, "info/sparse-checkout"), join(dir, "info/sparse-checkout"), infoLimit),
  );

  const env = {
    GIT_DIR: dir,
    GIT_WORK_TREE: top,
    GIT_OBJECT_DIRECTORY: join(commonDir, "objects"),
    GIT_CEILING_DIRECTORIES: dirname(top),
    GIT_LITERAL_PATHSPECS: "1",
  };
  return {
    head,
    env,
    partial: config.has("extensions.partialclone"),
    shallow: (await kindAt(join(dir, "shallow"))) !== null,
    scratch: folder,
  };
}

/** As `Promise.all`, but nothing is still at work when it throws: the folder is removed then. */
async function together<T extends unknown[]>(
  ...work: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
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

async function writeRefs(dir: string, repository: Repository): Promise<void> {
  const lines = [...(await readRefs(repository))].map(([name, id]) => `${id} ${name}\n`);
  await writeFile(join(dir, "packed-refs"), lines.join(""));
  for (const [name, id] of await readPseudoRefs(repository)) await writeFile(join(dir, name), `${id}\n`);
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
