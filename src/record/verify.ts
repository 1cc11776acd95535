// Checks a record from end to end: chain, numbers, blobs, and that no effect went past its decision. For `mini verify`.
import type { Blobs } from "../protocol/blobs.ts";
import type { BlobRef } from "../protocol/proposal.ts";
import type { RecordBody } from "../protocol/record.ts";
import { messageOf } from "../util/errors.ts";
import { auditBodies } from "./audit.ts";
import { openBlobs } from "./blobs.ts";
import { toRead } from "./files.ts";
import { zeroHash } from "./line.ts";
import { openRecordFile, readBytes, type ScannedLine, scanLines } from "./read.ts";

interface Problem {
  /** Line of record.jsonl, from 1. */
  line: number;
  message: string;
}

export interface Verification {
  ok: boolean;
  /** Readable lines. */
  entries: number;
  /** Hash of the last readable line: equal to a receipt's chain head, it vouches for everything up to that receipt. */
  head: string;
  problems: Problem[];
}

/** Verifies the record of the session in `folder` without changing it. Throws like `readRecord`. */
export async function verifyRecord(folder: string): Promise<Verification> {
  const handle = await openRecordFile(folder, toRead);
  try {
    return await verifyBytes(await readBytes(handle, folder), openBlobs(folder));
  } finally {
    await handle.close();
  }
}

async function verifyBytes(bytes: Uint8Array, blobs: Blobs): Promise<Verification> {
  const problems: Problem[] = [];
  const bodies: { line: number; body: RecordBody }[] = [];
  const damaged = new Map<string, string | null>();
  let last = { n: 0, hash: zeroHash };
  for await (const scanned of scanLines(bytes, blobs)) {
    const { number: line, content } = scanned;
    const report = (message: string) => problems.push({ line, message });
    if ("problem" in content) {
      report(`cannot be read: ${content.problem}`);
      continue;
    }
    for (const message of chainProblems(scanned, content, last)) report(message);
    for (const ref of blobsOf(content.body)) {
      const damage = await damageOf(ref, blobs, damaged);
      if (damage !== null) report(damage);
    }
    bodies.push({ line, body: content.body });
    last = { n: content.line.n, hash: content.line.hash };
  }
  if (bodies[0]?.body.type !== "session") problems.push({ line: 1, message: "is not the session's header" });
  problems.push(...auditBodies(bodies));
  problems.sort((a, b) => a.line - b.line);
  return { ok: problems.length === 0, entries: bodies.length, head: last.hash, problems };
}

type Readable = Exclude<ScannedLine["content"], { problem: string }>;

function* chainProblems(
  { ended }: ScannedLine,
  { line, intact, exact }: Readable,
  last: { n: number; hash: string },
) {
  if (!intact) yield "was changed: its hash does not match its content";
  else if (!exact || !ended) yield "is not as MiniCode writes it";
  if (line.prev !== last.hash) yield "does not continue the line before it";
  if (line.n !== last.n + 1) yield `is number ${line.n}, not ${last.n + 1}`;
}

/** What is wrong with a blob, or null; each is read once. */
async function damageOf(
  ref: BlobRef,
  blobs: Blobs,
  known: Map<string, string | null>,
): Promise<string | null> {
  const key = `${ref.hash}:${ref.size}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const damage = await blobs.get(ref).then(() => null, messageOf);
  known.set(key, damage);
  return damage;
}

/** Every blob that an entry's body names. */
function blobsOf(body: RecordBody): BlobRef[] {
  if (body.type === "proposal" && body.proposal.content.kind === "patch") {
    return body.proposal.content.files.flatMap(({ before, after }) => present(before, after));
  }
  if (body.type === "fact" && body.fact.type === "applied") return present(body.fact.before, body.fact.after);
  if (body.type === "fact" && body.fact.type === "ran") return [body.fact.output];
  return [];
}

function present(...refs: (BlobRef | null)[]): BlobRef[] {
  return refs.filter((ref) => ref !== null);
}
