// Where MiniCode keeps things on this machine (design §10). Used by src/app.ts and by everything that reads configuration.
import { isAbsolute, join } from "node:path";
import envPaths from "env-paths";
import { homeFolder } from "../util/home-folder.ts";

export interface Folders {
  /** settings.json, profiles/, AGENTS.md */
  config: string;
  /** sessions, memory */
  data: string;
  /** logs */
  state: string;
}

/**
 * The XDG folders on Linux, where a relative value counts as unset (so says the specification); the platform's own
 * places elsewhere. Nothing is created. Throws an `AppError` `E_HOME` where there is no home folder.
 */
export function folders(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Folders {
  if (platform !== "linux") {
    const paths = envPaths("minicode", { suffix: "" });
    return { config: paths.config, data: paths.data, state: paths.log };
  }
  const home = homeFolder(env);
  const folder = (value: string | undefined, fallback: string): string =>
    join(value !== undefined && isAbsolute(value) ? value : join(home, fallback), "minicode");
  return {
    config: folder(env["XDG_CONFIG_HOME"], ".config"),
    data: folder(env["XDG_DATA_HOME"], ".local/share"),
    state: folder(env["XDG_STATE_HOME"], ".local/state"),
  };
}
