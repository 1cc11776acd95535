// Shared by the record's tests: temp folders, sample entries, and programs bundled to run as real processes.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { afterAll } from "vitest";
import type { Fact } from "../../src/protocol/fact.ts";
import type { BlobRef, Decision, PatchFile, Proposal, ProposalContent } from "../../src/protocol/proposal.ts";
import type { BodyOf, RecordBody, RecordEntry } from "../../src/protocol/record.ts";
import { createRecord, type RecordOptions } from "../../src/record/append.ts";
import { digestOf, sha256 } from "../../src/util/hash.ts";

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A new folder that is removed after the test file's last test. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "minicode-record-")));
  made.push(folder);
  return folder;
}

export const header: BodyOf<"session"> = {
  type: "session",
  id: "20261130-231500-1a2b3c",
  version: "0.1.0",
  workspace: "/work/app",
  profile: "default",
  model: "scripted",
};

/** A clock that moves on by a second at each look. */
export function tickingClock(): () => Date {
  let time = Date.UTC(2026, 10, 30, 23, 15, 0);
  return () => {
    time += 1000;
    return new Date(time);
  };
}

export function user(text: string): RecordBody {
  return { type: "message", message: { role: "user", text } };
}

export function assistant(text: string, ...ids: string[]): RecordBody {
  const calls = ids.map((id) => ({ id, name: "read_file", arguments: "{}" }));
  return { type: "message", message: { role: "assistant", text, calls } };
}

export function toolResult(callId: string, content = "done"): RecordBody {
  return { type: "message", message: { role: "tool", callId, outcome: "ok", content } };
}

export function task(text = "fix it", tree = "tree-0"): RecordBody {
  return { type: "task", text, mode: "edit", guided: true, tree };
}

export function fact(of: Fact): RecordBody {
  return { type: "fact", fact: of };
}

export function ref(content: string): BlobRef {
  return { hash: sha256(content), size: Buffer.byteLength(content) };
}

export function patchFile(path: string, before: string | null, after: string | null): PatchFile {
  return {
    path,
    before: before === null ? null : ref(before),
    after: after === null ? null : ref(after),
    mode: 0o644,
    added: 1,
    removed: 1,
    hunks: [],
    notes: [],
  };
}

export function patch(...files: PatchFile[]): ProposalContent {
  return { kind: "patch", reason: "because", files, outsideScope: [] };
}

export function proposal(seq: number, content: ProposalContent): Proposal {
  return { seq, digest: digestOf(content), content };
}

export function proposed(of: Proposal): RecordBody {
  return { type: "proposal", proposal: of };
}

export function decided(of: Proposal, verdict: Decision["verdict"] = "approve"): RecordBody {
  return { type: "decision", decision: { seq: of.seq, digest: of.digest, verdict, by: "user" } };
}

export function begun(seq: number): RecordBody {
  return { type: "effect_begun", seq };
}

export function ended(seq: number, outcome: BodyOf<"effect_ended">["outcome"] = "done"): RecordBody {
  return { type: "effect_ended", seq, outcome, settled: false };
}

export function applied(seq: number, path: string, before: string | null, after: string | null): RecordBody {
  const { added, removed } = patchFile(path, before, after);
  return fact({
    type: "applied",
    seq,
    path,
    before: before === null ? null : ref(before),
    after: after === null ? null : ref(after),
    added,
    removed,
  });
}

export function check(seq: number, result: "passed" | "failed" | "could_not_run", tree: string): RecordBody {
  const names = {
    failing: result === "failed" ? ["adds"] : [],
    origin: "manifest" as const,
    label: "npm test",
  };
  return fact({ type: "check", seq, result, tree, baseline: false, ...names });
}

export function ran(
  seq: number,
  argv: string[],
  exit: number,
  trees: [string, string],
  changed: string[] = [],
): RecordBody {
  const [treeBefore, treeAfter] = trees;
  return fact({
    type: "ran",
    seq,
    argv,
    exit,
    signal: null,
    ms: 5,
    output: ref("out"),
    treeBefore,
    treeAfter,
    changed,
  });
}

/** Entries as a fold gets them. */
export function entriesOf(...bodies: RecordBody[]): RecordEntry[] {
  return bodies.map((body, index) => ({
    n: index + 1,
    at: "2026-11-30T23:15:00.000Z",
    hash: sha256(String(index)),
    body,
  }));
}

/** A record on disk with these entries after its header; returns its folder. */
export async function recordWith(
  bodies: readonly RecordBody[],
  options: RecordOptions = {},
): Promise<string> {
  const folder = join(tempFolder(), header.id);
  const recorder = await createRecord(folder, header, { clock: tickingClock(), ...options });
  for (const body of bodies) await recorder.append(body);
  await recorder.close();
  return folder;
}

/** Bundles a program that imports from `src/record/…` and returns the path of what `node` can run. */
export async function bundled(source: string): Promise<string> {
  const outfile = join(tempFolder(), "program.mjs");
  const resolveDir = resolve("src/record");
  await build({
    stdin: { contents: source, resolveDir, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "error",
  });
  return outfile;
}

/** Starts a bundled program; `firstLine` is what it says first on stdout. */
export function start(
  program: string,
  ...args: string[]
): { child: ChildProcess; firstLine: Promise<string> } {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const firstLine = new Promise<string>((done) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("\n")) done(text.slice(0, text.indexOf("\n")));
    });
    child.once("close", () => done(text));
  });
  return { child, firstLine };
}

export function exited(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done();
    else child.once("exit", () => done());
  });
}
