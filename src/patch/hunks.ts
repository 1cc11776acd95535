// Lines of two texts to hunks with context. Used by diff.ts.
import type { Hunk } from "../protocol/proposal.ts";
import { keptLines } from "./align.ts";

const contextLines = 3;
const noNewline = "\\ No newline at end of file";

/** A run of changed lines: half-open ranges of line indexes on both sides. */
interface Change {
  oldFrom: number;
  oldTo: number;
  newFrom: number;
  newTo: number;
}

/** The hunks between two lists of lines (each with its "\n", the last perhaps without), and the lines added and removed. */
export function hunksBetween(
  olds: readonly string[],
  news: readonly string[],
): { hunks: Hunk[]; added: number; removed: number } {
  const changes = changesBetween(olds, news);
  return {
    hunks: grouped(changes).map((group) => hunkOf(group, olds, news)),
    added: changes.reduce((sum, change) => sum + change.newTo - change.newFrom, 0),
    removed: changes.reduce((sum, change) => sum + change.oldTo - change.oldFrom, 0),
  };
}

function changesBetween(olds: readonly string[], news: readonly string[]): Change[] {
  const changes: Change[] = [];
  let oldFrom = 0;
  let newFrom = 0;
  for (const [oldTo, newTo] of [...keptLines(olds, news), [olds.length, news.length] as const]) {
    if (oldTo > oldFrom || newTo > newFrom) changes.push({ oldFrom, oldTo, newFrom, newTo });
    oldFrom = oldTo + 1;
    newFrom = newTo + 1;
  }
  return changes;
}

/** Changes whose contexts touch share a hunk. */
function grouped(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && change.oldFrom - last.oldTo <= 2 * contextLines) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkOf(group: readonly Change[], olds: readonly string[], news: readonly string[]): Hunk {
  const lines: string[] = [];
  const put = (mark: string, part: readonly string[]): void => {
    for (const line of part) {
      lines.push(mark + line.replace(/\n$/, ""));
      if (!line.endsWith("\n")) lines.push(noNewline);
    }
  };
  const first = group[0] ?? { oldFrom: 0, newFrom: 0 };
  const lead = Math.min(contextLines, first.oldFrom);
  const oldStart = first.oldFrom - lead;
  const newStart = first.newFrom - lead;
  let oldAt = oldStart;
  let newAt = newStart;
  for (const change of group) {
    put(" ", olds.slice(oldAt, change.oldFrom));
    put("-", olds.slice(change.oldFrom, change.oldTo));
    put("+", news.slice(change.newFrom, change.newTo));
    oldAt = change.oldTo;
    newAt = change.newTo;
  }
  const trail = Math.min(contextLines, olds.length - oldAt);
  put(" ", olds.slice(oldAt, oldAt + trail));
  const oldLines = oldAt + trail - oldStart;
  const newLines = newAt + trail - newStart;
  return {
    oldStart: oldLines === 0 ? 0 : oldStart + 1,
    oldLines,
    newStart: newLines === 0 ? 0 : newStart + 1,
    newLines,
    lines,
  };
}
