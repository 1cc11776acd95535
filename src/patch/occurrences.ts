// Exact search that counts every place a text occurs, in linear time whatever the input. Used by edit.ts and nearest.ts.
import { countBreaks } from "./endings.ts";

/**
 * Start indexes of every occurrence, overlapping ones too ("aa" is in "aaa" twice). Knuth–Morris–Pratt, because
 * repeated `indexOf` takes minutes on a long needle in repetitive text. An empty needle occurs nowhere.
 */
export function occurrences(text: string, needle: string): number[] {
  const found: number[] = [];
  if (needle === "") return found;
  const borders = bordersOf(needle);
  let matched = 0;
  for (let i = 0; i < text.length; i++) {
    while (matched > 0 && text[i] !== needle[matched]) matched = borders[matched - 1] ?? 0;
    if (text[i] === needle[matched]) matched++;
    if (matched === needle.length) {
      found.push(i + 1 - matched);
      matched = borders[matched - 1] ?? 0;
    }
  }
  return found;
}

/** For each prefix of the needle, the length of its longest proper prefix that is also its end. */
function bordersOf(needle: string): Int32Array {
  const borders = new Int32Array(needle.length);
  let border = 0;
  for (let i = 1; i < needle.length; i++) {
    while (border > 0 && needle[i] !== needle[border]) border = borders[border - 1] ?? 0;
    if (needle[i] === needle[border]) border++;
    borders[i] = border;
  }
  return borders;
}

/** Line numbers, counting from 1, of ascending indexes into a text with "\n" endings. */
export function lineNumbers(text: string, indexes: readonly number[]): number[] {
  let at = 0;
  let line = 1;
  return indexes.map((index) => {
    line += countBreaks(text.slice(at, index));
    at = index;
    return line;
  });
}
