// Files by name: all that are not ignored, or those that match a pattern. Used by the find_files tool and by tree.ts.
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { capture } from "./exec.ts";
import type { PathGate } from "./path-gate.ts";
import { complaint, globArgs, openPlace, type Place } from "./ripgrep.ts";

const outputLimit = 64 * 1024 * 1024;

export interface Found {
  /** The folder looked in. */
  folder: string;
  /** Workspace paths, sorted. */
  paths: string[];
  /** True when there was no time or room for all. */
  incomplete: boolean;
}

/**
 * The visible files below `folder` that no .gitignore hides, without .git and node_modules unless `folder` lies in it.
 * `pattern` is a glob (see `globArgs`); without one it is every file. Links are neither followed nor listed.
 */
export async function findFiles(
  gate: PathGate,
  folder: string,
  pattern: string | undefined,
  signal: AbortSignal,
): Promise<Result<Found>> {
  if (pattern?.trim() === "") return refuse("invalid", "The pattern is empty.");
  const place = await openPlace(gate, folder);
  if (!place.ok) return place;
  try {
    if (place.value.isFile) return refuse("error", `${place.value.path} is a file; path must be a folder.`);
    return await findIn(place.value, pattern === undefined ? [] : globArgs(pattern, gate.root), signal);
  } finally {
    await place.value.close();
  }
}

async function findIn(place: Place, globs: readonly string[], signal: AbortSignal): Promise<Result<Found>> {
  const end = await capture(place.program(["--files", "--null"], globs, signal), outputLimit);
  if (end.how === "cancelled") return refuse("cancelled", "Cancelled.");
  if (end.how === "failed") return refuse("error", `The search could not be started: ${end.stderr}`);
  if (end.exit === 2 && end.stdout.length === 0 && end.stderr !== "") {
    return refuse("invalid", `Not a valid pattern: ${complaint(end.stderr)}`);
  }
  const listed = end.stdout.toString().split("\0");
  // After the last NUL comes nothing, or the beginning of a name that was cut.
  const found = listed.slice(0, -1).map(place.toWorkspace);
  const held = await Promise.all(found.map(place.holds));
  const paths = found.filter((_, i) => held[i]).sort();
  return ok({ folder: place.path, paths, incomplete: end.how !== "exited" });
}
