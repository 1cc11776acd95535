// TH41: an attacker swaps a folder with a link to the outside, as fast as it can, while MiniCode reads and writes in it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import { applyPatch } from "../../src/workspace/perform-patch.ts";
import { createFile, stageFile } from "../../src/workspace/write.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { patchOf } from "../helpers/patch.ts";
import { type Swapper, startSwapper } from "../helpers/swapper.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";

let folder: TestFolder;
let gate: PathGate;
let attacker: Swapper;

beforeEach(async () => {
  folder = testFolder();
  folder.write("d/f", "inside");
  folder.write("../outside/f", "OUTSIDE");
  gate = await openPathGate(folder.ws);
  attacker = await startSwapper(folder.ws, join(folder.base, "outside"));
});
afterEach(async () => {
  expect(attacker.running()).toBe(true);
  await attacker.stop();
  await gate.close();
  folder.remove();
});

it("reads never see the outside file", async () => {
  const seen: Record<string, number> = {};
  const both = (): boolean => Boolean(seen["inside"] && seen["d is a symbolic link"]);
  for (let i = 0; i < 6_000 || (!both() && i < 100_000); i++) {
    const read = await gate.readFile("d/f");
    const what = read.ok
      ? (read.value?.bytes.toString() ?? "missing")
      : read.refusal.message.replace(/;.*/, "");
    seen[what] = (seen[what] ?? 0) + 1;
  }
  expect(seen).not.toHaveProperty("OUTSIDE");
  expect(seen["inside"]).toBeGreaterThan(0);
  expect(seen["d is a symbolic link"]).toBeGreaterThan(0);
});

it("writes never land outside", async () => {
  const blobs = folderBlobs(join(folder.base, "blobs"));
  let written = 0;
  // On a busy machine the attacker can hold the folder for long: at least one write must get through.
  for (let i = 0; i < 500 || (written === 0 && i < 50_000); i++) {
    const dir = await gate.openDir("d");
    if (!dir.ok) continue;
    await createFile(await stageFile(dir.value, Buffer.from("new"), 0o644, null), `new-${i}`);
    await dir.value.close();
    written++;
  }
  for (let i = 0; i < 50; i++) {
    const patch = await patchOf(blobs, [{ path: `d/patched-${i}`, before: null, after: "new" }]);
    await applyPatch(gate, blobs, patch, new AbortController().signal);
  }
  expect(readdirSync(join(folder.base, "outside"))).toEqual(["f"]);
  expect(readFileSync(join(folder.base, "outside", "f"), "utf8")).toBe("OUTSIDE");
  expect(written).toBeGreaterThan(0);
});
