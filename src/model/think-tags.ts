// Parts `<think>…</think>` at the beginning of a text from the text itself, piece by piece. Pure; used by openai-answer.ts.

const OPEN = "<think>";
const CLOSE = "</think>";

type Part = { type: "text" | "reasoning"; text: string };

interface ThinkTags {
  /** What the piece adds; what may still become a tag is held back. */
  take(piece: string): Part[];
  /** What was held back. */
  end(): Part[];
  /** The thinking so far when its tag was not closed: it may hold the answer. */
  unclosed(): string | undefined;
}

/**
 * Only a tag before everything else opens the thinking: an answer may speak of tags. Blanks before the tag, and those at the
 * beginning of the thinking and of the text after it, are left out; all else keeps its characters. The parts do not depend on
 * where the text is cut into pieces, but for being cut themselves. With `open` the thinking has begun, tag or not.
 */
export function createThinkTags(open: boolean): ThinkTags {
  let state: "begin" | "thinking" | "text" = "begin";
  let held = "";
  let thought = "";
  /** Nothing but blanks has come since the last tag. */
  let fresh = false;

  const part = (type: Part["type"], text: string): Part[] => {
    const shown = fresh ? text.trimStart() : text;
    if (shown !== "") fresh = false;
    if (type === "reasoning") thought += shown;
    return shown === "" ? [] : [{ type, text: shown }];
  };
  const thinking = (text: string): Part[] => {
    const at = text.indexOf(CLOSE);
    if (at === -1) {
      const kept = tailThatBegins(text, CLOSE);
      held = text.slice(text.length - kept);
      return part("reasoning", text.slice(0, text.length - kept));
    }
    const thought = part("reasoning", text.slice(0, at));
    state = "text";
    fresh = true;
    return [...thought, ...part("text", text.slice(at + CLOSE.length))];
  };

  return {
    take(piece) {
      const text = held + piece;
      held = "";
      if (state === "text") return part("text", text);
      if (state === "thinking") return thinking(text);
      const begun = text.trimStart();
      if (begun.startsWith(OPEN)) {
        state = "thinking";
        fresh = true;
        return thinking(begun.slice(OPEN.length));
      }
      if (OPEN.startsWith(begun)) {
        held = text;
        return [];
      }
      if (open) {
        state = "thinking";
        fresh = true;
        return thinking(begun);
      }
      state = "text";
      return part("text", text);
    },
    end() {
      const rest = held;
      held = "";
      if (open && state === "begin") state = "thinking";
      return part(state === "thinking" ? "reasoning" : "text", rest);
    },
    unclosed: () => (state === "thinking" ? thought : undefined),
  };
}

/** How many characters at the end of `text` may be the beginning of `tag`. */
function tailThatBegins(text: string, tag: string): number {
  let length = Math.min(text.length, tag.length - 1);
  while (!tag.startsWith(text.slice(text.length - length))) length--;
  return length;
}
