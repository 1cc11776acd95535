// Folders that the user trusts: only there are a workspace's own files more than text to look at. Kept in the user's state folder.
import { lstat, realpath } from "node:fs/promises";
import { dirname, join, parse } from "node:path";
import * as z from "zod";
import { errnoOf } from "../util/errors.ts";
import { homeFolder } from "../util/home-folder.ts";
import { readJson } from "../util/read-json.ts";
import type { Folders } from "./folders.ts";
import { writeJson } from "./write-json.ts";

const trustSchema = z.strictObject({
  folders: z.array(
    z.strictObject({
      /** Real absolute path. */
      path: z.string(),
      /** Device and inode: another folder in its place is another folder. */
      id: z.string(),
    }),
  ),
});
type TrustedFolder = z.infer<typeof trustSchema>["folders"][number];

/**
 * Whether the folder, or one above it, is trusted. Trust in the home folder or the root of a file system is for that folder
 * alone, and none reaches into another file system. Looks at nothing inside of the folder.
 */
export async function isTrusted(places: Folders, folder: string): Promise<boolean> {
  const trusted = await trustedFolders(places);
  const asked = await folderAt(folder);
  if (!asked || trusted.length === 0) return false;
  const [device] = asked.id.split(":");
  for (const path of upwards(asked.path)) {
    const there = await folderAt(path);
    const known = trusted.some((one) => one.path === path && one.id === there?.id);
    const reaches =
      path === asked.path || (!coversNothing(path) && there?.id.startsWith(`${device}:`) === true);
    if (known && reaches) return true;
  }
  return false;
}

/** Remembers the folder. Throws an `AppError` `E_TRUST` when that cannot be written, or when there is no such folder. */
export async function trustFolder(places: Folders, folder: string): Promise<void> {
  const wanted = await folderAt(folder);
  if (!wanted || (await isTrusted(places, folder))) return;
  const others = (await trustedFolders(places)).filter(({ path }) => path !== wanted.path);
  await writeJson(trustFile(places), { folders: [...others, wanted] }, "E_TRUST");
}

async function trustedFolders(places: Folders): Promise<TrustedFolder[]> {
  return (await readJson(trustFile(places), trustSchema, "E_TRUST"))?.folders ?? [];
}

function trustFile({ state }: Folders): string {
  return join(state, "trust.json");
}

async function folderAt(path: string): Promise<TrustedFolder | null> {
  try {
    const real = await realpath(path);
    const { dev, ino } = await lstat(real, { bigint: true });
    return { path: real, id: `${dev}:${ino}` };
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

function upwards(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...upwards(above)];
}

function coversNothing(path: string): boolean {
  return path === homeFolder() || path === parse(path).root;
}
