// Fuzz target: edits, diffs and whole patches. An edit changes nothing but its match, a diff rebuilds the new text, and a patch that
// is refused leaves the files as they were.
import { join } from "node:path";
import { diffHunks } from "../../src/patch/diff.ts";
import { applyEdits } from "../../src/patch/edit.ts";
import type { Hunk } from "../../src/protocol/proposal.ts";
import { openPathGate } from "../../src/workspace/path-gate.ts";
import { applyPatch } from "../../src/workspace/perform-patch.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { patchOf, type TestChange } from "../helpers/patch.ts";
import { testFolder } from "../helpers/workspace.ts";
import { type Random, randomFrom } from "./random.ts";
import type { FuzzTarget } from "./target.ts";

const lines = [
  ...(["", "a", "b", "c", "}", "  if (x) {", "-- a/x", "++ b/x", "@@ -1 +1 @@", "\\ No newline"] as const),
  ...["é", "e\u0301", "中文", "😀", "\uFEFF", "$&", "$1", "\u2028", "a\tb", "diff --git a/x b/x"],
] as const;
/** One run in so many is a whole patch on disk, which is slow. */
const onDiskOneIn = 200;

function textOf(random: Random, most: number): string {
  let text = "";
  for (let i = random.number(most); i > 0; i--)
    text += random.pick(lines) + (random.oneIn(5) ? "\r\n" : "\n");
  return random.oneIn(3) ? text + random.pick(lines) : text;
}

const lf = (text: string): string => text.replaceAll("\r\n", "\n");

function places(text: string, part: string): number[] {
  const found: number[] = [];
  if (part === "") return found;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
}

/** An edit of a part of a text, against plain slicing. */
function editFault(random: Random): string | null {
  // A mark at the beginning is the file's, not the text's.
  const text = textOf(random, 20).replace(/^\uFEFF+/, "");
  const units = text.match(/\r\n|[\s\S]/gu) ?? [];
  const start = random.number(units.length + 1);
  const end = start + random.number(30);
  const before = units.slice(0, start).join("");
  const old = random.oneIn(6) ? random.pick(lines) : units.slice(start, end).join("");
  const wanted = textOf(random, 3);
  const file = Buffer.from(text);
  const result = applyEdits(file, [{ old: lf(old), new: wanted }]);
  const told = JSON.stringify({ text, old, new: wanted });
  if (!file.equals(Buffer.from(text))) return `the input was changed: ${told}`;
  const found = places(lf(text), lf(old));
  const possible = old !== "" && found.length === 1 && lf(old) !== lf(wanted);
  if (!result.ok) return possible ? `refused (${result.refusal.message}): ${told}` : null;
  if (!possible) return `applied: ${told}`;
  const head = lf(before).length === found[0] ? before : null;
  const after = result.value.toString();
  if (
    lf(after) !==
    lf(text).slice(0, found[0]) + lf(wanted) + lf(text).slice((found[0] ?? 0) + lf(old).length)
  )
    return `another text: ${told} -> ${JSON.stringify(after)}`;
  return head !== null && !after.startsWith(head) ? `bytes before the match: ${told}` : null;
}

/** The new text from the old one and the hunks, by a reader that shares nothing with their writer. */
function rebuilt(before: string, hunks: readonly Hunk[]): string {
  const olds = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let out = "";
  let at = 0;
  for (const { oldStart, oldLines, lines: rows } of hunks) {
    const begin = oldLines === 0 ? oldStart : oldStart - 1;
    out += olds.slice(at, begin).join("");
    at = begin;
    for (const [i, row] of rows.entries()) {
      const mark = row.charAt(0);
      if (mark === "\\") continue;
      const line = row.slice(1) + (rows[i + 1]?.startsWith("\\") ? "" : "\n");
      if (mark !== "+" && olds[at++] !== line)
        throw new Error(`the old text has no line ${JSON.stringify(row)}`);
      if (mark !== "-") out += line;
    }
  }
  return out + olds.slice(at).join("");
}

function diffFault(random: Random): string | null {
  const [before, after] = [textOf(random, 30), textOf(random, 30)];
  const { hunks, added, removed } = diffHunks(Buffer.from(before), Buffer.from(after));
  const told = JSON.stringify({ before, after });
  const rows = hunks.flatMap((hunk) => hunk.lines);
  const count = (mark: string): number => rows.filter((row) => row.startsWith(mark)).length;
  if (count("+") !== added || count("-") !== removed) return `counts: ${told}`;
  try {
    return rebuilt(before, hunks) === after ? null : `the diff makes another text: ${told}`;
  } catch (error) {
    return `${String(error)}: ${told}`;
  }
}

/** A patch of several files, some of which are not what it says any more. */
async function patchFault(random: Random): Promise<string | null> {
  const folder = testFolder();
  const gate = await openPathGate(folder.ws);
  try {
    const changes: TestChange[] = [];
    for (let i = random.number(4); i >= 0; i--) {
      const [before, after] = [
        random.oneIn(4) ? null : textOf(random, 5),
        random.oneIn(4) ? null : textOf(random, 5),
      ];
      const path = random.oneIn(3) ? `n${i}/f` : `f${i}`;
      if (before !== null) folder.write(path, before);
      if (before !== null || after !== null) changes.push({ path, before, after });
    }
    const victim = random.oneIn(2) ? changes[random.number(changes.length)] : undefined;
    const content = await patchOf(folderBlobs(join(folder.base, "blobs")), changes);
    if (victim !== undefined) folder.write(victim.path, `${victim.before ?? ""}somebody's`);
    const tree = folder.tree();
    const applied = await applyPatch(
      gate,
      folderBlobs(join(folder.base, "blobs")),
      content,
      new AbortController().signal,
    );
    const now = folder.tree();
    const told = JSON.stringify({ changes, victim: victim?.path });
    if (!applied.ok) {
      if (victim === undefined) return `refused (${applied.refusal.message}): ${told}`;
      return JSON.stringify(now) === JSON.stringify(tree) ? null : `refused, and files changed: ${told}`;
    }
    if (victim !== undefined) return `applied over somebody's change: ${told}`;
    const wrong = changes.find(({ path, after }) => (now[path] ?? null) !== after);
    return wrong === undefined ? null : `${wrong.path} is not as shown: ${told}`;
  } finally {
    await gate.close();
    folder.remove();
  }
}

export const patchTarget: FuzzTarget = {
  name: "patch",
  async run(runs, seed) {
    const random = randomFrom(seed);
    const failures: string[] = [];
    let onDisk = 0;
    for (let i = 0; i < runs; i++) {
      let fault: string | null;
      if (random.oneIn(onDiskOneIn)) {
        onDisk++;
        fault = await patchFault(random);
      } else fault = random.oneIn(2) ? editFault(random) : diffFault(random);
      if (fault !== null) failures.push(fault);
    }
    return { runs, failures, figures: { onDisk } };
  },
};
