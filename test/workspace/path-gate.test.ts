import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Result } from "../../src/protocol/refusal.ts";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import { applyPatch } from "../../src/workspace/perform-patch.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { patchOf } from "../helpers/patch.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";

let folder: TestFolder;
let gate: PathGate;

beforeEach(async () => {
  folder = testFolder();
  gate = await openPathGate(folder.ws);
});
afterEach(async () => {
  await gate.close();
  folder.remove();
});

function refusal(result: Result<unknown>): string {
  return result.ok ? "(was allowed)" : `${result.refusal.outcome}: ${result.refusal.message}`;
}

/** What every door says to a path: the same refusal, or one line each. */
async function doors(path: string): Promise<string[]> {
  const opened = await gate.openFile(path);
  if (opened.ok) await opened.value.handle.close();
  const said = [refusal(await gate.readFile(path)), refusal(opened)];
  return [...new Set(said)];
}

describe("opening", () => {
  it("reads a file's bytes and status", async () => {
    folder.write("src/run.sh", "echo\n", 0o755);
    const read = await gate.readFile("src/run.sh");
    expect(read.ok && read.value?.bytes.toString()).toBe("echo\n");
    expect(read.ok && read.value && Number(read.value.stat.mode) & 0o777).toBe(0o755);
  });

  it("opens through an absolute path inside and says the workspace path", async () => {
    folder.write("src/a.ts", "a");
    const opened = await gate.openFile(join(folder.ws, "src", "a.ts"));
    expect(opened.ok && opened.value.path).toBe("src/a.ts");
    if (opened.ok) await opened.value.handle.close();
  });

  it("follows links on the way to the root, once", async () => {
    folder.write("a.ts", "a");
    symlinkSync(folder.ws, join(folder.base, "alias"));
    const other = await openPathGate(join(folder.base, "alias"));
    expect(other.root).toBe(folder.ws);
    expect((await other.readFile("a.ts")).ok).toBe(true);
    await other.close();
  });

  it("refuses a root that is no folder", async () => {
    const file = folder.write("a.ts", "a");
    await expect(openPathGate(file)).rejects.toMatchObject({ code: "E_WORKSPACE" });
    await expect(openPathGate(join(folder.base, "none"))).rejects.toMatchObject({ code: "E_WORKSPACE" });
  });

  it("keeps an open folder bound to itself when it is renamed", async () => {
    folder.write("d/f", "inside");
    const dir = await gate.openDir("d");
    if (!dir.ok) throw new Error(dir.refusal.message);
    renameSync(join(folder.ws, "d"), join(folder.ws, "e"));
    mkdirSync(join(folder.ws, "d"));
    expect(await readdir(dir.value.child("."))).toEqual(["f"]);
    await dir.value.close();
    await expect(readdir(dir.value.child("."))).rejects.toThrow();
  });

  it("opens the root as a folder", async () => {
    folder.write("a.ts", "a");
    const dir = await gate.openDir(".");
    expect(dir.ok && (await readdir(dir.value.child(".")))).toEqual(["a.ts"]);
    if (dir.ok) await dir.value.close();
    expect((await gate.readFile("a.ts")).ok).toBe(true);
  });
});

describe("outside", () => {
  it.each(["../ws-evil/s.txt", "src/../../ws-evil/s.txt"])("P01: %s is outside", async (path) => {
    folder.write("../ws-evil/s.txt", "SIB-4410\n");
    expect(await doors(path)).toEqual([
      expect.stringContaining(`blocked: ${folder.base}/ws-evil/s.txt is outside`),
    ]);
  });

  it("P01: so is an absolute path that only starts like the root", async () => {
    folder.write("../ws-evil/s.txt", "SIB-4410\n");
    const path = `${folder.ws}-evil/s.txt`;
    expect(await doors(path)).toEqual([expect.stringContaining(`blocked: ${path} is outside`)]);
  });

  it("P02: a linked folder is named and not entered, whether the file is there or not", async () => {
    folder.write("../OUTSIDE/t.txt", "orig-8102\n");
    symlinkSync(join(folder.base, "OUTSIDE"), join(folder.ws, "outbox"));
    for (const path of ["outbox/t.txt", "outbox/new.txt", "outbox"]) {
      expect(await doors(path)).toEqual([expect.stringContaining("blocked: outbox is a symbolic link")]);
    }
    expect(refusal(await gate.openDir("outbox"))).toContain("outbox is a symbolic link");
  });

  it("P03: ~ is the home folder, shown whole", async () => {
    const shown = `${process.env["HOME"]}/mc-tilde.txt is outside the workspace`;
    expect(await doors("~/mc-tilde.txt")).toEqual([expect.stringContaining(shown)]);
  });

  it.each(["inside.txt", "nowhere.txt"])("a link is refused even when it leads to %s", async (target) => {
    folder.write("inside.txt", "a");
    symlinkSync(target, join(folder.ws, "l"));
    expect(await doors("l")).toEqual([expect.stringContaining("blocked: l is a symbolic link")]);
  });

  it("TH44: .env stays closed behind a link", async () => {
    folder.write(".env", "KEY=mc-secret\n");
    symlinkSync(".env", join(folder.ws, "x"));
    expect(await doors("x")).toEqual([expect.stringContaining("x is a symbolic link")]);
    expect(await doors(".env")).toEqual([expect.stringContaining("blocked: .env is protected (.env)")]);
    expect(await doors("absent/.GIT/config")).toEqual([expect.stringContaining("is protected (.git)")]);
    expect(await gate.visible(".env", false)).toBe(false);
  });

  it("paths of listings above the root are not visible", async () => {
    expect(await gate.visible("../a", false)).toBe(false);
    expect(await gate.visible("a", false)).toBe(true);
  });
});

it("a file system that is mounted inside belongs to the workspace, and a patch may move a file out of it", async (context) => {
  mkdirSync(join(folder.ws, "mounted"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "minicode-test", join(folder.ws, "mounted")], {
      stdio: "ignore",
    });
  } catch {
    context.skip("mounting needs root");
  }
  try {
    folder.write("mounted/f", "text");
    expect((await gate.readFile("mounted/f")).ok).toBe(true);
    const blobs = folderBlobs(join(folder.base, "blobs"));
    const move = await patchOf(blobs, [{ path: "out/f", from: "mounted/f", before: "text", after: "text" }]);
    expect((await applyPatch(gate, blobs, move, new AbortController().signal)).ok).toBe(true);
    expect(folder.tree()).toEqual({ "mounted/": "", "out/": "", "out/f": "text" });
  } finally {
    execFileSync("umount", [join(folder.ws, "mounted")]);
  }
});

describe("what is no regular file", () => {
  it("TH47: a pipe is refused without waiting for a writer", async () => {
    execFileSync("mkfifo", [join(folder.ws, "pipe")]);
    expect(await doors("pipe")).toEqual([expect.stringContaining("blocked: pipe is not a regular file")]);
  });

  it("a socket is refused", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder.ws, "sock"), resolve));
    expect(await doors("sock")).toEqual([expect.stringContaining("blocked: sock is not a regular file")]);
    await new Promise((resolve) => server.close(resolve));
  });

  it.skipIf(process.getuid?.() !== 0)("a device is refused (needs root to make one)", async () => {
    execFileSync("mknod", [join(folder.ws, "zero"), "c", "1", "5"]);
    expect(await doors("zero")).toEqual([expect.stringContaining("blocked: zero is not a regular file")]);
  });

  it("a folder is pointed to list_dir", async () => {
    mkdirSync(join(folder.ws, "src"));
    expect(await doors("src")).toEqual(["error: src is a folder. Use list_dir to see what is in it."]);
    expect(await doors(".")).toEqual([expect.stringContaining("is a folder")]);
  });

  it("a file is no folder", async () => {
    folder.write("a.ts", "a");
    expect(await doors("a.ts/b")).toEqual(["error: a.ts is a file, not a folder."]);
    expect(refusal(await gate.openDir("a.ts"))).toBe("error: a.ts is a file, not a folder.");
  });

  it("TH53: a huge file is refused by its size, unread", async () => {
    folder.write("big", "");
    truncateSync(join(folder.ws, "big"), 10 * 1024 ** 3);
    expect(refusal(await gate.readFile("big"))).toContain(
      "error: big is too large to be read whole (10737418240 bytes",
    );
    folder.write("small", "12345");
    expect(refusal(await gate.readFile("small", 4))).toContain("the limit is 4");
    expect((await gate.readFile("small", 5)).ok).toBe(true);
  });

  it("a name that is too long is an error", async () => {
    expect(refusal(await gate.readFile("x".repeat(300)))).toMatch(
      /^error: x+ cannot be opened \(ENAMETOOLONG/,
    );
  });
});

describe("what is not there", () => {
  it("is null to readFile, also when its folder is missing", async () => {
    expect(await gate.readFile("none.ts")).toEqual({ ok: true, value: null });
    expect(await gate.readFile("no/such/file.ts")).toEqual({ ok: true, value: null });
  });

  it("is an error to openFile that names what looks alike", async () => {
    folder.write("src/parser.ts", "");
    folder.write("src/Parse.js", "");
    folder.write("src/zebra.ts", "");
    expect(refusal(await gate.openFile("src/parse.ts"))).toBe(
      "error: There is no such file: src/parse.ts. There is: src/Parse.js, src/parser.ts.",
    );
    expect(refusal(await gate.openFile("scr/parser.ts"))).toBe(
      "error: There is no such file: scr/parser.ts (no folder scr). There is: src.",
    );
    expect(refusal(await gate.openDir("sr"))).toBe("error: There is no such folder: sr. There is: src.");
  });

  it("never names what is hidden", async () => {
    folder.write(".env", "");
    folder.write("hidden.ts", "");
    folder.write(".minicodeignore", "hidden*\n");
    expect(refusal(await gate.openFile("idden.ts"))).toBe("error: There is no such file: idden.ts.");
    expect(refusal(await gate.openFile("env"))).toBe("error: There is no such file: env.");
  });
});

describe(".minicodeignore", () => {
  it("hides paths, and what lies below hidden folders", async () => {
    folder.write("private/a.txt", "a");
    folder.write("build", "a file");
    folder.write("out/a.txt", "a");
    folder.write(".minicodeignore", "private\nbuild/\nout/\n*.log\n");
    for (const path of ["private", "private/a.txt", "out", "out/a.txt", "not-there.log"]) {
      expect(refusal(await gate.resolve(path))).toBe(
        `blocked: ${path} is hidden by .minicodeignore: it cannot be read or changed.`,
      );
    }
    expect(await gate.resolve("build")).toEqual({ ok: true, value: "build" });
    expect(refusal(await gate.openDir("out"))).toContain("is hidden by");
    expect(await gate.visible("out", true)).toBe(false);
    expect(await gate.visible("build", false)).toBe(true);
  });

  it("is read again each time", async () => {
    for (let i = 0; i < 50; i++) {
      folder.write(".minicodeignore", i % 2 === 0 ? "a.txt\n" : "b.txt\n");
      expect([i, (await gate.resolve("a.txt")).ok, (await gate.resolve("b.txt")).ok]).toEqual([
        i,
        i % 2 === 1,
        i % 2 === 0,
      ]);
    }
    rmSync(join(folder.ws, ".minicodeignore"));
    expect((await gate.resolve("a.txt")).ok).toBe(true);
    expect((await gate.resolve("b.txt")).ok).toBe(true);
  });

  it("is itself protected", async () => {
    folder.write(".minicodeignore", "a\n");
    expect(await doors(".minicodeignore")).toEqual([expect.stringContaining("is protected")]);
  });

  const path = () => join(folder.ws, ".minicodeignore");
  it.each<[string, () => void]>([
    ["is a symbolic link", () => symlinkSync("rules.txt", path())],
    ["is a folder", () => mkdirSync(path())],
    ["is not a regular file", () => execFileSync("mkfifo", [path()])],
    ["is larger than 64 KiB", () => writeFileSync(path(), "a".repeat(64 * 1024 + 1))],
    ["is not valid UTF-8", () => writeFileSync(path(), Buffer.from([0xe9, 0x0a]))],
    ["has a NUL byte in it", () => writeFileSync(path(), "a\0b\n")],
  ])("that %s closes the workspace until it is mended", async (fault, breakIt) => {
    folder.write("rules.txt", "x\n");
    breakIt();
    const said = `blocked: .minicodeignore ${fault}: nothing in the workspace can be opened until the user has mended it.`;
    expect(await doors("rules.txt")).toEqual([said]);
    expect(refusal(await gate.resolve("rules.txt"))).toBe(said);
    expect(refusal(await gate.openDir("."))).toBe(said);
    expect(await gate.visible("rules.txt", false)).toBe(false);
    rmSync(path(), { recursive: true });
    expect((await gate.readFile("rules.txt")).ok).toBe(true);
  });

  it("counts at the root only", async () => {
    folder.write("sub/.minicodeignore", "a.txt\n");
    expect((await gate.resolve("sub/a.txt")).ok).toBe(true);
  });

  it("does not mind hard links of the file itself", async () => {
    linkSync(folder.write("../shared", "a.txt\n"), path());
    expect((await gate.resolve("a.txt")).ok).toBe(false);
  });
});
