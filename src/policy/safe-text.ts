// Text from anywhere made safe to show (safety D9): a whitelist over code points. Used for everything that reaches the
// screen or the model: tool output, answers, names (`safe…`), and proposals, where nothing may be hidden (`exact…`).

/** At most this many marks, selectors and joiners may hang on one character. */
const maxAttached = 8;

const esc = "\u001b";
const bell = "\u0007";
const stringTerminator = "\u009c";
const joiner = "\u200d";
const emojiSelector = "\ufe0f";
const textSelector = "\ufe0e";
const keycap = "\u20e3";

const printable = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]/u;
const mark = /^[\p{Mn}\p{Me}]/u;
const picture = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const keycapBase = /^[0-9#*]/;
/** Looks like a space and is none. U+3000 is everyday CJK typography and twice as wide, so it is left. */
const falseSpace = /^(?!\u3000)[\p{Zs}\u2800]/u;
/** ESC or C1 that opens a control string: DCS, SOS, OSC, PM, APC. */
const opensString = /^[PX\]^_\u0090\u0098\u009d\u009e\u009f]/;
const control = /^[\u0000-\u001f\u007f-\u009f]/;
const harmless = /^[\n\t -~]*$/;

/** A run of text as it is shown; `hidden` marks a visible form that stands for something that could not be seen. */
interface Piece {
  text: string;
  hidden: boolean;
}

function visibleForm(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : `\\u{${code.toString(16).toUpperCase()}}`;
}

interface Filter {
  take(char: string): void;
  end(): void;
}

/** Takes code points one by one and emits each as it is or in its visible form; holds one back when the next decides. */
function createFilter(exact: boolean, emit: (text: string, hidden: boolean) => void): Filter {
  /** What marks hang on; empty after a line end, a tab or a visible form. */
  let base = "";
  let attached = 0;
  let selected = false;
  let held = "";

  function show(char: string): void {
    emit(visibleForm(char), true);
    base = "";
  }

  function attach(char: string): void {
    emit(char, false);
    attached++;
  }

  /** Decides on the held character now that `next` is known; true when it joins the two. */
  function settle(next: string): boolean {
    const char = held;
    held = "";
    if (char === "\r" && next === "\n") return false;
    const joins = char === joiner ? picture.test(next) : char === emojiSelector && next === keycap;
    if (joins) attach(char);
    else show(char);
    return joins;
  }

  function take(char: string): void {
    const joined = held !== "" && settle(char);
    const room = attached < maxAttached;
    if (char >= " " && char <= "~") {
      emit(char, false);
      base = char;
      attached = 0;
    } else if (char === "\n" || char === "\t") {
      emit(char, false);
      base = "";
    } else if (
      (char === "\r" && !exact) ||
      (char === joiner && room && picture.test(base)) ||
      (char === emojiSelector && attached === 0 && keycapBase.test(base))
    ) {
      held = char;
    } else if ((char === emojiSelector || char === textSelector) && room && !selected && picture.test(base)) {
      attach(char);
      selected = true;
    } else if (!printable.test(char) || (exact && falseSpace.test(char))) {
      show(char);
    } else if (mark.test(char)) {
      if (base !== "" && room) attach(char);
      else show(char);
    } else {
      emit(char, false);
      base = char;
      selected = false;
      if (!joined) attached = 0;
    }
  }

  return {
    take,
    end() {
      if (held !== "") settle("");
    },
  };
}

/** A safe text that arrives in pieces; the pieces joined are `safeText` of the chunks joined. */
interface SafeStream {
  push(chunk: string): string;
  /** What was held back. The stream is over then. */
  end(): string;
}

/** The stream form of `safeText`: what is not yet decided (half a sequence, a CR) is held back until it is. */
export function createSafeStream(): SafeStream {
  let out = "";
  const filter = createFilter(false, (text) => {
    out += text;
  });
  let state: "text" | "escape" | "csi" | "string" | "string-escape" = "text";
  /** What the open sequence holds so far; shown as text when it turns out to be unfinished. */
  let body = "";
  let halfPair = "";

  function finish(): void {
    state = "text";
    body = "";
  }

  function giveUp(): void {
    const text = body;
    finish();
    for (const char of text) filter.take(char);
  }

  function inText(char: string): void {
    if (char === esc) state = "escape";
    else if (char === "\u009b") state = "csi";
    else if (char < "\u0080" || char > "\u009f") filter.take(char);
    else if (opensString.test(char)) state = "string";
  }

  function inEscape(char: string): void {
    if (body === "" && char === "[") state = "csi";
    else if (body === "" && opensString.test(char)) state = "string";
    else if (char >= " " && char <= "/") body += char;
    else if (char >= "0" && char <= "~") finish();
    else {
      giveUp();
      inText(char);
    }
  }

  function inCsi(char: string): void {
    if (char >= " " && char <= "?") body += char;
    else if (char >= "@" && char <= "~") finish();
    else {
      giveUp();
      inText(char);
    }
  }

  function inString(char: string): void {
    if (char === esc) state = "string-escape";
    else if (char === bell || char === stringTerminator) finish();
    else if (!control.test(char)) body += char;
    else {
      giveUp();
      inText(char);
    }
  }

  function inStringEscape(char: string): void {
    if (char === "\\") {
      finish();
      return;
    }
    giveUp();
    state = "escape";
    inEscape(char);
  }

  const steps = {
    text: inText,
    escape: inEscape,
    csi: inCsi,
    string: inString,
    "string-escape": inStringEscape,
  };

  function flush(): string {
    const text = out;
    out = "";
    return text;
  }

  return {
    push(chunk) {
      const text = halfPair + chunk;
      halfPair = /^[\ud800-\udbff]/.exec(text.slice(-1))?.[0] ?? "";
      for (const char of text.slice(0, text.length - halfPair.length)) steps[state](char);
      return flush();
    },
    end() {
      if (halfPair !== "") steps[state](halfPair);
      giveUp();
      filter.end();
      return flush();
    },
  };
}

/**
 * Many lines of text for the screen or the model. Escape sequences are dropped whole (of an unfinished one only the opening),
 * CRLF becomes LF, everything else that could not be seen becomes visible: `␍`, `\u{202E}`. Emoji, CJK and up to 8 marks stay.
 */
export function safeText(text: string): string {
  if (harmless.test(text)) return text;
  const stream = createSafeStream();
  return stream.push(text) + stream.end();
}

/** `safeText` on one line: a line end shows as `␊`, a tab is a space. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll("\n", "\u240a").replaceAll("\t", " ");
}

/** `exactText` in pieces, so that a screen can tell a visible form from the same characters in the text itself. */
export function exactPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  const filter = createFilter(true, (part, hidden) => {
    const last = pieces.at(-1);
    if (last?.hidden === hidden) last.text += part;
    else pieces.push({ text: part, hidden });
  });
  for (const char of text) filter.take(char);
  filter.end();
  return pieces;
}

/** Text of a proposal: nothing is dropped; all that could not be seen or passes for a space is in its visible form (`␛`, `␍`, `\u{A0}`). LF and TAB stay. */
export function exactText(text: string): string {
  if (harmless.test(text)) return text;
  return exactPieces(text)
    .map((piece) => piece.text)
    .join("");
}
