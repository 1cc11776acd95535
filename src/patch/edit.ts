// Exact text replacement on a file's bytes: what apply_patch and replace_in_file do to one file. Pure; used by src/tools/.
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { type Decoded, decodeText, encodeText } from "./decode.ts";
import { type Folded, fold, replaceAt, unfold } from "./endings.ts";
import { nearestLines } from "./nearest.ts";
import { lineNumbers, occurrences } from "./occurrences.ts";

/**
 * Replace `old`, which must occur exactly once, or `expected` times, by `new`; with `all`, every occurrence from left to
 * right, however many.
 */
export interface Edit {
  old: string;
  new: string;
  all?: boolean | undefined;
  expected?: number | undefined;
}

/** How many line numbers an ambiguous match lists. */
const maxPlaces = 10;
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Applies the edits one after the other, each to the result of the one before; all of them or none. Matching is exact
 * but for line endings: LF and CRLF match each other, and written lines get the file's own. Everything outside the
 * matches stays as it is, byte for byte. Refused (`error`), with every failing edit named: text that occurs nowhere
 * (with the nearest lines) or more than once without `all`, edits that change nothing, files that are not UTF-8 text.
 */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): Result<Buffer> {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return refuse("error", `Nothing was changed. ${notText(decoded.why, bytes.length)}`);
  const original = fold(decoded.text);
  let now = original;
  const failures: string[] = [];
  for (const [i, edit] of edits.entries()) {
    const next = applyEdit(now, edit, original);
    if (typeof next !== "string") now = next;
    else failures.push(edits.length === 1 ? next : `Edit ${i + 1}: ${next}`);
  }
  if (failures.length > 0) return refuse("error", failureMessage(failures, edits.length));
  const after = encodeText(unfold(now), decoded.bom);
  return after.equals(bytes)
    ? refuse("error", "Nothing would change: the edits undo each other.")
    : ok(after);
}

/** The text after one edit, or why it cannot be made. */
function applyEdit(now: Folded, edit: Edit, original: Folded): Folded | string {
  if (edit.old === "") {
    return "The old text is empty. To insert, give the text around the place as old and repeat it in new; to create a file or replace it whole, use `content`.";
  }
  if (loneSurrogate.test(edit.old) || loneSurrogate.test(edit.new)) {
    return "The text holds half of a surrogate pair, which no UTF-8 file can hold. Write the whole character.";
  }
  const wanted = fold(edit.old).text;
  const replacement = fold(edit.new);
  if (wanted === replacement.text) {
    return edit.old === edit.new
      ? "Old and new are the same text, so nothing would change."
      : "Old and new differ in line endings only, and edits keep the file's own, so nothing would change.";
  }
  const found = occurrences(now.text, wanted);
  if (found.length === 0) return notFound(wanted, now, original);
  const places = withoutOverlaps(found, wanted.length);
  const { all = false, expected = 1 } = edit;
  // Places that overlap cannot all be replaced, so they are never "as many as expected".
  if (!all && (found.length !== expected || places.length !== expected)) {
    const lines = lineNumbers(now.text, found);
    return expected === 1
      ? ambiguous(lines, now !== original)
      : unexpected(lines, expected, now !== original);
  }
  return replaceAt(now, places, wanted, replacement);
}

function withoutOverlaps(starts: readonly number[], length: number): number[] {
  let free = 0;
  return starts.filter((start) => {
    if (start < free) return false;
    free = start + length;
    return true;
  });
}

function notFound(wanted: string, now: Folded, original: Folded): string {
  if (now !== original && occurrences(original.text, wanted).length > 0) {
    return "The old text is in the file, but an edit before this one changes it. Edits are applied one after the other: write old as the edits before leave it, or make one edit of them.";
  }
  return `The old text is not in the file. ${nearestLines(original.text, wanted)}`;
}

function ambiguous(places: readonly number[], moved: boolean): string {
  return `The old text occurs ${places.length} times (${placesText(places, moved)}). Add lines around it until it occurs once, or set all: true to change every one.`;
}

function unexpected(places: readonly number[], expected: number, moved: boolean): string {
  const times = places.length === 1 ? "once" : `${places.length} times`;
  return `The old text occurs ${times} (${placesText(places, moved)}), not ${expected} times. Say how many you mean, or set all: true to change every one.`;
}

function placesText(places: readonly number[], moved: boolean): string {
  const lines = [...new Set(places)];
  const more = lines.length > maxPlaces ? ` and ${lines.length - maxPlaces} more` : "";
  const counted = moved ? ", counted after the edits before this one" : "";
  return `${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, maxPlaces).join(", ")}${more}${counted}`;
}

function failureMessage(failures: readonly string[], count: number): string {
  if (count === 1) return `Nothing was changed. ${failures.join("")}`;
  const fail = failures.length === 1 ? "edit fails" : "edits fail";
  return `Nothing was changed: ${failures.length} of ${count} ${fail}, and a call is applied whole or not at all.\n\n${failures.join("\n\n")}`;
}

function notText(why: Extract<Decoded, { ok: false }>["why"], size: number): string {
  return why === "binary"
    ? `The file is binary (${size} bytes, with NUL bytes) and cannot be edited as text. If a program makes it, change what it is made from.`
    : "The file is not UTF-8 text; an edit would destroy bytes far from it. Leave it, or have it converted to UTF-8 first (iconv -f … -t UTF-8), if the user wants that.";
}
