// Puts streamed pieces of tool calls together, also where a server numbers, names or repeats them wrongly (cases S01, S02).
// Used by the OpenAI-compatible adapter.
import type { Carried, ToolCall } from "../protocol/message.ts";
import { unusedCallId } from "./call-ids.ts";

type Json = Carried["blocks"][number];

/** One piece as it came; what the server did not give is undefined. Empty ids and names count as not given. */
interface CallFragment {
  index?: number | undefined;
  id?: string | undefined;
  name?: string | undefined;
  arguments: string;
  /** What the server wants back with the call, as it is. */
  extra?: Json | undefined;
}

/** A call as far as it has come; what its first piece lacks is set by the first piece that has it. */
interface OpenCall extends Omit<CallFragment, "arguments"> {
  /** Pieces of the arguments, without empty ones. */
  pieces: string[];
}

interface CallFragments {
  add(fragment: CallFragment): void;
  /**
   * The calls in the order they began. Arguments never sent become `{}`, those sent twice count once. An id that is missing, or
   * that this conversation has already used, is replaced by one that depends on nothing but `takenIds`.
   */
  calls(takenIds: ReadonlySet<string>): ToolCall[];
  /** What each of the calls has beside it, in their order. */
  extras(): (Json | undefined)[];
}

export function createCallFragments(): CallFragments {
  const open: OpenCall[] = [];
  return {
    add({ arguments: piece, ...fragment }) {
      if (fragment.id === undefined && fragment.name === undefined && piece === "") return;
      const known = findContinued(open, { ...fragment, arguments: piece });
      const call = known ?? { ...fragment, pieces: [] };
      if (known === undefined) open.push(call);
      call.id ??= fragment.id;
      call.name ??= fragment.name;
      call.index ??= fragment.index;
      call.extra ??= fragment.extra;
      if (piece !== "") call.pieces.push(piece);
    },
    calls(takenIds) {
      const taken = new Set(takenIds);
      return open.map((call) => {
        const id = call.id === undefined || taken.has(call.id) ? unusedCallId(taken) : call.id;
        taken.add(id);
        return { id, name: call.name ?? "", arguments: argumentsOf(call.pieces) };
      });
    },
    extras: () => open.map(({ extra }) => extra),
  };
}

/** The open call that a piece belongs to, or undefined when it begins a new one. */
function findContinued(open: readonly OpenCall[], fragment: CallFragment): OpenCall | undefined {
  const call = open.findLast((candidate) => continues(candidate, fragment));
  if (call !== undefined) return call;
  // A bare piece of arguments under a number that nothing has: some servers number pieces instead of calls.
  return fragment.id === undefined && fragment.name === undefined ? open.at(-1) : undefined;
}

function continues(call: OpenCall, fragment: CallFragment): boolean {
  const { id, name, index, arguments: piece } = fragment;
  const sameNumber = index === undefined || call.index === undefined || call.index === index;
  if (id !== undefined) {
    if (call.id === undefined) return sameNumber && call.pieces.length === 0;
    if (call.id !== id) return false;
    // One id for two calls, as some servers give it: each has a name, and a number or whole arguments of its own.
    return name === undefined || (sameNumber && !isOther(call, piece));
  }
  if (!sameNumber) return false;
  // Without an id only a name can begin a call, and some servers repeat the name on every piece.
  if (name === undefined || call.name === undefined) return true;
  return name === call.name && (piece === "" || !hasWhole(call));
}

/** Whether a whole call got whole arguments that are other ones; an empty object before them is none. */
function isOther(call: OpenCall, piece: string): boolean {
  if (!hasWhole(call) || !isWhole(piece)) return false;
  const before = call.pieces.join("");
  return before !== piece && before.trim() !== "{}";
}

function hasWhole({ pieces }: OpenCall): boolean {
  // Looked at first: long arguments come in many pieces, and few of them end like this.
  return /[}"]\s*$/.test(pieces.at(-1) ?? "") && isWhole(pieces.join(""));
}

/**
 * The pieces as one text. Where that is no JSON, some servers had sent `{}` first, or everything so far with every piece, or
 * everything once more at the end: then it is the JSON that they meant.
 */
function argumentsOf(pieces: readonly string[]): string {
  const text = pieces.join("");
  if (text.trim() === "") return "{}";
  const last = pieces.at(-1) ?? "";
  if (isWhole(text)) return text;
  if (isWhole(last)) {
    const before = pieces.slice(0, -1);
    const repeated = before
      .join("")
      .split(last)
      .every((part) => part === "");
    if (repeated || before.every((piece) => last.startsWith(piece))) return last;
  }
  const rest = pieces.slice(1).join("");
  return pieces[0]?.trim() === "{}" && isWhole(rest) ? rest : text;
}

/** Whether it is an object, or one within a string. */
function isWhole(json: string): boolean {
  if (!/^\s*(\{[\s\S]*\}|"[\s\S]*")\s*$/.test(json)) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
