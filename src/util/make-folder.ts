// Makes a folder. Used for sessions, settings, profiles and trust, and for package caches.
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { AppError, errnoOf } from "./errors.ts";

/**
 * Makes the folder, and those above it that are missing, for their user alone (0700). Throws an `AppError` `E_FOLDER` that says
 * where it failed and what to do. Not `recursive: true` of Node, which never ends where the system says ENOENT to a folder
 * whose parent is there, as /proc does.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST" && isFolder(path)) return;
    const parent = dirname(path);
    if (code !== "ENOENT" || parent === path || isFolder(parent)) throw cannot(path, code, error);
    makeFolder(parent);
    makeFolder(path);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

function cannot(path: string, code: string | undefined, cause: unknown): AppError {
  const message = `the folder ${path} cannot be made (${code ?? "unknown error"})`;
  return new AppError("E_FOLDER", message, { cause, hint: hintFor(path, code) });
}

function hintFor(path: string, code: string | undefined): string {
  switch (code) {
    case "EEXIST":
    case "ENOTDIR":
      return `A file is in the way: move it, or set another place with XDG_*_HOME (see minicode config path).`;
    case "EACCES":
    case "EPERM":
      return `Make ${dirname(path)} yours and writable, or set another place with XDG_*_HOME.`;
    case "EROFS":
      return "That file system is read-only: set another place with XDG_*_HOME.";
    default:
      return "Set another place with XDG_*_HOME (see minicode config path).";
  }
}
