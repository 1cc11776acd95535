// Line endings apart from the text: models write LF, so matching never sees CRLF and yet no line loses its own ending.
// Used by edit.ts.

/** Text with every CRLF as "\n"; `crlf[i]` says whether the i-th "\n" is a CRLF in the file. A lone CR is ordinary text. */
export interface Folded {
  readonly text: string;
  readonly crlf: readonly boolean[];
}

export function fold(text: string): Folded {
  const crlf: boolean[] = [];
  const folded = text.replace(/\r?\n/g, (ending) => {
    crlf.push(ending.length === 2);
    return "\n";
  });
  return { text: folded, crlf };
}

/** The inverse of `fold`. */
export function unfold({ text, crlf }: Folded): string {
  let i = 0;
  return text.replace(/\n/g, () => (crlf[i++] ? "\r\n" : "\n"));
}

export function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/**
 * Puts `replacement` in the place of `wanted` at each of the given starts, which ascend and do not overlap.
 * Lines that old and new text begin or end with in common keep their own endings. A new line break takes the ending
 * that stood in its place, else that of the line it is on, else that of the line before; a text without any line
 * break takes the endings as written.
 */
export function replaceAt(
  now: Folded,
  starts: readonly number[],
  wanted: string,
  replacement: Folded,
): Folded {
  const { head, tail } = sharedBreaks(wanted, replacement.text);
  const wantedBreaks = countBreaks(wanted);
  const texts: string[] = [];
  const endings: (readonly boolean[])[] = [];
  let at = 0;
  let line = 0;
  for (const start of starts) {
    const before = now.text.slice(at, start);
    const first = line + countBreaks(before);
    const changedFrom = first + head;
    const changedTo = first + wantedBreaks - tail;
    const beside = now.crlf[changedTo] ?? now.crlf[changedFrom - 1];
    const chosen = replacement.crlf.map((asWritten, i) => {
      const fromEnd = replacement.crlf.length - i;
      if (i < head) return now.crlf[first + i] ?? asWritten;
      if (fromEnd <= tail) return now.crlf[first + wantedBreaks - fromEnd] ?? asWritten;
      const stood = changedTo > changedFrom ? now.crlf[Math.min(first + i, changedTo - 1)] : beside;
      return stood ?? asWritten;
    });
    texts.push(before, replacement.text);
    endings.push(now.crlf.slice(line, first), chosen);
    at = start + wanted.length;
    line = first + wantedBreaks;
  }
  texts.push(now.text.slice(at));
  endings.push(now.crlf.slice(line));
  return { text: texts.join(""), crlf: endings.flat() };
}

/** How many line breaks stand in the common beginning and in the common end of two texts. */
function sharedBreaks(a: string, b: string): { head: number; tail: number } {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { head: countBreaks(a.slice(0, start)), tail: countBreaks(a.slice(a.length - end)) };
}
