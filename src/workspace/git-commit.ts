// From what the model wrote to a commit's id. Everything after works with the id alone (D2, TH38). Used by git-history.ts.
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { objectId } from "./git-repository.ts";
import type { Look } from "./git-session.ts";

const refPattern = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._/@{}~^#+=%,!-]{0,200}$/u;

/** Refuses a ref that is none by its form; git never sees one. */
export function checkRef(ref: string): Result<string> {
  if (refPattern.test(ref)) return ok(ref);
  return refuse("invalid", "ref must be a commit id, branch or tag such as HEAD~2, main or 1a2b3c4d.");
}

/** The id of the commit that `ref` (HEAD when absent) names. */
export async function findCommit({ run, shadow }: Look, ref = "HEAD"): Promise<Result<string>> {
  const checked = checkRef(ref);
  if (!checked.ok) return checked;
  if (ref === "HEAD" && shadow.head.commit === undefined) {
    return refuse("error", "There are no commits on this branch yet.");
  }
  const ran = await run(["rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`], 4096);
  if (!ran.ok && ran.refusal.outcome !== "error") return ran;
  const id = ran.ok ? ran.value.output.toString().trim() : "";
  if (objectId.test(id)) return ok(id);
  const why = ref.includes("@{")
    ? "MiniCode does not read reflogs or upstreams."
    : shadow.shallow
      ? "This is a shallow clone: older commits are missing."
      : "The action branches lists what there is.";
  return refuse("error", `There is no commit ${ref}. ${why}`);
}
