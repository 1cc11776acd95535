// The one door to the workspace's files: says what may be touched, and opens it without following links (D3).
// Used by every tool and by everything in src/workspace that reads or writes files.
import type { BigIntStats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { parsePath } from "../policy/paths.ts";
import { protectedBy } from "../policy/protected.ts";
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { AppError, errnoOf, messageOf } from "../util/errors.ts";
import { homeFolder } from "../util/home-folder.ts";
import { ignoreFileIn } from "./ignore-file.ts";
import {
  type Dir,
  joinPath,
  type OpenFile,
  openRoot,
  type Stop,
  splitPath,
  systemReason,
  walkToFile,
  walkToFolder,
} from "./path-walk.ts";
import { readHandle } from "./read-handle.ts";
import { similarNames } from "./similar-names.ts";

export type { Dir } from "./path-walk.ts";

/** The most that `readFile` reads when nobody says otherwise: 32 MiB. */
export const maxFileBytes = 32 * 1024 * 1024;

/** Each method takes a path as the model wrote it or a workspace path, and asks the policy afresh each time. */
export interface PathGate {
  /** The workspace's real absolute path. */
  readonly root: string;
  /** The workspace path, unless it is outside, protected or hidden. Existence does not matter. */
  resolve(input: string): Promise<Result<string>>;
  /** Whether a path of a listing may be shown: neither protected nor hidden. */
  visible(path: string, isDirectory: boolean): Promise<boolean>;
  /** Opens a folder; the caller closes it. */
  openDir(path: string): Promise<Result<Dir>>;
  /** Opens a regular file for reading; the caller closes the handle. `path` is its workspace path. */
  openFile(path: string): Promise<Result<OpenFile & { path: string }>>;
  /** The whole file, or null when there is none. A file larger than `maxBytes` is refused. */
  readFile(path: string, maxBytes?: number): Promise<Result<{ bytes: Buffer; stat: BigIntStats } | null>>;
  close(): Promise<void>;
}

/**
 * Opens a workspace. `closedBy` gives the user's rule that closes a path, or null. Throws an `AppError` `E_WORKSPACE` when `root` is not
 * a folder that can be opened.
 */
export async function openPathGate(
  root: string,
  closedBy: (path: string) => string | null = () => null,
): Promise<PathGate> {
  const opened = await openRoot(root).catch((error: unknown) => {
    throw new AppError("E_WORKSPACE", `cannot work in ${root}: ${whyNot(error)}`, {
      hint: "Start MiniCode in an existing folder that you may read.",
      cause: error,
    });
  });
  const { dir: rootDir, real } = opened;
  const ignoreFile = ignoreFileIn(rootDir);

  async function resolve(input: string): Promise<Result<string>> {
    return admit(input, false);
  }

  /** `asFolder`: the path is about to be opened as a folder, so rules for folders count. */
  async function admit(input: string, asFolder: boolean): Promise<Result<string>> {
    const parsed = parsePath(input, real, homeFolder());
    if (!parsed.ok) return parsed;
    const path = parsed.value;
    const name = protectedBy(path);
    if (name !== null) {
      return refuse("blocked", `${path} is protected (${name}): MiniCode never reads or changes it.`);
    }
    const rule = closedBy(path);
    if (rule !== null) return refuse("blocked", `${path} is closed by the user's permission ${rule}.`);
    const rules = await ignoreFile.rules();
    if (!rules.ok) return rules;
    const { ignores } = rules.value;
    if (ignores(path, false) || (ignores(path, true) && (asFolder || (await isFolder(path))))) {
      return refuse("blocked", `${path} is hidden by .minicodeignore: it cannot be read or changed.`);
    }
    return ok(path);
  }

  async function isFolder(path: string): Promise<boolean> {
    const { folder, name } = splitPath(path);
    const parent = await walkToFolder(rootDir, folder);
    if (!parent.ok) return false;
    try {
      return (await lstat(parent.value.child(name))).isDirectory();
    } catch {
      return false;
    } finally {
      await parent.value.close();
    }
  }

  async function visible(path: string, isDirectory: boolean): Promise<boolean> {
    const parsed = parsePath(path, real, homeFolder());
    if (!parsed.ok || protectedBy(parsed.value) !== null || closedBy(parsed.value) !== null) return false;
    const rules = await ignoreFile.rules();
    return rules.ok && !rules.value.ignores(parsed.value, isDirectory);
  }

  async function openDir(input: string): Promise<Result<Dir>> {
    const admitted = await admit(input, true);
    if (!admitted.ok) return admitted;
    const walked = await walkToFolder(rootDir, admitted.value);
    return walked.ok ? ok(walked.value) : refuseStop(walked.stop, admitted.value, "folder");
  }

  async function openFile(input: string): Promise<Result<OpenFile & { path: string }>> {
    const admitted = await resolve(input);
    if (!admitted.ok) return admitted;
    const path = admitted.value;
    const walked = await walkToFile(rootDir, path);
    return walked.ok ? ok({ ...walked.value, path }) : refuseStop(walked.stop, path, "file");
  }

  async function readFile(
    input: string,
    maxBytes = maxFileBytes,
  ): Promise<Result<{ bytes: Buffer; stat: BigIntStats } | null>> {
    const admitted = await resolve(input);
    if (!admitted.ok) return admitted;
    const path = admitted.value;
    const walked = await walkToFile(rootDir, path);
    if (!walked.ok) return walked.stop.why === "missing" ? ok(null) : refuseStop(walked.stop, path, "file");
    const { handle, stat } = walked.value;
    try {
      const bytes = stat.size > maxBytes ? null : await readHandle(handle, maxBytes + 1);
      if (bytes !== null && bytes.length <= maxBytes) return ok({ bytes, stat });
      return refuse(
        "error",
        `${path} is too large to be read whole (${stat.size} bytes, the limit is ${maxBytes}).`,
      );
    } catch (error) {
      return refuse("error", `${path} cannot be read (${systemReason(error)}).`);
    } finally {
      await handle.close();
    }
  }

  async function refuseStop(stop: Stop, path: string, wanted: "file" | "folder"): Promise<Result<never>> {
    switch (stop.why) {
      case "missing":
        return refuse("error", await missingMessage(stop.at, path, wanted));
      case "link":
        return refuse(
          "blocked",
          `${stop.at} is a symbolic link; MiniCode does not follow links inside the workspace.`,
        );
      case "special":
        return refuse(
          "blocked",
          `${stop.at} is not a regular file (a pipe, device or socket) and was not opened.`,
        );
      case "moved":
        return refuse("blocked", `${stop.at} is a link, or was moved while it was being opened.`);
      case "not_a_folder":
        return refuse("error", `${stop.at} is a file, not a folder.`);
      case "folder":
        return refuse("error", `${stop.at} is a folder. Use list_dir to see what is in it.`);
      case "os":
        return refuse("error", `${stop.at} cannot be opened (${stop.reason}).`);
    }
  }

  async function missingMessage(at: string, path: string, wanted: "file" | "folder"): Promise<string> {
    const { folder, name } = splitPath(at);
    const what =
      at === path
        ? `There is no such ${wanted}: ${path}.`
        : `There is no such ${wanted}: ${path} (no folder ${at}).`;
    const near = similarNames(name, await visibleNames(folder)).map((other) => joinPath(folder, other));
    return near.length === 0 ? what : `${what} There is: ${near.join(", ")}.`;
  }

  async function visibleNames(folder: string): Promise<string[]> {
    const walked = await walkToFolder(rootDir, folder);
    if (!walked.ok) return [];
    try {
      const entries = await readdir(walked.value.child("."), { withFileTypes: true });
      const shown = await Promise.all(
        entries.map((entry) => visible(joinPath(folder, entry.name), entry.isDirectory())),
      );
      return entries.filter((_, i) => shown[i]).map((entry) => entry.name);
    } catch {
      return [];
    } finally {
      await walked.value.close();
    }
  }

  return { root: real, resolve, visible, openDir, openFile, readFile, close: () => rootDir.close() };
}

function whyNot(error: unknown): string {
  switch (errnoOf(error)) {
    case "ENOENT":
      return "there is no such folder";
    case "ENOTDIR":
      return "it is not a folder";
    case "EACCES":
      return "you may not read it";
    default:
      return messageOf(error);
  }
}
