// Fuzz target: the terminal sanitiser. Nothing forbidden comes out, twice is once, and pieces give what the whole gives (D9).
import { createSafeStream, exactText, safeText } from "../../src/policy/safe-text.ts";
import { forbiddenIn } from "../policy/forbidden.ts";
import { type Random, randomFrom } from "./random.ts";
import type { FuzzTarget } from "./target.ts";

const parts = [
  ...(["\u001b", "\u001b[", "\u001b]0;", "\u001bP", "\u001b\\", "\u001b_G", "\u001b(B", "\u001bc"] as const),
  ...[
    "\u009b",
    "\u009d",
    "\u009c",
    "\u0090",
    "\u0007",
    "31m",
    "6n",
    "52;c;x",
    "8;;http://x",
    "\r",
    "\n",
    "\t",
  ],
  ...["\b", "a", "1", "#", ";", "[", "\u200d", "\u200c", "\ufe0f", "\ufe0e", "\u20e3", "👩", "🏽", "❤", "🇩"],
  ...[
    "\u0301",
    "\u0301\u0301\u0301\u0301\u0301",
    "\u202e",
    "\u2066",
    "\u00a0",
    "漢",
    "\ud83d",
    "\udc69",
    "e",
  ],
  ...["\u{e0041}", "\u3164", "\u00ad", "\u2028", "\ufff9", "\ue0b0", "\0", "\u007f", "rm -rf /", " ", "}"],
] as const;

function hostile(random: Random): string {
  let text = "";
  for (let i = random.number(24); i >= 0; i--) {
    text += random.oneIn(5)
      ? String.fromCharCode(random.number(random.oneIn(2) ? 0xa0 : 0x10000))
      : random.pick(parts);
  }
  return text;
}

function faultOf(text: string, random: Random): string | null {
  for (const [name, clean] of [["safeText", safeText] as const, ["exactText", exactText] as const]) {
    const shown = clean(text);
    const bad = forbiddenIn(shown);
    if (bad !== null) return `${name}(${JSON.stringify(text)}) holds ${JSON.stringify(bad)}`;
    if (clean(shown) !== shown) return `${name}(${JSON.stringify(text)}) changes when it is cleaned again`;
  }
  const stream = createSafeStream();
  let shown = "";
  for (let at = 0; at < text.length; ) {
    const size = 1 + random.number(5);
    shown += stream.push(text.slice(at, at + size));
    at += size;
  }
  shown += stream.end();
  return shown === safeText(text) ? null : `${JSON.stringify(text)} in pieces is ${JSON.stringify(shown)}`;
}

export const sanitiserTarget: FuzzTarget = {
  name: "sanitiser",
  async run(runs, seed) {
    const random = randomFrom(seed);
    const failures: string[] = [];
    let characters = 0;
    for (let i = 0; i < runs; i++) {
      const text = hostile(random);
      characters += text.length;
      const fault = faultOf(text, random);
      if (fault !== null) failures.push(fault);
    }
    return { runs, failures, figures: { characters } };
  },
};
