// `minicode verify [SESSION]`: walks a session's record and says whether the evidence is whole.
import { join } from "node:path";
import { folders } from "../config/folders.ts";
import { verifyRecord } from "../record/verify.ts";
import { exitCodes } from "./exit-codes.ts";
import { usage } from "./flags.ts";
import { type Io, write } from "./io.ts";
import { sessionArgument } from "./session-argument.ts";

export async function verify(words: readonly string[], io: Io): Promise<number> {
  if (words.length > 1) throw usage("verify takes one session");
  const dir = join(folders(io.env, process.platform).data, "sessions");
  const folder = await sessionArgument(dir, words[0]);
  const { ok, entries, head, problems } = await verifyRecord(folder);
  const lines = [
    `record  ${folder}`,
    `entries ${entries}`,
    `head    ${head}`,
    ...problems.map(({ line, message }) => `line ${line}: ${message}`),
    ok
      ? "ok: the chain is whole, every body is there, every effect has its decision"
      : `NOT ok: ${problems.length} problem(s)`,
  ];
  await write(io.stdout, `${lines.join("\n")}\n`);
  return ok ? exitCodes.done : exitCodes.failure;
}
