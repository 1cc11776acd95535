// What the model is told about a text that is not in the file: why it missed, or the most similar lines.
// Used by edit.ts.
import { clipLine } from "./clip-line.ts";
import { nearMiss } from "./near-miss.ts";

const maxPlaces = 3;
const maxLines = 40;
/** Similarity below this is chance: measured on lines of unrelated source files, 95 % of which stay below 0.4. */
const minSimilarity = 0.4;
/** A file this short is shown whole when nothing in it is similar. */
const shortFile = 12;
/** The longest lines of the wanted text decide where it belongs; more of them only cost time. */
const maxProbes = 8;
/** How much of a line is compared. */
const comparedLength = 400;

/**
 * Shows the lines of `text` that `wanted` most likely means (both with "\n" endings), each as `number|line`. When it
 * differs only in indentation, look-alike characters, white space, case or the like, that is said and every such place
 * counted (3 are shown); else the most similar lines are shown, if any are, or all of a short file. At most 40 lines a
 * place.
 */
export function nearestLines(text: string, wanted: string): string {
  if (text === "") return "The file is empty; use `content` to fill it.";
  const lines = text.replace(/\n$/, "").split("\n");
  const miss = nearMiss(text, wanted);
  if (miss !== null) {
    const where = miss.places.length === 1 ? "" : `, in ${miss.places.length} places`;
    const shown = miss.places.slice(0, maxPlaces).map((place) => excerpt(lines, place, miss.count));
    return `${miss.says}${where}:\n${shown.join("\n…\n")}`;
  }
  const wantedLines = wanted.replace(/\n$/, "").split("\n");
  const place = mostSimilar(lines, wantedLines);
  if (place === null) {
    return lines.length <= shortFile
      ? `The whole file is:\n${excerpt(lines, 1, lines.length)}`
      : `None of its ${lines.length} lines is like it; read the file again.`;
  }
  return `The nearest lines are:\n${excerpt(lines, place, wantedLines.length)}`;
}

function excerpt(lines: readonly string[], place: number, count: number): string {
  const there = lines.slice(place - 1, place - 1 + count);
  const rows = there.slice(0, maxLines).map((line, i) => `${place + i}|${clipLine(line)}`);
  if (there.length > maxLines) rows.push(`… ${there.length - maxLines} more lines`);
  return rows.join("\n");
}

/** The line (from 1) where the wanted lines would begin: each vote is a similar line, worth its likeness and length. */
function mostSimilar(lines: readonly string[], wanted: readonly string[]): number | null {
  const probes = wanted
    .map((line, offset) => ({ offset, runs: runsOf(line) }))
    .filter((probe) => probe.runs.size > 0)
    .sort((a, b) => b.runs.size - a.runs.size)
    .slice(0, maxProbes);
  const votes = new Map<number, number>();
  for (const [i, line] of lines.entries()) {
    const runs = runsOf(line);
    for (const probe of probes) {
      const likeness = similarity(probe.runs, runs);
      if (likeness < minSimilarity) continue;
      const place = Math.max(1, i + 1 - probe.offset);
      votes.set(place, (votes.get(place) ?? 0) + likeness * probe.runs.size);
    }
  }
  let best: [place: number, votes: number] | null = null;
  for (const entry of votes) if (best === null || entry[1] > best[1]) best = entry;
  return best === null ? null : best[0];
}

/** The runs of 2 and 3 characters in a line, white space apart, as numbers. */
function runsOf(line: string): Set<number> {
  const bare = line.slice(0, comparedLength).replace(/\s+/g, "");
  const runs = new Set<number>();
  let pair = 0;
  for (let i = 1; i < bare.length; i++) {
    if (i > 1) runs.add(pair * 0x10000 + bare.charCodeAt(i));
    pair = bare.charCodeAt(i - 1) * 0x10000 + bare.charCodeAt(i);
    runs.add(pair);
  }
  return runs;
}

/** From 0 to 1: how much of `probe` is in `line` (it may be a part of it), averaged with how alike they are as a whole. */
function similarity(probe: ReadonlySet<number>, line: ReadonlySet<number>): number {
  let shared = 0;
  for (const run of probe) if (line.has(run)) shared++;
  return shared / probe.size / 2 + shared / (probe.size + line.size);
}
