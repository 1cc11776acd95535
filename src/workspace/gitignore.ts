// Which files the workspace's .gitignore files hide, with or without a repository. Used by list.ts, find.ts and search.ts.
import ignore, { type Ignore } from "ignore";
import type { PathGate } from "./path-gate.ts";
import { joinPath, splitPath } from "./path-walk.ts";

const maxIgnoreFileBytes = 256 * 1024;

export interface Gitignore {
  /** Whether a workspace path is ignored, by itself or through a folder above it. */
  ignores(path: string, isFolder: boolean): Promise<boolean>;
}

/** Reads each folder's .gitignore once; meant to live as long as one listing or search. One that cannot be read is none. */
export function gitignoreOf(gate: PathGate): Gitignore {
  const rules = new Map<string, Promise<Ignore | null>>();
  const folders = new Map<string, Promise<boolean>>();

  function rulesIn(folder: string): Promise<Ignore | null> {
    return once(rules, folder, async () => {
      const file = await gate.readFile(joinPath(folder, ".gitignore"), maxIgnoreFileBytes);
      if (!file.ok || file.value === null) return null;
      return ignore({ ignorecase: process.platform !== "linux" }).add(file.value.bytes.toString());
    });
  }

  async function ignores(path: string, isFolder: boolean): Promise<boolean> {
    if (path === ".") return false;
    if (isFolder) return once(folders, path, () => decide(path, true));
    return decide(path, false);
  }

  /** The nearest .gitignore that says anything about the path decides; what lies in an ignored folder stays ignored. */
  async function decide(path: string, isFolder: boolean): Promise<boolean> {
    const { folder: parent } = splitPath(path);
    if (await ignores(parent, true)) return true;
    for (let folder = parent; ; folder = splitPath(folder).folder) {
      const inside = folder === "." ? path : path.slice(folder.length + 1);
      const found = (await rulesIn(folder))?.test(isFolder ? `${inside}/` : inside);
      if (found?.ignored || found?.unignored) return found.ignored;
      if (folder === ".") return false;
    }
  }

  return { ignores };
}

function once<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
