// What the model is told of the workspace at the start, so that not every task opens with the same call. Used by src/app.ts.
import { basename } from "node:path";
import { openGit } from "./git.ts";
import { listFolder } from "./list.ts";
import type { PathGate } from "./path-gate.ts";

const TOP_NAMES = 60;

export async function takeSnapshot(gate: PathGate): Promise<{
  name: string;
  top: string[];
  more: number;
  branch: string | null;
  changed: number;
  runtime: string;
}> {
  const listed = await listFolder(gate, ".");
  const names = listed.ok
    ? listed.value.entries.map(({ name, kind }) => (kind === "folder" ? `${name}/` : name))
    : [];
  const git = await openGit(gate);
  const status = await git?.status(new AbortController().signal);
  return {
    name: basename(gate.root),
    top: names.slice(0, TOP_NAMES),
    more: Math.max(0, names.length - TOP_NAMES) + (listed.ok ? listed.value.more : 0),
    branch: status?.ok ? status.value.branch : null,
    changed: status?.ok ? status.value.entries.length : 0,
    runtime: `Node ${process.version.slice(1)} on ${process.platform}`,
  };
}
