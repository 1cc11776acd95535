// The environment that programs get: an allow-list of names, plus what makes tools quiet and non-interactive (TH67).
// Used by command.ts' callers; the names are part of every command proposal.
import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, relative, sep } from "node:path";

/** Nothing here may hold a secret, open a socket to a service, or make a program load code (NODE_OPTIONS, BASH_ENV, …). */
const allowed = new Set([
  ...["PATH", "HOME", "LANG", "LANGUAGE", "TMPDIR", "TZ", "USER", "LOGNAME", "SHELL"],
  ...["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"],
  ...["CARGO_HOME", "RUSTUP_HOME", "GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE"],
  ...["JAVA_HOME", "M2_HOME", "MAVEN_HOME", "GRADLE_USER_HOME", "ANDROID_HOME", "DOTNET_ROOT"],
  ...["NVM_DIR", "FNM_DIR", "VOLTA_HOME", "PNPM_HOME", "BUN_INSTALL", "DENO_DIR"],
  ...["PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "RBENV_ROOT", "GEM_HOME", "ASDF_DIR", "ASDF_DATA_DIR"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"],
]);

/** Windows compares names without case. */
const allowedOnWindows = new Set([
  ...["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "OS"],
  ...["USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA"],
  ...["PROGRAMFILES", "PROGRAMFILES(X86)", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE"],
]);

const fixed = {
  TERM: "dumb",
  NO_COLOR: "1",
  CI: "true",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  PYTHONDONTWRITEBYTECODE: "1",
  // What a repository's .npmrc would have npm load is taken back; npm ignores an empty value, a blank it does not (TH87).
  npm_config_node_options: " ",
  ...(process.platform === "win32" ? {} : { npm_config_script_shell: "/bin/sh" }),
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
};

/**
 * What a program run in the workspace `root` (its real path) gets of the environment `parent`. PATH loses entries that
 * are relative or lie in the workspace, so that a name never means a file that the repository brought (TH15).
 */
export function childEnvironment(parent: NodeJS.ProcessEnv, root: string): Record<string, string> {
  const windows = process.platform === "win32";
  const env: Record<string, string> = {};
  for (const [given, value] of Object.entries(parent)) {
    const name = windows ? given.toUpperCase() : given;
    if (value === undefined) continue;
    if (allowed.has(name) || /^LC_[A-Z]+$/.test(name) || (windows && allowedOnWindows.has(name))) {
      env[name] = value;
    }
  }
  const entries = (env["PATH"] ?? "").split(delimiter);
  env["PATH"] = entries.filter((entry) => isAbsolute(entry) && !isInside(root, entry)).join(delimiter);
  return { ...env, ...fixed };
}

/** Whether `path`, or what it is a link to, lies in `root` or is it. Both are absolute. */
export function isInside(root: string, path: string): boolean {
  return [path, realPath(path)].some((candidate) => {
    const inner = relative(root, candidate);
    return inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
  });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
