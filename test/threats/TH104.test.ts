// A record that was cut anywhere is gone on with: all whole entries are there, the new one too.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openRecord } from "../../src/record/append.ts";
import { readRecord, recordPath } from "../../src/record/read.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { recordWith, tickingClock, user } from "../record/support.ts";

describe("TH104 a torn last line, then an append", () => {
  it("cut at every byte of the last line", async () => {
    const folder = await recordWith([user("one"), user("two"), user("three")]);
    const whole = readFileSync(recordPath(folder));
    const last = whole.lastIndexOf("\n", whole.length - 2) + 1;
    for (let cut = last; cut <= whole.length; cut++) {
      writeFileSync(recordPath(folder), whole.subarray(0, cut));
      const { recorder } = await openRecord(folder, { clock: tickingClock() });
      await recorder.append(user("new"));
      await recorder.close();
      const { entries, warnings } = await readRecord(folder);
      expect(entries.length).toBe(cut < whole.length - 1 ? 4 : 5);
      expect([entries.at(-1)?.body, warnings]).toEqual([user("new"), []]);
    }
  });

  it("NUL bytes after a power cut are told, and what follows is kept", async () => {
    const folder = await recordWith([user("one")]);
    appendFileSync(recordPath(folder), Buffer.alloc(300));
    const { recorder, contents } = await openRecord(folder);
    await recorder.append(user("new"));
    await recorder.close();
    expect(contents.warnings).not.toEqual([]);
    const { entries } = await readRecord(folder);
    expect(entries.at(-1)?.body).toEqual(user("new"));
    expect((await verifyRecord(folder)).ok).toBe(true);
  });
});
