// Numbers that are there twice or missing: the first counts, the gap is told, and new entries go on above all.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openRecord } from "../../src/record/append.ts";
import { readRecord, recordPath } from "../../src/record/read.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { recordWith, user } from "../record/support.ts";

async function rewritten(change: (lines: string[]) => string[]): Promise<string> {
  const folder = await recordWith([user("two"), user("three"), user("four")]);
  const lines = readFileSync(recordPath(folder), "utf8").trimEnd().split("\n");
  writeFileSync(recordPath(folder), `${change(lines).join("\n")}\n`);
  return folder;
}

describe("TH107 numbers of a record", () => {
  it.each<[string, (lines: string[]) => string[], number[], RegExp]>([
    ["one twice", ([a = "", b = "", c = "", d = ""]) => [a, b, b, c, d], [1, 2, 3, 4], /numbers twice/],
    ["one missing", ([a = "", b = "", , d = ""]) => [a, b, d], [1, 2, 4], /not in sequence/],
  ])("%s", async (_, change, numbers, warning) => {
    const folder = await rewritten(change);
    const { entries, warnings } = await readRecord(folder);
    expect(entries.map(({ n }) => n)).toEqual(numbers);
    expect(warnings.join("\n")).toMatch(warning);
    expect((await verifyRecord(folder)).ok).toBe(false);
    const { recorder } = await openRecord(folder);
    expect((await recorder.append(user("new"))).n).toBe(5);
    await recorder.close();
  });
});
