// Finds the repository that a workspace lies in, and what its HEAD is, from plain files alone. Used by git-session.ts and git-shadow.ts.
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { kindAt, readLine, readPlain, requireNoLinks, requirePlainEntries, unusable } from "./git-files.ts";

export interface Repository {
  /** Real path of the folder that holds `.git`. */
  top: string;
  /** Where HEAD and index are; a linked worktree has its own. */
  gitDir: string;
  /** Where objects, refs and config are. */
  commonDir: string;
  /** True when `gitDir` was named by a `.git` file and only its `core.worktree` can prove that it belongs here (a submodule). */
  proveByConfig: boolean;
}

/** `ref` is the full name of the branch; `commit` is absent while it has no commit. */
export interface Head {
  ref?: string;
  commit?: string;
}

export const packedRefsLimit = 64 * 1024 * 1024;
export const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Branch names as git allows them, and safe as a path in the shadow. */
const branchRef = /^refs\/heads(?:\/(?!\.)[^/\p{Cc} ~^:?*[\\]+)+$/u;

/** The repository around `root` (a real path), or null. Throws `unusable` for one that points to where it must not. */
export async function findRepository(root: string): Promise<Repository | null> {
  for (let top = root; ; top = dirname(top)) {
    const dotGit = join(top, ".git");
    switch (await kindAt(dotGit)) {
      case "folder":
        if (await isGitDir(dotGit)) return ownRepository(top, dotGit);
        break;
      case "file":
        return linkedRepository(top, dotGit);
      case "other":
        throw unusable(`${dotGit} is a link or a special file`);
      case null:
    }
    if (dirname(top) === top) return null;
  }
}

/** As git does it: an empty `.git` folder is none. */
async function isGitDir(dir: string): Promise<boolean> {
  const kinds = await Promise.all(["HEAD", "objects", "refs"].map((name) => kindAt(join(dir, name))));
  return kinds.every((kind) => kind !== null);
}

async function ownRepository(top: string, gitDir: string): Promise<Repository> {
  if ((await kindAt(join(gitDir, "commondir"))) !== null) {
    throw unusable(`${gitDir} has a commondir file, so it may show another repository`);
  }
  return { top, gitDir, commonDir: gitDir, proveByConfig: false };
}

/** A linked worktree or a submodule: a `.git` file is believed only when the place it names points back to it (TH33). */
async function linkedRepository(top: string, dotGit: string): Promise<Repository> {
  const target = /^gitdir: (.+)$/s.exec((await readLine(dotGit)) ?? "")?.[1];
  if (target === undefined) throw unusable(`${dotGit} is not a valid .git file`);
  const gitDir = await realpath(resolve(top, target)).catch(() => {
    throw unusable(`${dotGit} points to ${target}, which is not there`);
  });
  const common = await readLine(join(gitDir, "commondir"));
  if (common === null) return { top, gitDir, commonDir: gitDir, proveByConfig: true };

  const commonDir = dirname(dirname(gitDir));
  const back = await readLine(join(gitDir, "gitdir"));
  const pointsBack = back !== null && (await realpath(resolve(gitDir, back)).catch(() => null)) === dotGit;
  const namesCommon = (await realpath(resolve(gitDir, common)).catch(() => null)) === commonDir;
  if (!pointsBack || !namesCommon || basename(dirname(gitDir)) !== "worktrees") {
    throw unusable(`${dotGit} points to ${gitDir}, which is not the worktree entry of this folder`);
  }
  return { top, gitDir, commonDir, proveByConfig: false };
}

/** Throws `unusable` when objects could come from anywhere else than this repository. */
export async function requireOwnObjects(repository: Repository): Promise<void> {
  const objects = join(repository.commonDir, "objects");
  if ((await kindAt(objects)) !== "folder") throw unusable(`${objects} is not a folder`);
  for (const folder of [objects, join(objects, "info"), join(objects, "pack")])
    await requirePlainEntries(folder);
  const alternates = join(objects, "info", "alternates");
  if ((await kindAt(alternates)) !== null) {
    throw unusable(`${alternates} takes objects from another repository`);
  }
}

/** Where HEAD is. Throws `unusable` when it cannot be told. */
export async function readHead({ gitDir, commonDir }: Repository): Promise<Head> {
  if ((await kindAt(join(commonDir, "reftable"))) !== null)
    throw unusable("it keeps its branches as a reftable");
  const head = await readLine(join(gitDir, "HEAD"));
  if (head === null) throw unusable("it has no HEAD");
  if (objectId.test(head)) return { commit: head };
  const ref = refNamed(head);
  const commit = await readRef(commonDir, ref);
  return commit === null ? { ref } : { ref, commit };
}

function refNamed(line: string): string {
  const ref = /^ref:\s*(.*)$/.exec(line)?.[1];
  if (ref === undefined || !branchRef.test(ref)) throw unusable("its HEAD names no branch and no commit");
  return ref;
}

async function readRef(commonDir: string, ref: string): Promise<string | null> {
  let name = ref;
  for (let links = 0; links < 5; links++) {
    await requireNoLinks(commonDir, dirname(name));
    const value = (await readLine(join(commonDir, name))) ?? (await readPackedRef(commonDir, name));
    if (value === null || objectId.test(value)) return value;
    name = refNamed(value);
  }
  throw unusable(`the branch ${ref} goes in circles`);
}

async function readPackedRef(commonDir: string, ref: string): Promise<string | null> {
  const file = await readPlain(join(commonDir, "packed-refs"), packedRefsLimit);
  const line = file?.bytes
    .toString()
    .split("\n")
    .find((text) => text.endsWith(` ${ref}`));
  return line?.slice(0, -ref.length - 1) ?? null;
}
