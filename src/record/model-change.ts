// Notes in a session's record that another profile or model answers from here on. Called by src/app.ts when a session is opened.
import type { SessionRecord } from "./session.ts";

/** Appends an entry when the record of a session that is gone on with names another profile or model last. */
export async function noteModel(record: SessionRecord, profile: string, model: string): Promise<void> {
  const last = record.entries.findLast(({ body }) => body.type === "session" || body.type === "model")?.body;
  if (last?.type !== "session" && last?.type !== "model") return;
  if (last.profile !== profile || last.model !== model)
    await record.append({ type: "model", profile, model });
}
