// "Did you mean": the candidate a mistyped word most likely meant. Used for flags, settings keys, profiles and tools.

/**
 * The candidate nearest to `word`: one that `word` begins (or that begins with it), else one at most two slips away
 * (a letter missing, added, wrong, or two neighbours swapped). Case is ignored; undefined when nothing is near.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let best: { candidate: string; slips: number } | undefined;
  for (const candidate of candidates) {
    const name = candidate.toLowerCase();
    const slips = isPrefix(wanted, name) ? 1 : distance(wanted, name);
    // Two slips turn any two-letter word into any other.
    if (slips > 2 || slips >= Math.max(wanted.length, name.length)) continue;
    if (best === undefined || slips < best.slips) best = { candidate, slips };
  }
  return best?.candidate;
}

function isPrefix(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a));
}

/** Damerau–Levenshtein distance in its restricted form (no edits inside a swapped pair). */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(last, j) + 1,
          at(row, j - 1) + 1,
          at(last, j - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
