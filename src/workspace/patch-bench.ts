// Where a patch is laid out before its first step: open folders, staged files, folders made on the way. Used by perform-patch.ts.
import type { BigIntStats } from "node:fs";
import { mkdir, rmdir } from "node:fs/promises";
import { ok, type Result } from "../protocol/refusal.ts";
import { errnoOf } from "../util/errors.ts";
import { changed, type Slot, verifyBefore } from "./patch-slots.ts";
import type { PathGate } from "./path-gate.ts";
import { type Dir, joinPath, splitPath } from "./path-walk.ts";
import {
  createFile,
  discard,
  removeFile,
  replaceFile,
  type Staged,
  stageFile,
  TargetChanged,
} from "./write.ts";

/** One slot, ready to be published. `staged` is null when the file goes away. */
interface Step {
  slot: Slot;
  dir: Dir;
  name: string;
  staged: Staged | null;
}

/** Methods throw the system's errors; what changed under them is a refusal. */
export interface Bench {
  /** Stages the slot's new bytes beside their target; missing folders are made. */
  stage(slot: Slot, bytes: Uint8Array | null, seen: BigIntStats | null): Promise<Result<Step>>;
  /** Removes what was staged and not published, and closes the folders. */
  clear(): Promise<void>;
  /** Removes the folders that were made, as far as they are empty. After `clear`. */
  removeMadeFolders(): Promise<void>;
}

export function openBench(gate: PathGate): Bench {
  const dirs = new Map<string, Dir>();
  const staged: Staged[] = [];
  const made: string[] = [];

  async function folderFor(path: string): Promise<Result<Dir>> {
    const known = dirs.get(path);
    if (known) return ok(known);
    const opened = await openOrMake(gate, path, made);
    if (opened.ok) dirs.set(path, opened.value);
    return opened;
  }

  return {
    async stage(slot, bytes, seen) {
      const { folder, name } = splitPath(slot.path);
      const dir = await folderFor(folder);
      if (!dir.ok) return dir;
      const step: Step = { slot, dir: dir.value, name, staged: null };
      if (slot.after === null || bytes === null) return ok(step);
      step.staged = await stageFile(dir.value, bytes, slot.after.mode, seen);
      staged.push(step.staged);
      return ok(step);
    },
    async clear() {
      for (const file of staged.splice(0)) await discard(file);
      for (const dir of dirs.values()) await dir.close();
      dirs.clear();
    },
    async removeMadeFolders() {
      for (const path of made.splice(0).reverse()) await removeFolder(gate, path);
    },
  };
}

/** Checks the world against the slot once more, then takes the step. A refusal means that this step changed nothing. */
export async function publish(gate: PathGate, { slot, dir, name, staged }: Step): Promise<Result<void>> {
  const seen = await verifyBefore(gate, slot);
  if (!seen.ok) return seen;
  const folder = await gate.openDir(dir.path);
  if (!folder.ok) return folder;
  await folder.value.close();
  if (folder.value.ino !== dir.ino || folder.value.dev !== dir.dev)
    return changed(slot.path, "its folder was moved");
  try {
    if (staged === null) {
      if (seen.value !== null) await removeFile(dir, name, seen.value);
    } else if (seen.value === null) {
      await createFile(staged, name);
    } else {
      await replaceFile(staged, name, seen.value);
    }
  } catch (error) {
    if (error instanceof TargetChanged) return changed(slot.path, "while it was being written");
    throw error;
  }
  return ok(undefined);
}

async function openOrMake(gate: PathGate, path: string, made: string[]): Promise<Result<Dir>> {
  const opened = await gate.openDir(path);
  if (opened.ok || path === ".") return opened;
  const { folder, name } = splitPath(path);
  const parent = await openOrMake(gate, folder, made);
  if (!parent.ok) return parent;
  try {
    await mkdir(parent.value.child(name));
    made.push(joinPath(folder, name));
    await parent.value.sync();
  } catch (error) {
    // Something is there that is no folder to us: a link, a file, a folder without access. The gate said which.
    if (errnoOf(error) === "EEXIST") return opened;
    throw error;
  } finally {
    await parent.value.close();
  }
  return gate.openDir(path);
}

async function removeFolder(gate: PathGate, path: string): Promise<void> {
  const { folder, name } = splitPath(path);
  const parent = await gate.openDir(folder);
  if (!parent.ok) return;
  try {
    await rmdir(parent.value.child(name));
  } catch {
    // Not empty any more: somebody uses it, so it stays.
  } finally {
    await parent.value.close();
  }
}
