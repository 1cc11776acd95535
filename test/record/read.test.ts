// Damaged records (M01, TH104, TH106, TH107): the damage costs its own lines and a warning, never the session.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRecord } from "../../src/record/append.ts";
import { readRecord } from "../../src/record/read.ts";
import { conversation } from "../../src/record/restore.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { assistant, header, recordWith, tempFolder, tickingClock, user } from "./support.ts";

const bodies = [user("one"), user("two \u2028 \u0000 two"), user("three")];
const fileOf = (folder: string): string => join(folder, "record.jsonl");

/** A record of four good lines whose lines were then changed. */
async function damaged(change: (lines: string[]) => string): Promise<string> {
  const folder = await recordWith(bodies);
  const lines = readFileSync(fileOf(folder), "utf8").split("\n").slice(0, -1);
  writeFileSync(fileOf(folder), change(lines));
  return folder;
}

const texts = async (folder: string): Promise<string[]> =>
  conversation((await readRecord(folder)).entries).map((message) =>
    message.role === "user" ? message.text : "?",
  );

/** Resume, say hi, quit, resume again. */
async function resumeTwice(folder: string): Promise<string[][]> {
  const seen: string[][] = [];
  for (const said of ["hi", "ho"]) {
    const { recorder, contents } = await openRecord(folder, { clock: tickingClock() });
    seen.push(contents.warnings);
    await recorder.append(user(said));
    await recorder.close();
  }
  return seen;
}

describe("M01", () => {
  test("a: a last line cut in the middle is kept aside, and the new entry starts on its own line", async () => {
    const folder = await damaged((lines) => lines.join("\n").slice(0, -40));
    const before = readFileSync(fileOf(folder));
    expect(await readRecord(folder)).toMatchObject({ tornTail: true, entries: { length: 3 } });
    const warnings = await resumeTwice(folder);
    expect(warnings).toEqual([["the end of the session record was cut off (line 4)"], []]);
    expect(await texts(folder)).toEqual(["one", "two \u2028 \u0000 two", "hi", "ho"]);
    const aside = readdirSync(folder).filter((name) => name.startsWith("record.jsonl.damaged-"));
    expect(aside).toEqual(["record.jsonl.damaged-20261130T231501.000Z"]);
    expect(readFileSync(join(folder, aside[0] ?? "")).equals(before)).toBe(true);
    expect(statSync(join(folder, aside[0] ?? "")).mode & 0o777).toBe(0o600);
    expect((await verifyRecord(folder)).ok).toBe(true);
  });

  test("b: entries behind a block of zero bytes are kept, and the warning counts", async () => {
    const folder = await damaged((lines) => `${lines.with(2, "\0".repeat(300)).join("\n")}\n`);
    const warnings = await resumeTwice(folder);
    expect(warnings[0]).toEqual([
      "1 of 4 lines of the session record cannot be read (line 3: only zero bytes)",
    ]);
    expect(await texts(folder)).toEqual(["one", "three", "hi", "ho"]);
    expect((await verifyRecord(folder)).problems.map(({ line }) => line)).toEqual([3, 4, 4]);
  });

  test("c: a raw U+2028 in a string has no effect", async () => {
    const folder = await recordWith(bodies);
    expect(readFileSync(fileOf(folder), "utf8")).toContain("\u2028");
    expect(await resumeTwice(folder)).toEqual([[], []]);
    expect(await texts(folder)).toEqual(["one", "two \u2028 \u0000 two", "three", "hi", "ho"]);
  });

  test("d: an empty file is a fresh record", async () => {
    const folder = await damaged(() => "");
    expect(await readRecord(folder)).toEqual({ entries: [], warnings: [], tornTail: false, lastGood: 0 });
    const { recorder } = await openRecord(folder);
    await recorder.append(header);
    await recorder.close();
    expect(await verifyRecord(folder)).toMatchObject({ ok: true, entries: 1 });
  });

  test("e: a call without its result is answered as cancelled", async () => {
    const folder = await recordWith([user("go"), assistant("", "c1")]);
    expect(conversation((await readRecord(folder)).entries).at(-1)).toEqual({
      role: "tool",
      callId: "c1",
      outcome: "cancelled",
      content: "cancelled: MiniCode was stopped before this call ended",
    });
  });
});

describe("other damage", () => {
  test("zero bytes in front of a good line cost nothing", async () => {
    const folder = await damaged((lines) => `${lines.with(2, `${"\0".repeat(64)}${lines[2]}`).join("\n")}\n`);
    expect((await readRecord(folder)).entries).toHaveLength(4);
    expect((await verifyRecord(folder)).ok).toBe(false);
  });

  test("a line that only lacks its newline is whole", async () => {
    const folder = await damaged((lines) => lines.join("\n"));
    expect(await readRecord(folder)).toMatchObject({ warnings: [], tornTail: false, entries: { length: 4 } });
    await resumeTwice(folder);
    expect(await verifyRecord(folder)).toMatchObject({ ok: true, entries: 6 });
  });

  test("an unknown type, a changed text and a deep nest are told apart", async () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const folder = await damaged(
      ([one = "", two = "", three = "", four = ""]) =>
        `${[one, two.replace('"message"', '"telepathy"'), three.replace("two", "tow"), `{"n":${deep}}`, four].join("\n")}\n`,
    );
    const { entries, warnings } = await readRecord(folder);
    expect(entries.map(({ n }) => n)).toEqual([1, 3, 4]);
    expect(warnings).toEqual([
      '2 of 5 lines of the session record cannot be read (line 2: not a "telepathy" entry that this version knows; line 4: not a line that this version knows)',
      "the session record was changed after it was written (line 3)",
    ]);
  });

  test("TH107: of two lines with one number the first counts; a gap is told", async () => {
    const folder = await damaged(([one, two, three, four]) => `${[one, two, two, four, three].join("\n")}\n`);
    const { entries, warnings } = await readRecord(folder);
    expect(entries.map(({ n }) => n)).toEqual([1, 2, 4, 3]);
    expect(warnings).toEqual([
      "the session record has numbers twice; the first of each counts (line 3 is a second number 2)",
      "the session record's numbers are not in sequence (line 4 is number 4, not 3; line 5 is number 3, not 5)",
    ]);
    const { recorder } = await openRecord(folder);
    expect((await recorder.append(user("hi"))).n).toBe(5);
    await recorder.close();
  });

  test("a body whose blob is gone or damaged costs that entry", async () => {
    const folder = await recordWith([user("x".repeat(3000)), user("y".repeat(3000)), user("z")]);
    const [first, second] = readdirSync(join(folder, "blobs"));
    writeFileSync(join(folder, "blobs", first ?? ""), "x".repeat(3010));
    renameSync(join(folder, "blobs", second ?? ""), join(folder, "elsewhere"));
    const { entries, warnings } = await readRecord(folder);
    expect(entries).toHaveLength(2);
    expect(warnings).toEqual([expect.stringMatching(/^2 of 4 lines .*gone or damaged.*gone or damaged/)]);
  });
});

test("TH104: cut at every byte and appended to, all earlier entries and the new one are there", async () => {
  const folder = await recordWith([user("a"), user("b".repeat(2100))]);
  const whole = readFileSync(fileOf(folder));
  const ends = [...whole.keys()].filter((index) => whole[index] === 0x0a);
  const copy = tempFolder();
  cpSync(folder, copy, { recursive: true });
  for (let cut = 0; cut <= whole.length; cut += 1) {
    writeFileSync(fileOf(copy), whole.subarray(0, cut));
    const { recorder } = await openRecord(copy, { clock: tickingClock() });
    const { n } = await recorder.append(user("new"));
    await recorder.close();
    // A line is complete with its last brace; its newline may be missing.
    const complete = ends.filter((end) => end <= cut).length;
    const { entries, warnings } = await readRecord(copy);
    expect(entries.map((entry) => entry.n)).toEqual(
      Array.from({ length: complete + 1 }, (_, index) => index + 1),
    );
    expect([n, warnings, entries.at(-1)?.body]).toEqual([complete + 1, [], user("new")]);
    expect((await verifyRecord(copy)).problems.filter(({ line }) => line > 1)).toEqual([]);
    for (const name of readdirSync(copy))
      if (name.includes(".damaged-")) renameSync(join(copy, name), join(folder, "aside"));
  }
});

describe("TH106: refused", () => {
  async function refused(folder: string, why: string): Promise<void> {
    const expected = { code: "E_RECORD", message: expect.stringContaining(why) };
    await expect(readRecord(folder)).rejects.toMatchObject(expected);
    await expect(openRecord(folder)).rejects.toMatchObject(expected);
    await expect(verifyRecord(folder)).rejects.toMatchObject(expected);
  }

  test("a link, also as the folder", async () => {
    const folder = await recordWith(bodies);
    const other = tempFolder();
    symlinkSync(fileOf(folder), fileOf(other));
    await refused(other, "is a symbolic link");
    symlinkSync(folder, join(other, "linked"));
    await refused(join(other, "linked"), "is not a folder");
  });

  test("a FIFO and a folder, without waiting", async () => {
    const fifo = tempFolder();
    execFileSync("mkfifo", [fileOf(fifo)]);
    await refused(fifo, "is not a regular file");
    const folder = tempFolder();
    mkdirSync(fileOf(folder));
    await expect(readRecord(folder)).rejects.toMatchObject({ code: "E_RECORD" });
    await refused(join(tempFolder(), "none"), "ENOENT");
  });

  test("a record over 256 MB", async () => {
    const folder = await recordWith(bodies);
    truncateSync(fileOf(folder), 2 ** 31);
    await refused(folder, "too large");
  });

  test.skipIf(process.getuid?.() !== 0)("someone else's (needs root)", async () => {
    const folder = await recordWith(bodies);
    chownSync(fileOf(folder), 12_345, 12_345);
    await refused(folder, "belongs to another user");
  });

  test("a record that others may read is made private", async () => {
    const folder = await recordWith(bodies);
    chmodSync(fileOf(folder), 0o644);
    chmodSync(folder, 0o755);
    await readRecord(folder);
    expect([statSync(fileOf(folder)).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
  });
});

test("a second torn tail in the same second does not overwrite the first", async () => {
  const folder = await damaged((lines) => lines.join("\n").slice(0, -40));
  const copy = join(dirname(folder), "torn");
  copyFileSync(fileOf(folder), copy);
  for (let round = 0; round < 2; round += 1) {
    copyFileSync(copy, fileOf(folder));
    const { recorder } = await openRecord(folder, { clock: tickingClock() });
    await recorder.close();
  }
  expect(readdirSync(folder).filter((name) => name.includes(".damaged-"))).toHaveLength(2);
});
