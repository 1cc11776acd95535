// Hunks as rows with line numbers: the diff of the patch panel and of `/diff`.
import type { Hunk } from "../protocol/proposal.ts";
import { exactLine } from "./exact.ts";
import { type Row, type Style, span } from "./row.ts";

const styles: Partial<Record<string, Style>> = { "+": "added", "-": "removed" };

/** The hunks with old and new line numbers in aligned columns; lines are whole, whatever their length. */
export function diffRows(hunks: readonly Hunk[]): Row[] {
  const width = String(lastLine(hunks.at(-1))).length;
  const numbers = (old: number | null, fresh: number | null) =>
    span([old, fresh].map((n) => `${n ?? ""}`.padStart(width)).join(" "), "dim");
  const rows: Row[] = [];
  for (const hunk of hunks) {
    const { oldStart, oldLines, newStart, newLines } = hunk;
    rows.push([span(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, "dim")]);
    let old = hunk.oldStart;
    let fresh = hunk.newStart;
    for (const line of hunk.lines) {
      const mark = line.slice(0, 1);
      if (mark === "\\") {
        rows.push([numbers(null, null), span(` ${line}`, "dim")]);
        continue;
      }
      const place = numbers(mark === "+" ? null : old++, mark === "-" ? null : fresh++);
      rows.push([place, span(` ${mark} `, styles[mark]), ...exactLine(line.slice(1), styles[mark])]);
    }
  }
  return rows;
}

function lastLine(hunk: Hunk | undefined): number {
  if (hunk === undefined) return 0;
  return Math.max(hunk.oldStart + hunk.oldLines, hunk.newStart + hunk.newLines) - 1;
}
