// TH101 and 5.1 of the fault plan: a patch in a process of its own that is killed, or refused by the system, at each of its
// write points; then settled.
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PatchContent } from "../../src/protocol/proposal.ts";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import { settlePatch } from "../../src/workspace/perform-patch.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { patchOf } from "../helpers/patch.ts";
import { canHideProc, canTrace, endOf, type PatchChild, patchChild } from "../helpers/patch-child.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";

const before = { a: "a1", b: "b1", gone: "g", old: "o" };
const after = { a: "a2", b: "b2", moved: "o", "n/": "", "n/new": "n" };

let program: TestFolder;
let child: PatchChild;
let folder: TestFolder;
let gate: PathGate;
let blobFolder: string;
let patch: PatchContent;

beforeAll(async () => {
  program = testFolder();
  child = await patchChild(program.base);
  return () => program.remove();
});
beforeEach(async () => {
  folder = testFolder();
  layOut();
  blobFolder = join(folder.base, "blobs");
  patch = await patchOf(folderBlobs(blobFolder), [
    { path: "a", before: "a1", after: "a2" },
    { path: "n/new", before: null, after: "n" },
    { path: "moved", from: "old", before: "o", after: "o" },
    { path: "gone", before: "g", after: null },
    { path: "b", before: "b1", after: "b2" },
  ]);
  gate = await openPathGate(folder.ws);
});
afterEach(async () => {
  await gate.close();
  folder.remove();
});

/** Puts the workspace's files as they were before the patch. */
function layOut(): void {
  for (const path of Object.keys(folder.tree()))
    rmSync(join(folder.ws, path), { recursive: true, force: true });
  for (const [path, text] of Object.entries(before)) folder.write(path, text);
}

/** A folder that a killed run made for a file stays; nobody can tell whose it is. */
const filesOf = (tree: Record<string, string>) =>
  Object.fromEntries(Object.entries(tree).filter(([p]) => !p.endsWith("/")));

async function runWithFault(fault: string, action: "apply" | "settle" = "apply") {
  return endOf(child.startWithFault({ action, ws: folder.ws, blobFolder, content: patch }, fault));
}

const messageOf = (end: Awaited<ReturnType<typeof endOf>>) =>
  end !== null && "refusal" in end ? end.refusal.message : "";

async function settleTwice(): Promise<string> {
  const blobs = folderBlobs(blobFolder);
  const { outcome } = await settlePatch(gate, blobs, patch);
  const settled = folder.tree();
  expect([outcome, filesOf(settled)]).toEqual([outcome, filesOf(outcome === "done" ? after : before)]);
  const again = await settlePatch(gate, blobs, patch);
  expect(again.outcome).toBe(outcome === "done" ? "done" : "cancelled");
  expect(folder.tree()).toEqual(settled);
  return outcome;
}

const traced = canTrace();
/** The system calls that write, and how many of each the patch needs at least. */
const points: [string, number][] = [
  ["mkdir", 1],
  ["pwrite64", 4],
  ["fchmod", 4],
  ["fsync", 11],
  ["rename", 2],
  ["link", 2],
  ["unlink", 4],
];

describe.skipIf(!traced)(`system calls at fault${traced ? "" : " (strace cannot trace here)"}`, () => {
  it.each(points)("killed at each %s: settles to all old or all new", async (call, least) => {
    const outcomes: string[] = [];
    for (let n = 1; ; n++) {
      const result = await runWithFault(`${call},?${call}at:signal=KILL:when=${n}`);
      const outcome = await settleTwice();
      if (result !== null) {
        expect([result, outcome]).toEqual([{ ok: true }, "done"]);
        break;
      }
      outcomes.push(outcome);
      expect(outcomes.length).toBeLessThan(40);
      layOut();
    }
    expect(outcomes.length).toBeGreaterThanOrEqual(least);
    if (call === "rename") expect(outcomes).toContain("rolled_back");
  });

  it.each(["rename", "link", "unlink"])(
    "settling, killed at each %s, is settled by the next",
    async (call) => {
      for (let n = 1; ; n++) {
        layOut();
        for (const [path, text] of Object.entries({ a: "a2", moved: "o", "n/new": "n" }))
          folder.write(path, text);
        rmSync(join(folder.ws, "gone"));
        const end = await runWithFault(`${call},?${call}at:signal=KILL:when=${n}`, "settle");
        const outcome = await settleTwice();
        expect(outcome).not.toBe("done");
        if (end !== null) {
          expect([n > 1, end, outcome]).toMatchObject([true, { outcome: "rolled_back" }, "cancelled"]);
          break;
        }
      }
    },
  );

  it.each([
    ["pwrite64:error=ENOSPC:when=2", "ENOSPC: no space left on device"],
    ["pwrite64:error=EDQUOT:when=1", "Unknown system error -122"],
    ["fchmod:error=EPERM:when=1", "EPERM: operation not permitted"],
    ["fsync:error=EIO:when=2", "EIO: i/o error"],
    ["mkdir,?mkdirat:error=EROFS:when=1", "EROFS: read-only file system"],
  ])("%s while staging: nothing was changed", async (fault, reason) => {
    const result = await runWithFault(fault);
    expect(messageOf(result)).toContain(`The patch could not be written (${reason}`);
    expect(messageOf(result)).toMatch(/\. Nothing was changed\.$/);
    expect(folder.tree()).toEqual(before);
  });

  it.each([
    "rename,?renameat:error=EACCES:when=2",
    "link,?linkat:error=EIO:when=2",
    "unlink,?unlinkat:error=EACCES:when=4",
    "fsync:error=EIO:when=7",
  ])("%s midway: what was written is put back, and said so", async (fault) => {
    const result = await runWithFault(fault);
    expect(messageOf(result)).toMatch(
      /^The patch could not be written \(E.*\)\. Nothing was changed: what was already written was put back \(a.*\)\.$/,
    );
    expect(folder.tree()).toEqual(before);
  });

  it("says what could not be put back", async () => {
    const result = await runWithFault("rename,?renameat:error=EACCES:when=2+");
    expect(messageOf(result)).toContain("Not everything could be put back: a (EACCES: permission denied).");
    expect(result).toMatchObject({ left: ["a"] });
    expect(folder.read("a")).toBe("a2");
  });

  it("creates files on a file system without hard links", async () => {
    const result = await runWithFault("link,?linkat:error=EPERM");
    expect(result).toEqual({ ok: true });
    expect(folder.tree()).toEqual(after);
  });
});

const procHidden = canHideProc();

describe.skipIf(!procHidden)(
  `without /proc, as on macOS${procHidden ? "" : " (it cannot be hidden here)"}`,
  () => {
    const run = async (content: PatchContent) =>
      endOf(child.startWithoutProc({ action: "apply", ws: folder.ws, blobFolder, content }));

    it("applies a patch", async () => {
      expect(await run(patch)).toEqual({ ok: true });
      expect(folder.tree()).toEqual(after);
    });

    it("P02: refuses links at the target and on the way", async () => {
      folder.write("../OUTSIDE/t.txt", "orig");
      symlinkSync("../OUTSIDE", join(folder.ws, "outbox"));
      symlinkSync("../OUTSIDE/t.txt", join(folder.ws, "notes"));
      for (const [path, link] of [
        ["outbox/t.txt", "outbox"],
        ["notes", "notes"],
      ] as const) {
        const content = await patchOf(folderBlobs(blobFolder), [{ path, before: "orig", after: "OWNED" }]);
        expect(messageOf(await run(content))).toContain(`${link} is a symbolic link`);
      }
      expect(folder.read("../OUTSIDE/t.txt")).toBe("orig");
    });
  },
);

describe.skipIf(process.getuid?.() !== 0)("as another user (needs root to become one)", () => {
  const nobody = 65534;
  beforeEach(() => {
    for (const path of [folder.base, folder.ws, program.base]) chmodSync(path, 0o755);
    chownSync(folder.ws, nobody, nobody);
  });
  async function run(content: PatchContent): Promise<string> {
    return messageOf(
      await endOf(child.start({ action: "apply", ws: folder.ws, blobFolder, content, user: nobody })),
    );
  }

  it("EACCES in a second folder: nothing was changed", async () => {
    folder.write("locked/f", "1");
    const blobs = folderBlobs(blobFolder);
    const two = await patchOf(blobs, [
      { path: "a", before: "a1", after: "a2" },
      { path: "locked/f", before: "1", after: "2" },
    ]);
    expect(await run(two)).toBe(
      "The patch could not be written (EACCES: permission denied). Nothing was changed.",
    );
    expect(folder.tree()).toEqual({ ...before, "locked/": "", "locked/f": "1" });
  });

  it("a sticky folder refuses the second rename: the first is put back", async () => {
    const sticky = join(folder.ws, "sticky");
    mkdirSync(sticky);
    writeFileSync(join(sticky, "f"), "1");
    chmodSync(sticky, 0o1777);
    const blobs = folderBlobs(blobFolder);
    const two = await patchOf(blobs, [
      { path: "a", before: "a1", after: "a2" },
      { path: "sticky/f", before: "1", after: "2" },
    ]);
    expect(await run(two)).toBe(
      "The patch could not be written (EPERM: operation not permitted). Nothing was changed: what was already written was put back (a).",
    );
    expect(folder.tree()).toEqual({ ...before, "sticky/": "", "sticky/f": "1" });
  });
});
