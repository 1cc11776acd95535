// A session's file is opened only when it is this user's regular file of a bounded size; it is made private.
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, symlinkSync, truncateSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openRecord } from "../../src/record/append.ts";
import { readRecord, recordPath } from "../../src/record/read.ts";
import { recordWith, tempFolder, user } from "../record/support.ts";

async function refused(folder: string): Promise<void> {
  for (const open of [readRecord, openRecord])
    await expect(open(folder)).rejects.toMatchObject({ code: "E_RECORD" });
}

describe("TH106 a session file that is not what it should be", () => {
  it("a link, a folder, 2 GB", async () => {
    const real = await recordWith([user("hi")]);
    const linked = tempFolder();
    symlinkSync(recordPath(real), recordPath(linked));
    await refused(linked);
    rmSync(recordPath(linked));
    mkdirSync(recordPath(linked));
    await refused(linked);
    truncateSync(recordPath(real), 2 ** 31);
    await refused(real);
  });

  it.skipIf(process.getuid?.() !== 0)("another user's (needs root)", async () => {
    const folder = await recordWith([user("hi")]);
    chownSync(recordPath(folder), 12_345, 12_345);
    await refused(folder);
  });

  it("one that others may read is made private", async () => {
    const folder = await recordWith([user("hi")]);
    chmodSync(recordPath(folder), 0o644);
    await readRecord(folder);
    expect(statSync(recordPath(folder)).mode & 0o777).toBe(0o600);
  });
});
