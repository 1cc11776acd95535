// The world as the agent's port: one object of functions that touch it, each re-checking what was shown. Made by src/app.ts.
import type { Blobs } from "../protocol/blobs.ts";
import type { FactOf } from "../protocol/fact.ts";
import type { Command, Confinement, PatchContent } from "../protocol/proposal.ts";
import { ok } from "../protocol/refusal.ts";
import { sha256 } from "../util/hash.ts";
import { runCommand } from "./command.ts";
import { fetchPage } from "./fetch.ts";
import { findFiles } from "./find.ts";
import { openGit } from "./git.ts";
import type { PathGate } from "./path-gate.ts";
import { applyPatch, settlePatch } from "./perform-patch.ts";
import type { Sandbox } from "./sandbox.ts";
import { treeOf } from "./tree.ts";

/** Largest file that is read whole, in bytes. */
const MAX_FILE = 32 * 1024 * 1024;

/** `redact` is applied to what programs print, before anything else sees it. */
export function openWorld(
  gate: PathGate,
  blobs: Blobs,
  environment: Record<string, string>,
  sandbox: Sandbox,
  redact: (output: Buffer) => Buffer,
) {
  return {
    gate,
    file: async (path: string) => {
      const read = await gate.readFile(path, MAX_FILE);
      if (!read.ok || read.value === null) return read.ok ? ok(null) : read;
      const { bytes, stat } = read.value;
      return ok({ bytes, hash: sha256(bytes), mode: Number(stat.mode) & 0o777, links: Number(stat.nlink) });
    },
    applyPatch: (content: PatchContent, signal: AbortSignal) => applyPatch(gate, blobs, content, signal),
    settlePatch: (content: PatchContent) => settlePatch(gate, blobs, content),
    runCommand: async (
      command: Command,
      confinement: Confinement,
      signal: AbortSignal,
      onOutput: (text: string) => void,
    ) => {
      const surroundings = { env: environment, sandbox, confinement };
      const ran = await runCommand(gate, command, surroundings, signal, onOutput);
      return ran.ok ? ok({ ...ran.value, output: redact(ran.value.output) }) : ran;
    },
    fetchPage: (url: string, signal: AbortSignal) => fetchPage(url, signal),
    tree: (made: readonly string[]) => treeOf(gate, made),
    files: async (): Promise<string[]> => {
      const found = await findFiles(gate, ".", undefined, new AbortController().signal);
      return found.ok ? found.value.paths : [];
    },
    gitStatus: async (): Promise<FactOf<"git_status"> | null> => {
      const git = await openGit(gate);
      const status = await git?.status(new AbortController().signal);
      if (!status?.ok) return null;
      const { branch, entries } = status.value;
      return { type: "git_status", branch, changed: entries.map(({ code, path }) => `${code} ${path}`) };
    },
  };
}
