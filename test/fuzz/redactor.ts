// Fuzz target: the redactor. A known key is in nothing that comes out, however it is encoded and cut, and all else is as it was (D10).
import { redactorFor } from "../../src/policy/secrets.ts";
import { type Random, randomFrom } from "./random.ts";
import type { FuzzTarget } from "./target.ts";

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+/=."\\:!';
const prefixes = ["sk-", "sk-proj-", "ghp_", "AKIA", "xoxb-", "glpat-", "", "aaaa"] as const;
const around = [
  "",
  " ",
  "key=",
  '"',
  "é",
  "中",
  "\n",
  "=",
  "sk-",
  "abc",
  "\u0000",
  "$&",
  "Bearer ",
  "<redacted>",
] as const;

/** The ways in which programs print a key. */
const encodings: readonly [(key: string) => string, ...((key: string) => string)[]] = [
  (key) => key,
  (key) => encodeURIComponent(key),
  (key) => encodeURIComponent(key).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  (key) => JSON.stringify(key).slice(1, -1),
  (key) => Buffer.from(key).toString("hex"),
  (key) => Buffer.from(key).toString("hex").toUpperCase(),
  (key) => Buffer.from(key).toString("base64"),
  (key) => Buffer.from(key).toString("base64url"),
  (key) => Buffer.from(`u:${key} tail`).toString("base64"),
  (key) => Buffer.from(`x${key}`).toString("base64url"),
];

function keyOf(random: Random): string {
  let key: string = random.pick(prefixes);
  for (let i = 20 + random.number(40); i > 0; i--) key += alphabet.charAt(random.number(alphabet.length));
  return key;
}

/** A text with the key in it in one of its forms, and the least of that form that may not show. */
function story(random: Random, key: string): { text: string; core: string } {
  const form = random.pick(encodings)(key);
  let text = "";
  for (let i = random.number(5); i > 0; i--) text += random.pick(around);
  text += form;
  for (let i = random.number(5); i > 0; i--) text += random.pick(around);
  // The characters at the ends of base64 also hold what stands beside the key: they may stay.
  return { text, core: form.slice(4, -8) };
}

function faultOf(random: Random): string | null {
  const keys = [keyOf(random), keyOf(random)];
  const key = keys[random.number(2)] ?? "";
  const redact = redactorFor(keys);
  const { text, core } = story(random, key);
  const told = JSON.stringify({ key, text });
  const clean = redact.text(text);
  if (clean.includes(core)) return `shown: ${told} as ${JSON.stringify(clean)}`;
  if (redact.bytes(Buffer.from(text)).includes(core)) return `shown in bytes: ${told}`;
  const stream = redact.stream();
  let out = "";
  for (let at = 0; at < text.length; ) {
    const size = 1 + random.number(9);
    out += stream.push(text.slice(at, at + size));
    at += size;
    if (out.includes(core)) return `shown in pieces: ${told} as ${JSON.stringify(out)}`;
  }
  out += stream.end();
  if (out !== clean) return `pieces give ${JSON.stringify(out)}, the whole ${JSON.stringify(clean)}: ${told}`;
  const other = redactorFor([`${keyOf(random)}!`]).text(text);
  return other === text ? null : `changed without need: ${told}`;
}

export const redactorTarget: FuzzTarget = {
  name: "redactor",
  async run(runs, seed) {
    const random = randomFrom(seed);
    const failures: string[] = [];
    for (let i = 0; i < runs; i++) {
      const fault = faultOf(random);
      if (fault !== null) failures.push(fault);
    }
    return { runs, failures, figures: { encodings: encodings.length } };
  },
};
