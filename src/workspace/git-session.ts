// One look at the repository: found afresh, lent as a shadow, and git bound to both. Used by git.ts and git-history.ts.
import { safeLine } from "../policy/safe-text.ts";
import { type Result, refuse } from "../protocol/refusal.ts";
import { AppError } from "../util/errors.ts";
import { findGit, type GitOutput, runGit } from "./git-program.ts";
import { findRepository, type Repository } from "./git-repository.ts";
import { type Shadow, withShadow } from "./git-shadow.ts";
import type { PathGate } from "./path-gate.ts";

/** Most that a listing of git may be, in bytes. */
export const listLimit = 64 * 1024 * 1024;

export interface Look {
  shadow: Shadow;
  repository: Repository;
  /** Runs git in the workspace with the hardened options first. Output beyond `maxBytes` is cut off. */
  run(args: readonly string[], maxBytes: number): Promise<Result<GitOutput>>;
}

const hardened = ["--no-pager", "--no-optional-locks", "--literal-pathspecs"];

/**
 * Looks at the repository afresh, so that what changed since the last call is checked as well. `refs`: git needs to know
 * the branches and tags, not only HEAD. A repository that must not be read is a refusal.
 */
export async function lookAt<T>(
  gate: PathGate,
  signal: AbortSignal,
  need: { refs: boolean },
  use: (look: Look) => Promise<Result<T>>,
): Promise<Result<T>> {
  const done = await attempt(async () => {
    const repository = await findRepository(gate.root);
    if (repository === null) return refuse("error", "This folder is not in a git repository any more.");
    const git = await findGit(gate.root);
    return withShadow(repository, git, signal, need, (shadow) =>
      use({
        shadow,
        repository,
        async run(args, maxBytes) {
          const { env, partial } = shadow;
          const ran = await runGit({
            git,
            args: [...hardened, ...args],
            cwd: gate.root,
            env,
            maxBytes,
            signal,
          });
          if (ran.ok || ran.refusal.outcome !== "error" || !partial) return ran;
          const why = "This is a partial clone; MiniCode never fetches what it lacks.";
          return refuse("error", `${ran.refusal.message} ${why}`);
        },
      }),
    );
  });
  return !done.ok && signal.aborted ? refuse("cancelled", "Cancelled.") : done;
}

/** A refusal for what git-*.ts throws. */
export async function attempt<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return refuse("error", safeLine(error.message));
    throw error;
  }
}
