import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Dir, openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import { applyPatch } from "../../src/workspace/perform-patch.ts";
import {
  createFile,
  discard,
  removeFile,
  replaceFile,
  stageFile,
  TargetChanged,
} from "../../src/workspace/write.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { patchOf } from "../helpers/patch.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";

let folder: TestFolder;
let gate: PathGate;
let dir: Dir;

beforeEach(async () => {
  folder = testFolder();
  gate = await openPathGate(folder.ws);
  const opened = await gate.openDir(".");
  if (!opened.ok) throw new Error(opened.refusal.message);
  dir = opened.value;
});
afterEach(async () => {
  await dir.close();
  await gate.close();
  folder.remove();
});

const stage = (text: string, mode = 0o644) => stageFile(dir, Buffer.from(text), mode, null);
const see = (name: string) => lstat(join(folder.ws, name), { bigint: true });

describe("staging", () => {
  it("writes a temporary file of ours with exact bits, and discards it", async () => {
    const staged = await stage("new", 0o7750);
    expect(staged.temp).toMatch(/^\.minicode-[0-9a-f]{16}\.tmp$/);
    expect(folder.read(staged.temp)).toBe("new");
    expect(lstatSync(join(folder.ws, staged.temp)).mode & 0o7777).toBe(0o750);
    await discard(staged);
    await discard(staged);
    expect(readdirSync(folder.ws)).toEqual([]);
  });

  it("follows its folder when that is renamed, and not the name", async () => {
    mkdirSync(join(folder.ws, "d"));
    const opened = await gate.openDir("d");
    if (!opened.ok) throw new Error(opened.refusal.message);
    const staged = await stageFile(opened.value, Buffer.from("x"), 0o644, null);
    renameSync(join(folder.ws, "d"), join(folder.ws, "e"));
    mkdirSync(join(folder.base, "OUTSIDE"));
    symlinkSync("../OUTSIDE", join(folder.ws, "d"));
    await createFile(staged, "f");
    await opened.value.close();
    expect(folder.read("e/f")).toBe("x");
    expect(readdirSync(join(folder.base, "OUTSIDE"))).toEqual([]);
  });
});

describe("publishing", () => {
  it("replaces the file that was seen", async () => {
    folder.write("f", "old");
    const seen = await see("f");
    await replaceFile(await stage("new"), "f", seen);
    expect(folder.tree()).toEqual({ f: "new" });
  });

  it.each<[string, (file: string) => void]>([
    ["other bytes", () => folder.write("f", "user")],
    ["the same bytes again", (file) => utimesSync(file, 1, 1)],
    ["another file of that name", (file) => renameSync(folder.write("g", "old"), file)],
    [
      "a link",
      (file) => {
        renameSync(file, `${file}.was`);
        symlinkSync("f.was", file);
      },
    ],
    ["nothing", (file) => renameSync(file, `${file}.was`)],
  ])("neither replaces nor removes %s", async (_, change) => {
    const file = folder.write("f", "old");
    const seen = await see("f");
    change(file);
    const before = folder.tree();
    const staged = await stage("new");
    await expect(replaceFile(staged, "f", seen)).rejects.toBeInstanceOf(TargetChanged);
    await expect(removeFile(dir, "f", seen)).rejects.toBeInstanceOf(TargetChanged);
    await discard(staged);
    expect(folder.tree()).toEqual(before);
  });

  it("TH48: creates only under a free name", async () => {
    folder.write("f", "old");
    symlinkSync("nowhere", join(folder.ws, "l"));
    for (const name of ["f", "l"]) {
      const staged = await stage("new");
      await expect(createFile(staged, name)).rejects.toBeInstanceOf(TargetChanged);
      await discard(staged);
    }
    await createFile(await stage("new"), "g");
    expect(folder.tree()).toEqual({ f: "old", l: "(special)", g: "new" });
    expect(statSync(join(folder.ws, "g")).nlink).toBe(1);
    expect(existsSync(join(folder.ws, "nowhere"))).toBe(false);
  });

  it("removes one name of a hard link only", async () => {
    linkSync(folder.write("f", "old"), join(folder.ws, "other"));
    await removeFile(dir, "f", await see("f"));
    expect(folder.tree()).toEqual({ other: "old" });
  });
});

/** Why a 64 KB file system cannot be mounted here, or null. */
function whyNoMount(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux";
  const probe = testFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "minicode-test", probe.ws], { stdio: "ignore" });
    execFileSync("umount", [probe.ws]);
    return null;
  } catch {
    return "mount is not permitted here";
  } finally {
    probe.remove();
  }
}
const noMount = whyNoMount();

describe.skipIf(noMount !== null)(`a full disk${noMount === null ? "" : ` (${noMount})`}`, () => {
  it("TH102: leaves the old file, no leftover, and a clear reason", async () => {
    const small = join(folder.ws, "small");
    mkdirSync(small);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "minicode-test", small]);
    try {
      const old = "o".repeat(30_000);
      folder.write("small/f", old);
      folder.write("a", "1");
      const blobs = folderBlobs(join(folder.base, "blobs"));
      const patch = await patchOf(blobs, [
        { path: "a", before: "1", after: "2" },
        { path: "small/n/new", before: null, after: "n" },
        { path: "small/f", before: old, after: "n".repeat(40_000) },
      ]);
      const applied = await applyPatch(gate, blobs, patch, new AbortController().signal);
      expect(applied.ok ? "" : applied.refusal.message).toBe(
        "The patch could not be written (ENOSPC: no space left on device). Nothing was changed.",
      );
      expect(folder.tree()).toEqual({ a: "1", "small/": "", "small/f": old });
    } finally {
      execFileSync("umount", [small]);
    }
  });
});
