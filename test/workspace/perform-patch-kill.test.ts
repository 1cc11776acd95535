// TH101: a patch killed with -9 at a hundred moments spread over its run, each time settled from the disk.
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Blobs } from "../../src/protocol/blobs.ts";
import type { PatchContent } from "../../src/protocol/proposal.ts";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import { settlePatch } from "../../src/workspace/perform-patch.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { patchOf } from "../helpers/patch.ts";
import { type PatchChild, patchChild } from "../helpers/patch-child.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";

const kills = 100;
const numbers = Array.from({ length: 3 }, (_, i) => i);
const text = (what: string, i: number) => `${what} ${i}\n`.repeat(400);
const before: Record<string, string> = Object.fromEntries([
  ...numbers.map((i) => [`edited-${i}`, text("old", i)]),
  ...numbers.map((i) => [`from-${i}`, text("moved", i)]),
  ...numbers.map((i) => [`gone-${i}`, text("gone", i)]),
]);
const after: Record<string, string> = Object.fromEntries([
  ...numbers.map((i) => [`edited-${i}`, text("new", i)]),
  ...numbers.map((i) => [`to-${i}`, text("moved", i)]),
  ...numbers.map((i) => [`created-${i}`, text("created", i)]),
]);

let folder: TestFolder;
let gate: PathGate;
let child: PatchChild;
let blobs: Blobs;
let content: PatchContent;

beforeAll(async () => {
  folder = testFolder();
  child = await patchChild(folder.base);
  gate = await openPathGate(folder.ws);
  blobs = folderBlobs(join(folder.base, "blobs"));
  content = await patchOf(blobs, [
    ...numbers.map((i) => ({ path: `edited-${i}`, before: text("old", i), after: text("new", i) })),
    ...numbers.map((i) => ({
      path: `to-${i}`,
      from: `from-${i}`,
      before: text("moved", i),
      after: text("moved", i),
    })),
    ...numbers.map((i) => ({ path: `gone-${i}`, before: text("gone", i), after: null })),
    ...numbers.map((i) => ({ path: `created-${i}`, before: null, after: text("created", i) })),
  ]);
});
afterAll(async () => {
  await gate.close();
  folder.remove();
});

function startChild() {
  return child.start({ action: "apply", ws: folder.ws, blobFolder: join(folder.base, "blobs"), content });
}

/** Lets a started child run and kills it `delay` ms after it began, or never; returns how many ms it ran after that. */
async function run(running: ReturnType<typeof startChild>, delay: number): Promise<number> {
  for (const path of Object.keys(folder.tree())) rmSync(join(folder.ws, path));
  for (const [path, bytes] of Object.entries(before)) folder.write(path, bytes);
  const ended = once(running, "exit");
  const began = once(running.stdout, "data");
  running.stdin.end();
  await began;
  const begun = performance.now();
  if (delay !== Number.POSITIVE_INFINITY) {
    await setTimeout(delay);
    running.kill("SIGKILL");
  }
  await ended;
  return performance.now() - begun;
}

/** Each file is whole, whatever happened: its old bytes, its new bytes, or not there. Only temporary files may be half written. */
function expectWholeFiles(): void {
  for (const [path, bytes] of Object.entries(folder.tree())) {
    if (/^\.minicode-[0-9a-f]{16}\.tmp$/.test(path)) continue;
    expect([path, [before[path], after[path]].includes(bytes)]).toEqual([path, true]);
  }
}

it(`survives ${kills} kills`, { timeout: 60_000 }, async () => {
  const duration = await run(startChild(), Number.POSITIVE_INFINITY);
  expect(folder.tree()).toEqual(after);
  const outcomes: Record<string, number> = {};
  let next = startChild();
  for (let i = 0; i < kills; i++) {
    await run(next, (1.2 * duration * i) / kills);
    // Started while this one is looked at, because starting takes longer than everything else.
    next = startChild();
    expectWholeFiles();
    const { outcome } = await settlePatch(gate, blobs, content);
    const settled = folder.tree();
    expect([i, outcome, settled]).toEqual([i, outcome, outcome === "done" ? after : before]);
    const again = await settlePatch(gate, blobs, content);
    expect([i, again.outcome]).toEqual([i, outcome === "done" ? "done" : "cancelled"]);
    expect(folder.tree()).toEqual(settled);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  next.kill("SIGKILL");
  expect(outcomes).not.toHaveProperty("failed");
  expect(Object.keys(outcomes).length).toBeGreaterThan(1);
});
