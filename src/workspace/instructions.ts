// The project's own words to agents: AGENTS.md, or CLAUDE.md where there is none, at the top of a workspace that the user trusts.
// Used by src/app.ts.
import { decodeText } from "../patch/decode.ts";
import { safeText } from "../policy/safe-text.ts";
import type { PathGate } from "./path-gate.ts";

const names = ["AGENTS.md", "CLAUDE.md"];
/** More is cut off: instructions that long are not followed anyway. */
export const maxInstructions = 8_000;

export interface Instructions {
  /** Its workspace path, or what it is called. */
  source: string;
  text: string;
  /** Characters that were cut off. */
  cut: number;
}

/** The first of the files that is there and can be read; null without any. */
export async function projectInstructions(gate: PathGate): Promise<Instructions | null> {
  for (const name of names) {
    const file = await gate.readFile(name);
    if (file.ok && file.value) return instructionsOf(name, file.value.bytes);
  }
  return null;
}

/** Text of an instruction file; null when it is none, or says nothing. */
export function instructionsOf(source: string, bytes: Buffer): Instructions | null {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return null;
  const text = safeText(decoded.text).trim();
  if (text === "") return null;
  return { source, text: text.slice(0, maxInstructions), cut: Math.max(0, text.length - maxInstructions) };
}
