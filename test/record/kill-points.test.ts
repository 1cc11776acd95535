// kill -9 at each write point of the record (TH101): what was acknowledged is there, and the session goes on.
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createRecord, openRecord } from "../../src/record/append.ts";
import { readRecord } from "../../src/record/read.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { canTrace } from "../helpers/patch-child.ts";
import { runWithFault } from "../helpers/strace.ts";
import { bundled, header, tempFolder, user } from "./support.ts";

const traced = canTrace();
let program: string;

beforeAll(async () => {
  program = await bundled(`
    import { writeSync } from "node:fs";
    import { openRecord } from "./append.ts";
    const { recorder } = await openRecord(process.argv[2]);
    for (const length of [10, 9000, 20]) {
      const { n } = await recorder.append({ type: "message", message: { role: "user", text: "x".repeat(length) } });
      writeSync(1, n + "\\n");
    }
    await recorder.close();
  `);
});

describe.skipIf(!traced)(`killed at each write point${traced ? "" : " (strace cannot trace here)"}`, () => {
  test.each(["fdatasync", "fsync", "rename,?renameat", "ftruncate"])("%s", async (calls) => {
    for (let n = 1; ; n += 1) {
      const folder = join(tempFolder(), header.id);
      await (await createRecord(folder, header)).close();
      const { killed, stdout } = runWithFault([program, folder], `${calls}:signal=KILL:when=${n}`);
      const acknowledged = stdout.trim() === "" ? 1 : Number(stdout.trim().split("\n").at(-1));
      const { recorder, contents } = await openRecord(folder);
      expect(contents.entries.length).toBeGreaterThanOrEqual(acknowledged);
      await recorder.append(user("after"));
      await recorder.close();
      const { entries, warnings } = await readRecord(folder);
      expect([entries.at(-1)?.body, warnings]).toEqual([user("after"), []]);
      expect((await verifyRecord(folder)).ok).toBe(true);
      if (!killed) {
        expect(acknowledged).toBe(4);
        break;
      }
    }
  });

  test.each(["fdatasync:error=EIO:when=2", "fsync:error=EIO:when=1", "rename,?renameat:error=ENOSPC:when=1"])(
    "%s: not acknowledged, and the record is as it was",
    async (fault) => {
      const folder = join(tempFolder(), header.id);
      await (await createRecord(folder, header)).close();
      const { status, stdout } = runWithFault([program, folder], fault);
      expect(status).not.toBe(0);
      const { entries, warnings } = await readRecord(folder);
      expect(warnings).toEqual([]);
      expect(entries.length).toBe(1 + stdout.split("\n").length - 1);
    },
  );
});
