// Bounds what one call or one step sends to the model: head and tail stay, and the text says what is missing.

const RESULT_LIMIT = 60_000;
/** All results of one step together; twenty calls must not cost a hundred kilobytes in every later request. */
const STEP_LIMIT = 120_000;
const LEAST = 2_000;

export function clip(text: string, limit: number = RESULT_LIMIT): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, Math.floor(limit * 0.4));
  const tail = text.slice(head.length - limit);
  const cut = text.length - limit;
  const middle = `\n… ${cut} characters left out here; ask for less at a time …\n`;
  return head.replace(/[\uD800-\uDBFF]$/, "") + middle + tail.replace(/^[\uDC00-\uDFFF]/, "");
}

/** Clips the longest texts so that together they stay within the step's limit; short ones are left whole. */
export function clipStep(texts: readonly string[]): string[] {
  const clipped = texts.map((t) => clip(t));
  const most = Math.max(LEAST, share(clipped.map((t) => t.length)));
  return clipped.map((t) => clip(t, most));
}

/** The greatest length that every text may have while all together fit. */
function share(lengths: readonly number[]): number {
  let left = STEP_LIMIT;
  let texts = lengths.length;
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length * texts > left) return Math.floor(left / texts);
    left -= length;
    texts--;
  }
  return Number.POSITIVE_INFINITY;
}
