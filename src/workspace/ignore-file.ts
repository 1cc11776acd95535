// The workspace's `.minicodeignore`, looked at afresh for every path. Used by the path gate.
import { type BigIntStats, lstatSync } from "node:fs";
import { type IgnoreRules, maxIgnoreBytes, noIgnoreRules, parseIgnore } from "../policy/ignore.ts";
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { type Dir, openRegular, type Stop } from "./path-walk.ts";
import { readHandle } from "./read-handle.ts";

const fileName = ".minicodeignore";
/** A file that changed within this time before we read it can change again with the same time stamp. */
const raceWindowNs = 100_000_000n;

export interface IgnoreFile {
  /** The rules as the file has them now; a broken file is a refusal that says what is wrong with it. */
  rules(): Promise<Result<IgnoreRules>>;
}

export function ignoreFileIn(root: Dir): IgnoreFile {
  let known: { identity: string; rules: Result<IgnoreRules> } | null = null;
  return {
    async rules() {
      // Synchronous because it is asked for every name of a listing and takes microseconds.
      const found = lstatSync(root.child(fileName), { bigint: true, throwIfNoEntry: false });
      if (found === undefined) return ok(noIgnoreRules);
      if (known?.identity === identityOf(found)) return known.rules;
      const { rules, stat } = await read(root);
      const settled = stat !== null && BigInt(Date.now()) * 1_000_000n - stat.ctimeNs > raceWindowNs;
      known = settled ? { identity: identityOf(stat), rules } : null;
      return rules;
    },
  };
}

function identityOf(stat: BigIntStats): string {
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs, stat.mode].join(":");
}

async function read(root: Dir): Promise<{ rules: Result<IgnoreRules>; stat: BigIntStats | null }> {
  const opened = await openRegular(root, fileName);
  if (!opened.ok) {
    if (opened.stop.why === "missing") return { rules: ok(noIgnoreRules), stat: null };
    return { rules: broken(faultOf(opened.stop)), stat: null };
  }
  const { handle, stat } = opened.value;
  try {
    const rules = parseIgnore(await readHandle(handle, maxIgnoreBytes + 1));
    return { rules: rules.ok ? rules : broken(rules.refusal.message), stat };
  } finally {
    await handle.close();
  }
}

function faultOf(stop: Stop): string {
  switch (stop.why) {
    case "link":
      return "is a symbolic link";
    case "folder":
      return "is a folder";
    case "os":
      return `cannot be read (${stop.reason})`;
    default:
      return "is not a regular file";
  }
}

function broken(fault: string): Result<IgnoreRules> {
  return refuse(
    "blocked",
    `${fileName} ${fault}: nothing in the workspace can be opened until the user has mended it.`,
  );
}
