import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Blobs } from "../../src/protocol/blobs.ts";
import type { Result } from "../../src/protocol/refusal.ts";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import { applyPatch, settlePatch, sweepTemps } from "../../src/workspace/perform-patch.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { patchOf, type TestChange } from "../helpers/patch.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";

let folder: TestFolder;
let gate: PathGate;
let blobs: Blobs;
let blobFolder: string;

beforeEach(async () => {
  folder = testFolder();
  gate = await openPathGate(folder.ws);
  blobFolder = join(folder.base, "blobs");
  blobs = folderBlobs(blobFolder);
});
afterEach(async () => {
  await gate.close();
  folder.remove();
});

async function apply(
  changes: readonly TestChange[],
  signal = new AbortController().signal,
): Promise<Result<void>> {
  return applyPatch(gate, blobs, await patchOf(blobs, changes), signal);
}

function refusal(result: Result<unknown>): string {
  return result.ok ? "(was applied)" : `${result.refusal.outcome}: ${result.refusal.message}`;
}

/** Applies, expects a refusal and not one changed byte or leftover. */
async function refused(changes: readonly TestChange[]): Promise<string> {
  const before = folder.tree();
  const said = refusal(await apply(changes));
  expect(folder.tree()).toEqual(before);
  return said;
}

const mode = (path: string) => lstatSync(join(folder.ws, path)).mode & 0o7777;
const done = { ok: true, value: undefined };

describe("applying", () => {
  it("edits, creates in new folders, renames and deletes in one patch", async () => {
    folder.write("a.txt", "a1");
    folder.write("old.txt", "r1");
    folder.write("gone.txt", "g1");
    const changes = [
      { path: "gone.txt", before: "g1", after: null },
      { path: "a.txt", before: "a1", after: "a2" },
      { path: "x/y/new.txt", before: null, after: "n" },
      { path: "z/renamed.txt", from: "old.txt", before: "r1", after: "r2" },
    ];
    expect(await apply(changes)).toEqual(done);
    expect(folder.tree()).toEqual({
      "a.txt": "a2",
      "x/": "",
      "x/y/": "",
      "x/y/new.txt": "n",
      "z/": "",
      "z/renamed.txt": "r2",
    });
    expect(mode("x/y/new.txt")).toBe(0o644);
  });

  it("swaps two names", async () => {
    folder.write("a", "A");
    folder.write("b", "B");
    const changes = [
      { path: "b", from: "a", before: "A", after: "A" },
      { path: "a", from: "b", before: "B", after: "B2" },
    ];
    expect(await apply(changes)).toEqual(done);
    expect(folder.tree()).toEqual({ a: "B2", b: "A" });
  });

  it("makes a new file under a name that a rename leaves", async () => {
    folder.write("a", "A");
    const changes = [
      { path: "b", from: "a", before: "A", after: "A" },
      { path: "a", before: null, after: "new" },
    ];
    expect(await apply(changes)).toEqual(done);
    expect(folder.tree()).toEqual({ a: "new", b: "A" });
  });

  it("E08: keeps the executable bit, and git sees no mode change", async () => {
    folder.write("run.sh", "#!/bin/sh\necho one\n");
    chmodSync(join(folder.ws, "run.sh"), 0o755);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
        cwd: folder.ws,
        encoding: "utf8",
      });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "one");
    const changes = [
      { path: "run.sh", before: "#!/bin/sh\necho one\n", after: "#!/bin/sh\necho two\n", mode: 0o755 },
    ];
    expect(await apply(changes)).toEqual(done);
    expect(mode("run.sh")).toBe(0o755);
    expect(execFileSync(join(folder.ws, "run.sh"), { encoding: "utf8" })).toBe("two\n");
    expect(git("diff")).not.toContain("old mode");
    expect(git("diff", "--numstat")).toBe("1\t1\trun.sh\n");
  });

  it("TH51: never gives setuid, setgid or sticky bits", async () => {
    expect(await apply([{ path: "a", before: null, after: "x", mode: 0o6755 }])).toEqual(done);
    expect(mode("a")).toBe(0o755);
  });

  it("makes files with exactly the bits shown, whatever the umask", async () => {
    expect(await apply([{ path: "a", before: null, after: "x", mode: 0o666 }])).toEqual(done);
    expect(mode("a")).toBe(0o666);
  });

  it("TH43: the other name of a hard link keeps the old bytes", async () => {
    linkSync(folder.write("../outside", "old"), join(folder.ws, "f"));
    expect(await apply([{ path: "f", before: "old", after: "new" }])).toEqual(done);
    expect(folder.read("f")).toBe("new");
    expect(folder.read("../outside")).toBe("old");
  });

  it.skipIf(process.getuid?.() !== 0)("keeps the owner (needs root)", async () => {
    chownSync(folder.write("a", "1"), 1234, 2345);
    expect(await apply([{ path: "a", before: "1", after: "2" }])).toEqual(done);
    expect(lstatSync(join(folder.ws, "a"))).toMatchObject({ uid: 1234, gid: 2345 });
  });

  it("writes large and empty files whole", async () => {
    const large = "x".repeat(5_000_000);
    expect(
      await apply([
        { path: "large", before: null, after: large },
        { path: "empty", before: null, after: "" },
      ]),
    ).toEqual(done);
    expect(folder.tree()).toEqual({ large, empty: "" });
  });
});

describe("refusing", () => {
  it("E07: a file that changed while the question was open", async () => {
    folder.write("a.txt", "a = 1\nb = 1\n");
    const patch = await patchOf(blobs, [
      { path: "a.txt", before: "a = 1\nb = 1\n", after: "a = 2\nb = 1\n" },
    ]);
    folder.write("a.txt", "a = 1\nb = 9\n");
    const said = refusal(await applyPatch(gate, blobs, patch, new AbortController().signal));
    expect(said).toMatch(
      /^error: a\.txt changed since it was shown \(its content is now sha256 [0-9a-f]{8}\)\. Nothing was changed\.$/,
    );
    expect(folder.tree()).toEqual({ "a.txt": "a = 1\nb = 9\n" });
  });

  it("anything else that changed: mode, absence, presence, kind", async () => {
    folder.write("a", "1", 0o600);
    expect(await refused([{ path: "a", before: "1", after: "2" }])).toContain(
      "changed since it was shown (its mode is now 0600)",
    );
    expect(await refused([{ path: "b", before: "1", after: "2" }])).toContain(
      "changed since it was shown (it is gone)",
    );
    expect(await refused([{ path: "a", before: null, after: "2" }])).toContain(
      "changed since it was shown (it exists now)",
    );
    mkdirSync(join(folder.ws, "d"));
    expect(await refused([{ path: "d", before: null, after: "2" }])).toContain("d is a folder");
    expect(await refused([{ path: "a/b", before: null, after: "2" }])).toContain("a is a file, not a folder");
    expect(await refused([{ path: "c", from: "a", before: "1", after: "1" }])).toContain(
      "its mode is now 0600",
    );
  });

  it("TH49: the whole patch when its last file does not fit, folders and all", async () => {
    folder.write("a", "1");
    const changes = [
      { path: "a", before: "1", after: "2" },
      { path: "new/deep/b", before: null, after: "b" },
      { path: "c", before: "was there", after: "3" },
    ];
    expect(await refused(changes)).toBe(
      "error: c changed since it was shown (it is gone). Nothing was changed.",
    );
  });

  it("TH42 TH48: links, also dangling ones, at the target or on the way", async () => {
    folder.write("../OUTSIDE/t.txt", "orig");
    symlinkSync("../OUTSIDE/t.txt", join(folder.ws, "notes.md"));
    symlinkSync("../OUTSIDE/fresh.txt", join(folder.ws, "fresh.md"));
    symlinkSync("../OUTSIDE", join(folder.ws, "outbox"));
    expect(await refused([{ path: "notes.md", before: "orig", after: "OWNED" }])).toContain(
      "notes.md is a symbolic link",
    );
    expect(await refused([{ path: "fresh.md", before: null, after: "OWNED" }])).toContain(
      "fresh.md is a symbolic link",
    );
    expect(await refused([{ path: "outbox/t.txt", before: "orig", after: "OWNED" }])).toContain(
      "outbox is a symbolic link",
    );
    expect(await refused([{ path: "outbox/new.txt", before: null, after: "OWNED" }])).toContain(
      "outbox is a symbolic link",
    );
    expect(folder.read("../OUTSIDE/t.txt")).toBe("orig");
  });

  it("paths that the gate refuses", async () => {
    folder.write(".minicodeignore", "private/\n");
    const create = (path: string) => refused([{ path, before: null, after: "x" }]);
    expect(await create("../ws-evil/x")).toContain("is outside the workspace");
    expect(await create("~/x")).toContain("is outside the workspace");
    expect(await create(".env")).toContain(".env is protected");
    expect(await create(".git/hooks/pre-commit")).toContain("is protected (.git)");
    expect(await create("private/x")).toContain("is hidden by .minicodeignore");
    expect(await create("a/../b")).toContain("is not a plain workspace path");
    expect(await create("./b")).toContain("is not a plain workspace path");
    expect(await refused([{ path: "x", from: ".env", before: "1", after: "1" }])).toContain(
      ".env is protected",
    );
  });

  it("a path named twice", async () => {
    folder.write("a", "1");
    const twice = [
      { path: "a", before: "1", after: "2" },
      { path: "a", before: "1", after: "3" },
    ];
    expect(await refused(twice)).toBe("invalid: The patch names a twice. Nothing was changed.");
  });

  it("when cancelled before the first step", async () => {
    folder.write("a", "1");
    const said = refusal(
      await apply(
        [
          { path: "a", before: "1", after: "2" },
          { path: "n/b", before: null, after: "" },
        ],
        AbortSignal.abort(),
      ),
    );
    expect(said).toBe("cancelled: The patch was cancelled. Nothing was changed.");
    expect(folder.tree()).toEqual({ a: "1" });
  });

  it("when the bytes to write, or the bytes to go back to, are gone", async () => {
    folder.write("a", "1");
    for (const lost of ["before", "after"] as const) {
      const patch = await patchOf(blobs, [{ path: "a", before: "1", after: "2" }]);
      const ref = patch.files[0]?.[lost];
      writeFileSync(join(blobFolder, ref?.hash ?? ""), "damaged");
      const said = refusal(await applyPatch(gate, blobs, patch, new AbortController().signal));
      expect(said).toMatch(
        /^error: The patch could not be written \(Kept bytes .* gone or damaged\)\. Nothing was changed\.$/,
      );
      expect(folder.tree()).toEqual({ a: "1" });
    }
  });
});

describe("settling", () => {
  const changes = [
    { path: "a", before: "a1", after: "a2" },
    { path: "n/new", before: null, after: "n" },
    { path: "moved", from: "old", before: "o", after: "o" },
    { path: "gone", before: "g", after: null, mode: 0o755 },
  ];
  const settle = async () => settlePatch(gate, blobs, await patchOf(blobs, changes));
  const old = { a: "a1", old: "o", gone: "g" };
  const now = { a: "a2", "n/": "", "n/new": "n", moved: "o" };
  const lay = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) if (!path.endsWith("/")) folder.write(path, text);
  };

  it("all old is cancelled, all new is done", async () => {
    lay(old);
    expect(await settle()).toEqual({ outcome: "cancelled" });
    expect(folder.tree()).toEqual(old);
    expect(await apply(changes.map((c) => ({ ...c, mode: 0o644 })))).toEqual(done);
    expect(await settle()).toEqual({ outcome: "done" });
    expect(folder.tree()).toEqual(now);
  });

  it("a mixture is rolled back, with modes, and settling again changes nothing", async () => {
    lay({ a: "a2", "n/new": "n", moved: "o", old: "o" });
    expect(await settle()).toEqual({ outcome: "rolled_back", detail: "Put back: a, n/new, moved, gone." });
    expect(folder.tree()).toEqual({ ...old, "n/": "" });
    expect(mode("gone")).toBe(0o755);
    expect(await settle()).toEqual({ outcome: "cancelled" });
    expect(folder.tree()).toEqual({ ...old, "n/": "" });
  });

  it("touches nothing when somebody else changed a file since", async () => {
    lay({ a: "mine", "n/new": "n", old: "o", gone: "g" });
    const before = folder.tree();
    const { outcome, detail, left } = await settle();
    expect([outcome, left]).toEqual(["failed", ["n/new"]]);
    expect(detail).toBe(
      "Changed by someone else: a; with the patch: n/new; without it: moved, old, gone. Nothing was touched.",
    );
    expect(folder.tree()).toEqual(before);
  });

  it("says so when a path cannot be looked at", async () => {
    lay(old);
    rmSync(join(folder.ws, "a"));
    symlinkSync("old", join(folder.ws, "a"));
    expect(await settle()).toMatchObject({
      outcome: "failed",
      detail: expect.stringContaining("a is a symbolic link"),
    });
  });

  it("says so when the bytes to go back to are gone", async () => {
    lay({ a: "a2", old: "o", gone: "g" });
    const patch = await patchOf(blobs, changes);
    rmSync(join(blobFolder, patch.files[0]?.before?.hash ?? ""));
    const settled = await settlePatch(gate, blobs, patch);
    expect(settled.outcome).toBe("failed");
    expect(settled.detail).toMatch(/^Not everything could be put back: a \(Kept bytes .*\)\.$/);
  });

  it("sweeps our leftovers and nothing else", async () => {
    lay(old);
    folder.write(".minicode-0123456789abcdef.tmp", "half");
    folder.write("n/.minicode-fedcba9876543210.tmp", "half");
    folder.write("kept/.minicode-fedcba9876543210.tmp", "not a folder of this patch");
    folder.write("mine.tmp", "mine");
    folder.write(".minicode-notes.tmp", "mine");
    await settle();
    expect(Object.keys(folder.tree()).sort()).toEqual(
      [
        ".minicode-notes.tmp",
        "a",
        "gone",
        "kept/",
        "kept/.minicode-fedcba9876543210.tmp",
        "mine.tmp",
        "n/",
        "old",
      ].sort(),
    );
    await sweepTemps(gate, ["kept", "absent"]);
    expect(folder.tree()).not.toHaveProperty("kept/.minicode-fedcba9876543210.tmp");
  });
});
