// What a result shows of a program's output: start and end, the rest counted, binary output only named. Used by command-report.ts
// and read-output.ts.
import { safeText } from "../policy/safe-text.ts";
import { framed } from "../policy/untrusted.ts";
import { sha256 } from "../util/hash.ts";

/** Bytes that are shown, and how many of them from the start. */
const maxShown = 50_000;
const maxHead = 20_000;

const sampleSize = 8_192;
/** Shorter output is shown whatever it is. */
const leastBinary = 256;
const maxStrange = 0.3;

interface Shown {
  /** Framed; "" when nothing was printed. */
  text: string;
  /** Bytes in the middle that are not in the text, and the first line, from 1, that is not whole there. */
  leftOut: { bytes: number; line: number } | null;
}

/** `written` is how many bytes the program printed; of a flood `output` holds only start and end. */
export function shownOutput(output: Buffer, written: number): Shown {
  if (isBinary(output)) return { text: `(binary output, ${written} bytes: not shown)`, leftOut: null };
  if (output.length <= maxShown) return { text: outputText(safeText(output.toString())), leftOut: null };
  const head = output.subarray(0, cutBefore(output, maxHead));
  const tail = output.subarray(cutAfter(output, output.length - (maxShown - maxHead)));
  const bytes = Math.max(written, output.length) - head.length - tail.length;
  const start = safeText(head.toString()).replace(/\n$/, "");
  const text = `${start}\n… ${bytes} bytes left out here …\n${safeText(tail.toString())}`;
  return { text: outputText(text), leftOut: { bytes, line: countLineEnds(head) + 1 } };
}

/** What programs print is theirs, not ours: between marks that it cannot forge, which name it by its own content (TH64). */
export function outputText(output: string): string {
  const text = output.trimEnd();
  return text === "" ? "" : framed("output", text, sha256(text).slice(0, 8));
}

const LF = 10;

/** Line ends. A flood has millions: as strings, or searched for one by one, they would hold everything else up. */
export function countLineEnds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF) count++;
  return count;
}

/** The end of the last line that ends in the second half before `limit`, else of the last character. */
function cutBefore(bytes: Buffer, limit: number): number {
  const line = bytes.lastIndexOf(LF, limit - 1);
  if (line >= limit / 2) return line + 1;
  let at = limit;
  while (isInsideCharacter(bytes[at])) at--;
  return at;
}

/** The beginning of the first line that begins soon after `from`, else of the first character. */
function cutAfter(bytes: Buffer, from: number): number {
  const line = bytes.indexOf(LF, from - 1);
  if (line >= 0 && line - from < maxHead / 2) return line + 1;
  let at = from;
  while (isInsideCharacter(bytes[at])) at++;
  return at;
}

function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Whether its beginning is mostly what no text has. */
function isBinary(output: Buffer): boolean {
  if (output.length < leastBinary) return false;
  const sample = [...output.subarray(0, sampleSize).toString()];
  const strange = sample.filter(
    (char) => char === "\uFFFD" || (char < " " && !"\t\n\r\b\f\x1b".includes(char)),
  );
  return strange.length > maxStrange * sample.length;
}
