// Finds what looks like a secret in text that is to leave the machine: by the shapes of known keys and by the values of the
// environment's secret variables. Pure; used for scripts made from a record.
import { environmentSecrets } from "./secrets.ts";

/** Shapes with the secret as the whole match, or as the group "key". Every run is bounded: hostile text must not take for ever. */
const shapes: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----(?:(?!-----(?:BEGIN|END))[\s\S]){1,20000}-----END [A-Z ]{0,20}PRIVATE KEY-----/g,
  /\b(?:sk|pk|rk|gsk|xai|csk|hf|r8|pplx|nvapi|tvly|dapi|npm|pypi|dop_v1|gh[pousr]|github_pat|glpat|xox[abposr])[-_](?:[A-Za-z0-9]{1,40}[-_]){0,4}?(?=[A-Za-z0-9]{0,40}\d)(?=\d{0,40}[A-Za-z])[A-Za-z0-9]{12}[\w-]{0,400}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,60}/g,
  /\bya29\.[\w-]{20,400}/g,
  /\bSG\.[\w-]{16,100}\.[\w-]{16,100}/g,
  /\beyJ[\w-]{8,1000}\.[\w-]{8,4000}\.[\w-]{8,1000}/g,
  /\b(?:Bearer|Basic)\s{1,4}(?<key>(?=[\w.~+/=-]{0,400}\d)[\w.~+/=-]{16,4000})/gi,
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:@/"'\\]{0,100}:(?<key>[^\s@/"'\\]{3,200})@/gi,
  // A name that says what it is, and a value that is no word: quoted (in JSON the quotes are escaped), or a line of an .env file.
  /(?:pass(?:word|wd|phrase)|secret|token|api[-_]?key|(?:access|private|auth)[-_]?key)\w{0,20}\\?["']?\s{0,4}(?:[:=]|=>)\s{0,4}\\?["'](?<key>(?=[\w+/=.~-]{0,400}\d)(?=[\w+/=.~-]{0,400}[A-Za-z])[\w+/=.~-]{12,400})\\?["']/gi,
  /\b[A-Z0-9_]{0,40}(?:PASS(?:WORD|WD|PHRASE)|SECRET|TOKEN|KEY)[A-Z0-9_]{0,20}=(?<key>(?=[\w+/=~-]{0,400}\d)(?=[\w+/=~-]{0,400}[A-Za-z])[\w+/=~-]{12,400})/g,
];

/**
 * What is to be replaced in `texts`, with a placeholder for each: the variable's name for a value of the environment, a number for
 * what only looks like a key. Equal secrets get equal placeholders, so that what refers to one another still does.
 */
export function findSecrets(
  texts: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Map<string, string> {
  const found = new Map<string, string>();
  const add = (value: string, placeholder: string): void => {
    if (found.has(value)) return;
    found.set(value, placeholder);
    // The same value inside of JSON.
    found.set(JSON.stringify(value).slice(1, -1), placeholder);
  };
  for (const [name, given] of Object.entries(env)) {
    for (const value of environmentSecrets({ [name]: given }))
      add(value, placeholderOf(name.replace(/\W/g, "_")));
  }
  let number = 0;
  for (const text of texts) {
    for (const value of shapes.flatMap((shape) => matches(shape, text))) {
      if (!found.has(value)) add(value, placeholderOf(`key-${++number}`));
    }
  }
  return found;
}

/** The text with each secret replaced by its placeholder, longer ones first. */
export function replaceSecrets(text: string, secrets: ReadonlyMap<string, string>): string {
  const longestFirst = [...secrets].sort(([a], [b]) => b.length - a.length);
  return longestFirst.reduce((clean, [value, placeholder]) => clean.replaceAll(value, placeholder), text);
}

/** What stands between the placeholders of a text, the record's own among them; blank pieces are left out. */
export function aroundPlaceholders(text: string): string[] {
  return text.split(/<redacted(?::[\w-]+)?>/).filter((piece) => piece.trim() !== "");
}

/** Nothing in it has to be escaped in JSON, a shell's quotes or a diff. */
function placeholderOf(name: string): string {
  return `<redacted:${name}>`;
}

function matches(shape: RegExp, text: string): string[] {
  return Array.from(text.matchAll(shape), (match) => match.groups?.["key"] ?? match[0]);
}
