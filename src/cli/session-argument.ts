// The session that a command is given: an id, the beginning of one, or nothing for the latest. Used by the commands that read records.
import { latestSession, sessionNamed } from "../record/sessions.ts";
import { AppError } from "../util/errors.ts";

/** The folder of the session that `word` names among those in `dir`; the one used last when it is absent. Throws `E_SESSION`. */
export async function sessionArgument(dir: string, word: string | undefined): Promise<string> {
  if (word !== undefined) return (await sessionNamed(dir, word)).folder;
  const latest = await latestSession(dir);
  if (latest) return latest.folder;
  throw new AppError("E_SESSION", "there is no session yet", {
    hint: "Make one with minicode --demo --auto.",
  });
}
