// Puts streamed pieces of `reasoning_details` together: a signature is for the whole text, so pieces that go back as they came
// are refused. Pure; used by openai-answer.ts.
import type { ReasoningDetail } from "./openai-chunk.ts";

/** Adds one piece to the details so far. Pieces of one kind and index that follow each other are one detail. */
export function addDetail(details: ReasoningDetail[], piece: ReasoningDetail): void {
  const last = details.at(-1);
  if (last === undefined || !continues(last, piece)) {
    details.push({ ...piece });
    return;
  }
  for (const [name, value] of Object.entries(piece)) {
    const before = last[name];
    if (name === "text" || name === "summary") {
      if (typeof value === "string") last[name] = typeof before === "string" ? before + value : value;
    } else if (value !== null) {
      last[name] = value;
    }
  }
}

function continues(last: ReasoningDetail, piece: ReasoningDetail): boolean {
  const isText = piece["type"] === "reasoning.text" || piece["type"] === "reasoning.summary";
  return isText && last["type"] === piece["type"] && (last["index"] ?? null) === (piece["index"] ?? null);
}
