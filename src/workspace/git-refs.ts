// The repository's branches, remote branches and tags, read as plain files and never through a link. Used by git-shadow.ts.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readLine, readPlain, requireNoLinks, unusable } from "./git-files.ts";
import { objectId, packedRefsLimit, type Repository } from "./git-repository.ts";

/** More loose files than this are no branches of people. */
const maxLooseRefs = 20_000;
/** Names as git allows them, which are also safe as a line of packed-refs. */
const refName =
  /^(?!.*(?:\.\.|@\{|\.lock(?:\/|$)|\.(?:\/|$)))refs\/(?:(?:heads|tags|remotes)(?:\/(?!\.)[^/\p{Cc} ~^:?*[\\]+)+|stash)$/u;
const pseudoRefs = ["ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"];

/** Full name to object id; what is broken is left out. Throws `unusable` for links, special files and too many. */
export async function readRefs({ commonDir }: Repository): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  const packed = await readPlain(join(commonDir, "packed-refs"), packedRefsLimit);
  for (const line of packed?.bytes.toString().split("\n") ?? []) {
    const [, id, name] = /^([0-9a-f]+) (.+)$/.exec(line) ?? [];
    if (id !== undefined && name !== undefined) values.set(name, id);
  }
  await requireNoLinks(commonDir, "refs");
  const loose = { left: maxLooseRefs };
  for (const folder of ["refs/heads", "refs/tags", "refs/remotes"]) {
    await readFolder(commonDir, folder, values, loose);
  }
  const stash = await readLine(join(commonDir, "refs/stash"));
  if (stash !== null) values.set("refs/stash", stash);
  return resolved(values);
}

/** What a merge, a rebase or the like left behind: "ORIG_HEAD" and its kind to object id. */
export async function readPseudoRefs({ gitDir }: Repository): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of pseudoRefs) {
    const value = await readLine(join(gitDir, name));
    if (value !== null && objectId.test(value)) found.set(name, value);
  }
  return found;
}

async function readFolder(
  commonDir: string,
  folder: string,
  values: Map<string, string>,
  loose: { left: number },
): Promise<void> {
  await requireNoLinks(commonDir, folder);
  const entries = await readdir(join(commonDir, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const name = `${folder}/${entry.name}`;
    if (loose.left-- <= 0) throw unusable(`it has more than ${maxLooseRefs} branches and tags`);
    if (entry.isDirectory()) {
      await readFolder(commonDir, name, values, loose);
    } else if (!entry.name.endsWith(".lock")) {
      const value = await readLine(join(commonDir, name));
      if (value !== null) values.set(name, value);
    }
  }
}

/** Follows names that stand for others, like `refs/remotes/origin/HEAD`. */
function resolved(values: ReadonlyMap<string, string>): Map<string, string> {
  const refs = new Map<string, string>();
  for (const name of values.keys()) {
    let value = values.get(name);
    for (let links = 0; links < 5 && value?.startsWith("ref:"); links++) {
      value = values.get(value.slice("ref:".length).trim());
    }
    if (value !== undefined && objectId.test(value) && refName.test(name)) refs.set(name, value);
  }
  return refs;
}
