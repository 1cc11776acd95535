// Known key values never reach the record, the screen or the model, in none of the forms that programs give them (design §10,
// D10). Pure; made once per session by src/app.ts, and by src/cli/ for what it prints itself.
import { isPlaceholderKey } from "./placeholder-key.ts";

/** Shorter values would blank out ordinary words. */
const shortestKey = 6;
const shortestVariable = 8;
const shown = "<redacted>";

/** Words of a variable's name that say that its value is a secret. */
const secretWords =
  /(?:^|_)(?:(?:API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|MASTER|DEPLOY)?KEYS?|(?:AUTH)?TOKENS?|SECRETS?|PASS(?:WORD|WD|PHRASE)?|CREDENTIALS?|AUTH|DSN)(?:_|$)/i;
/** Words at its end that say that it is only about one. */
const aboutWords =
  /_(?:FILE|PATH|DIR|SOCK|SOCKET|ID|NAME|URL|URI|HOST|PORT|TTL|EXPIRES?|TYPE|ALGORITHM|PROMPT)$/i;

/** The values of an environment that are secrets by their variable's name: none that is a path, a plain word or a number. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, given]) => {
    const value = given?.trim() ?? "";
    if (!secretWords.test(name) || aboutWords.test(name)) return [];
    if (isPlaceholderKey(value)) return [];
    if (value.length < shortestVariable || /^(?:[~./]|[A-Za-z]:\\)|^[A-Za-z]+$|^\d+$/.test(value)) return [];
    return [value];
  });
}

export interface Redactor {
  text(text: string): string;
  /** The same for a program's output, whatever its encoding: keys are ASCII. */
  bytes(bytes: Buffer): Buffer;
  /** The same for text that comes in pieces: no key shows whatever it is cut into. */
  stream(): StreamRedactor;
}

export interface StreamRedactor {
  /** What of the text so far can be shown. Only what may be the beginning of a key is kept back. */
  push(piece: string): string;
  /** What was kept back, at the text's end. */
  end(): string;
}

/** Replaces each of the given values, and its usual encodings, by `<redacted>`. */
export function redactorFor(values: readonly (string | undefined)[]): Redactor {
  const known = values
    .filter((value) => value !== undefined)
    .filter((value) => value.length >= shortestKey && !isPlaceholderKey(value));
  const forms = [...new Set(known.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return nothingKnown;
  const pattern = new RegExp(forms.map(escaped).join("|"), "g");
  const beginnings = new Set(forms.flatMap((form) => Array.from(form, (_, i) => form.slice(0, i)).slice(1)));
  const longest = forms[0]?.length ?? 0;
  const text = (given: string): string => given.replace(pattern, shown);
  return {
    text,
    bytes: (given) => {
      const plain = given.toString("latin1");
      const clean = text(plain);
      return clean === plain ? given : Buffer.from(clean, "latin1");
    },
    stream: () => {
      let kept = "";
      return {
        push: (piece) => {
          kept += piece;
          const cut = openFrom(kept, beginnings, longest, pattern);
          const ready = kept.slice(0, cut);
          kept = kept.slice(cut);
          return text(ready);
        },
        end: () => {
          const rest = text(kept);
          kept = "";
          return rest;
        },
      };
    },
  };
}

/** Where the part begins that more text could still make a key of, or a longer one. */
function openFrom(text: string, beginnings: ReadonlySet<string>, longest: number, pattern: RegExp): number {
  let open = text.length;
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    if (!beginnings.has(text.slice(at))) continue;
    open = at;
    break;
  }
  // A whole key that reaches into the open part stays whole.
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (index < open && index + found.length > open) return index;
  }
  return open;
}

const nothingKnown: Redactor = {
  text: (text) => text,
  bytes: (bytes) => bytes,
  stream: () => ({ push: (piece) => piece, end: () => "" }),
};

/** The value as it is and as programs like to write it. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  const hex = bytes.toString("hex");
  const forms = [
    value,
    encodeURIComponent(value),
    encodeURIComponent(value).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    JSON.stringify(value).slice(1, -1),
    hex,
    hex.toUpperCase(),
    ...base64Forms(bytes),
  ];
  return forms.filter((form) => form.length >= shortestKey);
}

/** In base64 and base64url, wherever it stands in what was encoded: without the characters that its neighbours share. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor((padded.length * 8) / 6);
    const form = padded.toString("base64").slice(start, end);
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
