// A program's output while it runs: kept whole up to a limit, and decoded for a live view. Used by process.ts.

/** Bytes kept from the start and, past that, from the end of one program's output. */
const keptHead = 4 * 1024 * 1024;
const keptTail = 4 * 1024 * 1024;

/** UTF-8 for people and models: invalid bytes become U+FFFD, NUL is shown as ␀; everything else stays. */
export function decodeOutput(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8").replaceAll("\0", "␀");
}

/** How many bytes at the end of `bytes` are the beginning of a UTF-8 sequence whose rest is still to come (0 to 3). */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}

/**
 * Cuts a byte stream only between code points, so that two streams may be woven into one.
 * `push` gives what is whole so far, `end` the rest.
 */
export function wholeCharacters(): { push(chunk: Buffer): Buffer; end(): Buffer } {
  let held: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const cut = bytes.length - unfinished(bytes);
      held = Buffer.from(bytes.subarray(cut));
      return bytes.subarray(0, cut);
    },
    end() {
      const rest = held;
      held = Buffer.alloc(0);
      return rest;
    },
  };
}

export interface OutputBuffer {
  push(bytes: Uint8Array): void;
  /** Every byte pushed, kept or not. */
  readonly total: number;
  /** What was kept; where something was left out, a line in the middle says how much. */
  bytes(): Buffer;
}

/** Memory stays below head + tail bytes however much is pushed. */
export function outputBuffer(headSize = keptHead, tailSize = keptTail): OutputBuffer {
  let head = Buffer.alloc(0);
  let headLength = 0;
  let ring: Buffer | null = null;
  let ringTotal = 0;

  function pushHead(bytes: Uint8Array): void {
    const needed = headLength + bytes.length;
    if (needed > head.length) {
      const grown = Buffer.alloc(Math.min(headSize, Math.max(needed, head.length * 2, 4096)));
      head.copy(grown, 0, 0, headLength);
      head = grown;
    }
    head.set(bytes, headLength);
    headLength = needed;
  }

  function pushRing(bytes: Uint8Array): void {
    ring ??= Buffer.alloc(tailSize);
    const kept = bytes.subarray(Math.max(0, bytes.length - tailSize));
    const at = (ringTotal + bytes.length - kept.length) % tailSize;
    const untilEnd = kept.subarray(0, tailSize - at);
    ring.set(untilEnd, at);
    ring.set(kept.subarray(untilEnd.length), 0);
    ringTotal += bytes.length;
  }

  return {
    push(bytes) {
      const room = headSize - headLength;
      if (room > 0) pushHead(bytes.subarray(0, room));
      if (bytes.length > room) pushRing(bytes.subarray(room));
    },
    get total() {
      return headLength + ringTotal;
    },
    bytes() {
      const start = head.subarray(0, headLength);
      if (ring === null) return Buffer.from(start);
      if (ringTotal <= tailSize) return Buffer.concat([start, ring.subarray(0, ringTotal)]);
      const at = ringTotal % tailSize;
      const end = Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
      const first = start.subarray(0, start.length - unfinished(start));
      const last = end.subarray(continuationBytes(end));
      const leftOut = headLength + ringTotal - first.length - last.length;
      return Buffer.concat([first, Buffer.from(`\n[… ${leftOut} bytes left out …]\n`), last]);
    },
  };
}

function continuationBytes(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}

/** Bytes that wait for the next look, about; under a flood the older ones are dropped. */
const livePending = 64 * 1024;
const liveEveryMs = 50;

/**
 * Gathers output and hands it on as text some twenty times a second, so that a flood cannot keep the screen busy. What no
 * reader could follow is dropped up to a line's end, with a mark. Each piece must be whole characters.
 */
export function liveText(show: (text: string) => void): { push(piece: Buffer): void; end(): void } {
  let pieces: Buffer[] = [];
  let size = 0;
  let dropped = false;
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    const text = decodeOutput(Buffer.concat(pieces));
    const shown = dropped ? `[…]\n${text.slice(text.indexOf("\n") + 1)}` : text;
    pieces = [];
    size = 0;
    dropped = false;
    timer = null;
    if (shown !== "") show(shown);
  }

  return {
    push(piece) {
      pieces.push(piece);
      size += piece.length;
      for (let first = pieces[0]; first && size - first.length >= livePending; first = pieces[0]) {
        pieces.shift();
        size -= first.length;
        dropped = true;
      }
      timer ??= setTimeout(flush, liveEveryMs);
    },
    end() {
      if (timer !== null) clearTimeout(timer);
      flush();
    },
  };
}
