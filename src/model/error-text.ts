// A server's words as text that can be shown: one line, without keys, tags and control characters. Pure; used by failure.ts.
import { isPlaceholderKey } from "../policy/placeholder-key.ts";

/** Longest line in UTF-16 units. */
const maxLine = 200;
/** Shorter values ("x", "no") are placeholders for servers that want any key; taking them out would garble the text. */
const shortestKey = 4;
/** So many characters of a key in a row are a part of it worth hiding. */
const partLength = 8;
const MARK = "[redacted]";

/** `text` as one line of at most 200 characters that does not hold the key, nor a long part of it. */
export function shownLine(text: string, key: string | undefined): string {
  // Hidden before as well: a key may hold what is taken out here.
  const plain = withoutKey(text, key)
    .replace(/[\p{Cf}\p{Cs}]/gu, "")
    .replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, " ")
    .replace(/<[/!?]?[a-z-][^<>]*(>|$)/gi, " ")
    .replace(/<(?=[a-z/!?-])/gi, " ")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return cut(withoutKey(plain, key));
}

/** Takes the key out of a text, also where it is encoded for a URL or in base64, and where only a part of it stands. */
export function withoutKey(text: string, key: string | undefined): string {
  if (key === undefined || key.length < shortestKey || isPlaceholderKey(key)) return text;
  let clean = text;
  for (const form of [key, encodeURIComponent(key), ...base64Forms(key)])
    clean = clean.replaceAll(form, MARK);
  return withoutParts(clean, key);
}

/** Within other bytes a text has one of three forms in base64, by where it begins; each without what it shares with its neighbours. */
function base64Forms(key: string): string[] {
  return [0, 1, 2]
    .map((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
      const whole = Math.floor((bytes.length * 4) / 3);
      return bytes.toString("base64").slice(Math.ceil((before * 4) / 3), whole);
    })
    .flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")])
    .filter((form) => form.length > shortestKey);
}

function withoutParts(text: string, key: string): string {
  const parts = new Set<string>();
  for (let at = 0; at + partLength <= key.length; at++) parts.add(key.slice(at, at + partLength));
  if (parts.size === 0) return text;
  let clean = "";
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (parts.has(text.slice(end, end + partLength))) end++;
    clean += end === at ? text.charAt(at) : MARK;
    at = end === at ? at + 1 : end - 1 + partLength;
  }
  return clean;
}

function cut(line: string): string {
  if (line.length <= maxLine) return line;
  // Not within a character.
  const kept = line.slice(0, maxLine - 1).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept.trimEnd()}…`;
}
