// Finds git and runs it with nothing inherited: no user or system configuration, no helpers, no prompts (D2). Used by git-*.ts.
import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { safeLine } from "../policy/safe-text.ts";
import { type Result, refuse } from "../protocol/refusal.ts";
import { AppError } from "../util/errors.ts";
import { isInside } from "./environment.ts";
import { capture } from "./exec.ts";

const timeoutMs = 10_000;

const hardenedEnv = {
  HOME: "/nonexistent",
  LC_ALL: "C.UTF-8",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_EDITOR: "/bin/false",
  GIT_ASKPASS: "/bin/false",
  GIT_SSH_COMMAND: "/bin/false",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
} as const;

/** git's real path from PATH, leaving out entries inside the workspace. Throws an `AppError` `E_GIT` when there is none. */
export async function findGit(root: string): Promise<string> {
  const name = process.platform === "win32" ? "git.exe" : "git";
  for (const folder of (process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute)) {
    const found = await realpath(join(folder, name)).catch(() => null);
    if (found === null || isInside(root, found) || isInside(root, folder)) continue;
    if (await isExecutable(found)) return found;
  }
  throw new AppError("E_GIT", "git is not installed: no git on PATH outside the workspace.");
}

export interface GitRun {
  git: string;
  args: readonly string[];
  cwd: string;
  /** Added to the hardened environment: where git finds what. */
  env: Readonly<Record<string, string>>;
  /** More output than this is cut off. */
  maxBytes: number;
  signal: AbortSignal;
}

export interface GitOutput {
  output: Buffer;
  /** There was more than `maxBytes`. */
  cut: boolean;
}

/** git's output; refuses when git failed, was cancelled or took longer than 10 s. */
export async function runGit(run: GitRun): Promise<Result<GitOutput>> {
  const { git, args, cwd, maxBytes, signal } = run;
  const env = { ...hardenedEnv, PATH: [dirname(git), "/usr/bin", "/bin"].join(delimiter), ...run.env };
  const end = await capture({ program: git, args, cwd, env, timeoutMs, signal }, maxBytes);
  const cut = end.how === "enough";
  if (cut || (end.how === "exited" && end.exit === 0)) {
    return { ok: true, value: { output: end.stdout, cut } };
  }
  if (end.how === "cancelled") return refuse("cancelled", "Cancelled.");
  if (end.how === "timeout") return refuse("timeout", `git did not finish within ${timeoutMs / 1000} s.`);
  const said = safeLine(end.stderr.trim()).slice(0, 300);
  return refuse("error", `git failed: ${said === "" ? `exit code ${end.exit}` : said}`);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
