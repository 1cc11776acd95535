// Slash commands: one table for the help and the dispatch. An unknown one is said so; the nearest is never run.
import { type PermissionMode, permissionModeSchema } from "../policy/rules.ts";
import { type Mode, modeSchema } from "../protocol/record.ts";
import { nearest } from "../util/nearest.ts";

export type Command =
  | { name: "help" }
  | { name: "status" }
  | { name: "details" }
  | { name: "diff" }
  | { name: "clear" }
  | { name: "quit" }
  | { name: "model"; id: string }
  | { name: "permissions"; mode: PermissionMode | null }
  /** Without a mode: which one is it? */
  | { name: "mode"; mode: Mode | null; guided: boolean }
  | { name: "misused"; text: string; usage: string; help: string }
  | { name: "unknown"; text: string; near: string | undefined };

export const commandTable: readonly (readonly [usage: string, help: string])[] = [
  ["/help", "this list"],
  ["/model [ID|setup]", "the profiles; go on with another one; set one up"],
  ["/mode [MODE]", "read, propose, edit or guided (edit with a plan first): what may be done"],
  ["/permissions [MODE]", "ask, auto-read or trusted: what free work lets through, and your rules"],
  ["/status", "model, mode, workspace, session, context, tokens and cost"],
  ["/details", "print further calls with their results, or not"],
  ["/diff", "the patches of this session"],
  ["/clear", "a new session; the terminal's history stays"],
  ["/quit", "leave"],
];

/** Reads a line that begins with "/"; null for any other line. */
export function readCommand(line: string): Command | null {
  if (!line.startsWith("/") || line.includes("\n")) return null;
  const [name = "", ...words] = line.slice(1).trim().split(/\s+/);
  const argument = words.join(" ");
  switch (name) {
    case "help":
    case "status":
    case "details":
    case "diff":
    case "clear":
    case "quit":
      return argument === "" ? { name } : misused(line, name);
    case "exit":
      return { name: "quit" };
    case "model":
      return { name, id: argument };
    case "permissions": {
      if (argument === "") return { name, mode: null };
      const mode = permissionModeSchema.safeParse(argument);
      return mode.success ? { name, mode: mode.data } : misused(line, name);
    }
    case "mode": {
      if (argument === "") return { name, mode: null, guided: false };
      if (argument === "guided") return { name, mode: "edit", guided: true };
      const mode = modeSchema.safeParse(argument);
      return mode.success ? { name, mode: mode.data, guided: false } : misused(line, name);
    }
    default:
      return unknown(line);
  }
}

function misused(line: string, name: string): Command {
  const row = commandTable.find(([usage]) => usage.split(" ")[0] === `/${name}`);
  return row === undefined ? unknown(line) : { name: "misused", text: line, usage: row[0], help: row[1] };
}

function unknown(line: string): Command {
  const names = commandTable.map(([usage]) => usage.split(" ")[0] ?? "");
  return { name: "unknown", text: line, near: nearest(line.split(/\s/)[0] ?? line, names) };
}
