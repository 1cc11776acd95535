// Which lines two texts have in common: the ground of every diff. Used by diff.ts.
import { diffArrays } from "diff";

/** Edits (lines removed or added among the lines both sides hold) after which the search for more in common ends. */
const maxEdits = 2000;

/**
 * The lines both sides keep, as ascending pairs of indexes `[before, after]`. They are as many as can be, unless the
 * texts share lines in so different an order that finding them takes too long: then all between the common beginning
 * and the common end counts as replaced. Never depends on time, so equal input has equal output.
 */
export function keptLines(before: readonly string[], after: readonly string[]): [number, number][] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const kept: [number, number][] = [];
  for (let i = 0; i < head; i++) kept.push([i, i]);
  for (const pair of keptBetween(before, after, head, tail)) kept.push(pair);
  for (let i = tail; i > 0; i--) kept.push([before.length - i, after.length - i]);
  return kept;
}

/** Lines that only one side has cannot be kept, so they are left out first: a rewritten file costs next to nothing. */
function keptBetween(
  before: readonly string[],
  after: readonly string[],
  head: number,
  tail: number,
): [number, number][] {
  const olds = sharedLines(before, after, head, tail);
  const news = sharedLines(after, before, head, tail);
  const changes = diffArrays(
    olds.map((at) => before[at]),
    news.map((at) => after[at]),
    { maxEditLength: maxEdits },
  );
  const kept: [number, number][] = [];
  let i = 0;
  let j = 0;
  for (const change of changes ?? []) {
    for (let n = 0; n < change.count; n++) {
      const old = change.added ? undefined : olds[i++];
      const now = change.removed ? undefined : news[j++];
      if (old !== undefined && now !== undefined) kept.push([old, now]);
    }
  }
  return kept;
}

/** Indexes of the lines between head and tail that the other side has there too. */
function sharedLines(
  lines: readonly string[],
  others: readonly string[],
  head: number,
  tail: number,
): number[] {
  const there = new Set(others.slice(head, others.length - tail));
  const indexes: number[] = [];
  for (let i = head; i < lines.length - tail; i++) if (there.has(lines[i] ?? "")) indexes.push(i);
  return indexes;
}
