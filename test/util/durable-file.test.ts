// Settings, profiles and trust are written whole or not at all: killed at each write point, refused by the system, with short writes.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replaceWhole } from "../../src/util/durable-file.ts";
import { bundle } from "../helpers/bundle.ts";
import { canTrace } from "../helpers/patch-child.ts";
import { runWithFault } from "../helpers/strace.ts";
import { testFolder } from "../helpers/workspace.ts";

const base = testFolder();
afterAll(() => base.remove());
const program = join(base.base, "write.mjs");
const source = join(import.meta.dirname, "../../src/config/write-json.ts");
const file = join(base.ws, "settings.json");
const before = '{\n  "a": 1\n}\n';
const after = `${JSON.stringify({ a: "x".repeat(5_000) }, null, 2)}\n`;

beforeAll(async () => {
  const entry = join(base.base, "write.ts");
  writeFileSync(
    entry,
    `import { writeJson } from "${source}";
     try {
       await writeJson(${JSON.stringify(file)}, { a: "x".repeat(5000) }, "E_SETTINGS");
       console.log("written");
     } catch (error) {
       console.log(error.code + " " + error.message);
     }`,
  );
  await bundle(entry, program);
});

function layOut(): void {
  for (const name of readdirSync(base.ws)) rmSync(join(base.ws, name), { recursive: true });
  writeFileSync(file, before, { mode: 0o600 });
}

const traced = canTrace();
describe.skipIf(!traced)(`faults of the system${traced ? "" : " (strace cannot trace here)"}`, () => {
  it.each(["pwrite64", "fsync", "rename,?renameat"])("killed at each %s: old or new", (calls) => {
    let kills = 0;
    for (let n = 1; ; n++) {
      layOut();
      const { killed, stdout } = runWithFault([program], `${calls}:signal=KILL:when=${n}`);
      const now = readFileSync(file, "utf8");
      expect([before, after]).toContain(now);
      if (!killed) {
        expect([stdout, now]).toEqual(["written\n", after]);
        break;
      }
      kills++;
    }
    expect(kills).toBeGreaterThan(0);
  });

  it.each([
    ["pwrite64:error=ENOSPC:when=1", "ENOSPC"],
    ["pwrite64:error=EDQUOT:when=1", "Unknown|EDQUOT|unknown"],
    ["fsync:error=EIO:when=1", "EIO"],
    ["rename,?renameat:error=EACCES:when=1", "EACCES"],
    ["rename,?renameat:error=EROFS:when=1", "EROFS"],
  ])("%s: an error with its reason, the old file, nothing beside it", (fault, reason) => {
    layOut();
    const { stdout } = runWithFault([program], fault);
    expect(stdout).toMatch(new RegExp(`^E_SETTINGS cannot write .*(?:${reason})`));
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(readdirSync(base.ws)).toEqual(["settings.json"]);
  });

  it("a folder that cannot be made durable is told", () => {
    layOut();
    const { stdout } = runWithFault([program], "fsync:error=EIO:when=2");
    expect(stdout).toMatch(/^E_SETTINGS cannot write .*EIO/);
    expect(readFileSync(file, "utf8")).toBe(after);
  });

  it("a short write is gone on with", () => {
    layOut();
    expect(runWithFault([program], "pwrite64:retval=0:when=1").stdout).toBe("written\n");
    expect(readFileSync(file, "utf8")).toBe(after);
  });
});

it("removes drafts of the killed, and no one else's files", async () => {
  layOut();
  const old = ["settings.json.0011223344aa.tmp", "settings.json.0011223344bb.tmp"].map((name) =>
    join(base.ws, name),
  );
  const others = ["settings.json.tmp", "other.json.0011223344aa.tmp", "settings.json.0011223344aa.tmp.txt"];
  for (const path of [...old, ...others.map((name) => join(base.ws, name))]) {
    writeFileSync(path, "x");
    utimesSync(path, 1, 1);
  }
  const young = join(base.ws, "settings.json.ffffffffffff.tmp");
  writeFileSync(young, "in work");
  mkdirSync(join(base.ws, "settings.json.0011223344cc.tmp"));
  await replaceWhole(file, Buffer.from("new"));
  expect(old.map(existsSync)).toEqual([false, false]);
  expect([young, ...others.map((name) => join(base.ws, name))].map(existsSync)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new", 0o600]);
});

/** Mounts a file system of 64 KB; false where that is not allowed. */
function mountSmall(options: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=64k${options}`, "minicode-test", base.ws], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

it("a disk that is mounted read-only refuses, the file stays", async (context) => {
  if (!mountSmall("")) context.skip("mounting needs root");
  try {
    writeFileSync(file, before);
    execFileSync("mount", ["-o", "remount,ro", base.ws]);
    await expect(replaceWhole(file, Buffer.from("new"))).rejects.toMatchObject({ code: "EROFS" });
    expect(readFileSync(file, "utf8")).toBe(before);
  } finally {
    execFileSync("umount", [base.ws]);
  }
});
