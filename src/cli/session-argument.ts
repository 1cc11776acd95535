// The session that a command is given: an id, the beginning of one, or nothing for the latest. Used by the commands that read records.
import { latestSession, listSessions, sessionFolder } from "../record/sessions.ts";
import { AppError } from "../util/errors.ts";

/**
 * The folder of the session that `word` names among those in `dir`; the one used last when it is absent. Throws `E_SESSION`
 * where there is none, or more than one.
 */
export async function sessionNamed(dir: string, word: string | undefined): Promise<string> {
  if (word === undefined) {
    const latest = await latestSession(dir);
    if (latest) return latest.folder;
    throw new AppError("E_SESSION", "there is no session yet", {
      hint: "Make one with minicode --demo --auto.",
    });
  }
  if (!/^[0-9a-f-]+$/.test(word)) return sessionFolder(dir, word);
  const found = (await listSessions(dir)).filter(({ id }) => id.startsWith(word));
  const [first, ...others] = found;
  if (first === undefined) {
    throw new AppError("E_SESSION", `there is no session ${word}`, {
      hint: "The receipt of each task names its session.",
    });
  }
  if (others.length === 0) return first.folder;
  const ids = found.slice(0, 5).map(({ id }) => id);
  throw new AppError("E_SESSION", `${found.length} sessions begin with ${word}`, {
    hint: `Give more of the id: ${ids.join(", ")}${found.length > ids.length ? ", …" : ""}.`,
  });
}
