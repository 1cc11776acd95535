// `verifyRecord`: every changed bit shows, and no effect goes past its decision unseen.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RecordBody } from "../../src/protocol/record.ts";
import { openBlobs } from "../../src/record/blobs.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import {
  applied,
  begun,
  decided,
  ended,
  patch,
  patchFile,
  proposal,
  proposed,
  ran,
  recordWith,
  user,
} from "./support.ts";

const change = proposal(1, patch(patchFile("a.txt", "old", "new"), patchFile("b.txt", null, "made")));
const good = [
  proposed(change),
  decided(change),
  begun(1),
  applied(1, "a.txt", "old", "new"),
  applied(1, "b.txt", null, "made"),
  ended(1),
];

/** What verifying finds in a record with these entries, the blobs they name being there. */
async function problemsOf(...bodies: RecordBody[]): Promise<string[]> {
  const folder = await recordWith(bodies);
  for (const content of ["old", "new", "made", "out", "evil"])
    await openBlobs(folder).put(Buffer.from(content));
  const { ok, problems } = await verifyRecord(folder);
  expect(ok).toBe(problems.length === 0);
  return problems.map(({ line, message }) => `${line}: ${message}`);
}

test("a flipped bit anywhere in the record or in its blobs is reported", async () => {
  const folder = await recordWith([user("x".repeat(2100)), user("é\u2028\n 1e3 \\u0041")]);
  const [blob = ""] = readdirSync(join(folder, "blobs"));
  const silent: string[] = [];
  for (const [path, stride] of [
    [join(folder, "record.jsonl"), 1],
    [join(folder, "blobs", blob), 29],
  ] as const) {
    const bytes = readFileSync(path);
    for (let index = 0; index < bytes.length; index += stride) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8((bytes[index] ?? 0) ^ (1 << (index % 8)), index);
      writeFileSync(path, flipped);
      const { problems } = await verifyRecord(folder);
      // The decision stands alone here; that is said in any case.
      if (problems.every(({ message }) => message.startsWith("decision on proposal")))
        silent.push(`${path}:${index}`);
    }
    writeFileSync(path, bytes);
  }
  expect(silent).toEqual([]);
});

describe("the chain", () => {
  test("lines taken out, put in, moved or written otherwise are reported", async () => {
    const folder = await recordWith([user("one"), user("two"), user("three")]);
    const path = join(folder, "record.jsonl");
    const [one = "", two = "", three = "", four = ""] = readFileSync(path, "utf8").split("\n");
    const verdict = async (...lines: string[]): Promise<string[]> => {
      writeFileSync(path, `${lines.join("\n")}\n`);
      return (await verifyRecord(folder)).problems.map(({ line, message }) => `${line}: ${message}`);
    };
    expect(await verdict(one, two, three, four)).toEqual([]);
    expect(await verdict(one, two, four)).toEqual([
      "3: does not continue the line before it",
      "3: is number 4, not 3",
    ]);
    expect(await verdict(one, three, two, four)).not.toEqual([]);
    expect(await verdict(one, two, two, three, four)).not.toEqual([]);
    expect(await verdict(one, two, "", three, four)).toEqual(["3: cannot be read: empty"]);
    expect(await verdict(two, three, four)).toContain("1: is not the session's header");
    expect(await verdict(one, two.replace('"n":2', '"n": 2'), three, four)).toEqual([
      "2: is not as MiniCode writes it",
    ]);
    expect(await verdict(one, `${two}\r`, three, four)).toEqual(["2: is not as MiniCode writes it"]);
    expect(await verdict(one, two.replace("one", "eno"), three, four)).toEqual([
      "2: was changed: its hash does not match its content",
    ]);
  });

  test("a blob that a patch names and that is gone is reported once per entry", async () => {
    const folder = await recordWith(good);
    for (const content of ["old", "new", "made"]) await openBlobs(folder).put(Buffer.from(content));
    expect((await verifyRecord(folder)).problems).toEqual([]);
    const { hash } = await openBlobs(folder).put(Buffer.from("old"));
    rmSync(join(folder, "blobs", hash));
    expect((await verifyRecord(folder)).problems.map(({ line }) => line)).toEqual([2, 5]);
  });
});

describe("effects", () => {
  test("a decided, begun and ended effect is in order; so is a refused proposal", async () => {
    expect(await problemsOf(...good)).toEqual([]);
    expect(await problemsOf(proposed(change), decided(change, "reject"))).toEqual([]);
  });

  test("an effect without a decision, with a refusal, or with one on another digest", async () => {
    const other = { ...change, digest: "0".repeat(64) };
    const without = "began without approval";
    expect(await problemsOf(proposed(change), begun(1))).toEqual([`3: effect of proposal 1 ${without}`]);
    expect(await problemsOf(proposed(change), begun(1), decided(change))).toEqual([
      `3: effect of proposal 1 ${without}`,
    ]);
    expect(await problemsOf(proposed(change), decided(change, "deny"), begun(1))).toEqual([
      `4: effect of proposal 1 ${without}`,
    ]);
    expect(await problemsOf(proposed(change), decided(other), begun(1))).toEqual([
      "3: decision on proposal 1 names another digest",
      `4: effect of proposal 1 ${without}`,
    ]);
    expect(await problemsOf(begun(7), ended(7))).toEqual([
      "2: effect of proposal 7, which is not there",
      "3: effect of proposal 7 ended without having begun",
    ]);
  });

  test("a proposal that is not what its digest says", async () => {
    const swapped = { ...change, content: patch(patchFile("a.txt", "old", "evil")) };
    expect(await problemsOf(proposed(swapped))).toEqual([
      "2: proposal 1 has another digest than its content",
    ]);
    expect(await problemsOf(proposed(change), proposed(change))).toEqual(["3: proposal 1 is there twice"]);
  });

  test("a decision or an effect used twice", async () => {
    expect(await problemsOf(...good, begun(1), ended(1))).toEqual([
      "8: effect of proposal 1 began twice",
      "9: effect of proposal 1 ended twice",
    ]);
    expect(await problemsOf(proposed(change), decided(change, "reject"), decided(change), begun(1))).toEqual([
      "4: proposal 1 was decided twice",
      "5: effect of proposal 1 began without approval",
    ]);
  });

  test("facts that no effect explains", async () => {
    expect(await problemsOf(...good.slice(0, 3), applied(1, "a.txt", "old", "evil"))).toEqual([
      "5: the change of a.txt is not the one that proposal 1 showed",
    ]);
    expect(await problemsOf(...good.slice(0, 2), applied(1, "a.txt", "old", "new"))).toEqual([
      "4: a.txt was changed for proposal 1 without an effect begun",
    ]);
    expect(await problemsOf(ran(3, ["ls"], 0, ["t", "t"]))).toEqual([
      "2: a program ran for proposal 3 without an effect begun",
    ]);
  });

  test("a rename is two facts of one file", async () => {
    const move = proposal(2, patch({ ...patchFile("new.txt", "old", "new"), from: "old.txt" }));
    const facts = [applied(2, "old.txt", "old", null), applied(2, "new.txt", null, "new")];
    expect(await problemsOf(proposed(move), decided(move), begun(2), ...facts, ended(2))).toEqual([]);
  });
});
