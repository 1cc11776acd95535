// Puts streamed pieces of tool calls together, also where a server numbers or names them wrongly (cases S01, S02).
// Used by the OpenAI-compatible adapter.
import type { ToolCall } from "../protocol/message.ts";
import { unusedCallId } from "./call-ids.ts";

/** One piece as it came; what the server did not give is undefined. Empty ids and names count as not given. */
interface CallFragment {
  index?: number | undefined;
  id?: string | undefined;
  name?: string | undefined;
  arguments: string;
}

/** A call as far as it has come; what its first piece lacks is set by the first piece that has it. */
type OpenCall = CallFragment;

interface CallFragments {
  add(fragment: CallFragment): void;
  /**
   * The calls in the order they began. Arguments never sent become `{}`. An id that is missing, or that this
   * conversation has already used, is replaced by one that depends on nothing but `takenIds`.
   */
  calls(takenIds: ReadonlySet<string>): ToolCall[];
}

export function createCallFragments(): CallFragments {
  const open: OpenCall[] = [];
  return {
    add(fragment) {
      if (fragment.id === undefined && fragment.name === undefined && fragment.arguments === "") return;
      const call = findContinued(open, fragment);
      if (call === undefined) {
        open.push({ ...fragment });
        return;
      }
      call.id ??= fragment.id;
      call.name ??= fragment.name;
      call.index ??= fragment.index;
      call.arguments += fragment.arguments;
    },
    calls(takenIds) {
      const taken = new Set(takenIds);
      return open.map((call) => {
        const id = call.id === undefined || taken.has(call.id) ? unusedCallId(taken) : call.id;
        taken.add(id);
        return { id, name: call.name ?? "", arguments: call.arguments.trim() === "" ? "{}" : call.arguments };
      });
    },
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
  const sameNumber =
    fragment.index === undefined || call.index === undefined || call.index === fragment.index;
  if (fragment.id !== undefined) {
    if (call.id === undefined) return sameNumber && call.arguments === "";
    // One id under two numbers is two calls when both have a name: some servers give every call the same id.
    return call.id === fragment.id && (sameNumber || fragment.name === undefined);
  }
  if (!sameNumber) return false;
  // Without an id only a name can begin a call, and some servers repeat the name on every piece.
  if (fragment.name === undefined || call.name === undefined) return true;
  return fragment.name === call.name && (fragment.arguments === "" || !isWhole(call.arguments));
}

function isWhole(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
