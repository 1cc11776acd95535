// The user's home folder. Used wherever something is looked for below it: settings, secrets, caches, a path with ~.
import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { AppError, errnoOf } from "./errors.ts";

/**
 * HOME, or what the system says where that is unset, empty or relative: a relative one would put the user's settings and
 * sessions into whatever folder MiniCode is started in. Throws an `AppError` `E_HOME` where neither says one.
 */
export function homeFolder(env: NodeJS.ProcessEnv = process.env): string {
  const home = env[process.platform === "win32" ? "USERPROFILE" : "HOME"];
  const folder = home !== undefined && isAbsolute(home) ? home : accountFolder();
  if (folder !== null) return folder;
  throw new AppError(
    "E_HOME",
    "there is no home folder: HOME is no absolute path, and the system knows none",
    {
      hint: "Set HOME to your home folder.",
    },
  );
}

/** What the system's list of users says; null where that is nothing to go by. */
export function accountFolder(): string | null {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : null;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}
