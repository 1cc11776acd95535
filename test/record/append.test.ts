// The record's writer: what `append` returned is on disk, and what it refused left nothing behind.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RecordBody } from "../../src/protocol/record.ts";
import { createRecord, openRecord } from "../../src/record/append.ts";
import { readRecord } from "../../src/record/read.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { canonicalJson, sha256 } from "../../src/util/hash.ts";
import {
  decided,
  header,
  patch,
  patchFile,
  proposal,
  proposed,
  recordWith,
  tempFolder,
  tickingClock,
  user,
} from "./support.ts";

const mode = (path: string): number => statSync(path).mode & 0o777;
const linesOf = (folder: string): string[] =>
  readFileSync(join(folder, "record.jsonl"), "utf8").split("\n").slice(0, -1);

describe("the format", () => {
  test("one chained line per entry, private on disk", async () => {
    const folder = await recordWith([user("hi")]);
    const [first, second] = linesOf(folder).map((line) => JSON.parse(line));
    expect(Object.keys(first)).toEqual(["n", "at", "type", "body", "prev", "hash"]);
    const { type: _, ...fields } = header;
    expect(first).toMatchObject({
      n: 1,
      at: "2026-11-30T23:15:01.000Z",
      type: "session",
      body: fields,
      prev: "0".repeat(64),
    });
    expect(second.prev).toBe(first.hash);
    const { hash, ...rest } = second;
    expect(hash).toBe(sha256(canonicalJson(rest)));
    expect([mode(folder), mode(join(folder, "record.jsonl"))]).toEqual([0o700, 0o600]);
  });

  test("a body over 2 KB is kept beside the record and comes back", async () => {
    const long = "é\u2028".repeat(2000);
    const folder = await recordWith([user(long), user(long)]);
    const line = linesOf(folder)[1] ?? "";
    expect(line.length).toBeLessThan(500);
    const { blob } = JSON.parse(line);
    expect(readdirSync(join(folder, "blobs"))).toEqual([blob.hash]);
    expect(mode(join(folder, "blobs", blob.hash))).toBe(0o600);
    expect((await readRecord(folder)).entries.map(({ body }) => body)).toEqual([
      header,
      user(long),
      user(long),
    ]);
    expect((await verifyRecord(folder)).ok).toBe(true);
  });
});

describe("append", () => {
  test("serialises concurrent calls and returns what was written", async () => {
    const folder = join(tempFolder(), header.id);
    const recorder = await createRecord(folder, header, { clock: tickingClock() });
    const bodies = Array.from({ length: 50 }, (_, i) =>
      user(i % 10 === 0 ? "x".repeat(3000 + i) : `message ${i}`),
    );
    const entries = await Promise.all(bodies.map((body) => recorder.append(body)));
    expect(entries.map(({ n }) => n)).toEqual(bodies.map((_, i) => i + 2));
    expect(recorder.head).toBe(entries.at(-1)?.hash);
    await recorder.close();
    expect((await readRecord(folder)).entries.slice(1)).toEqual(entries);
    expect(await verifyRecord(folder)).toEqual({ ok: true, entries: 51, head: recorder.head, problems: [] });
  });

  test("goes on after being opened again", async () => {
    const folder = await recordWith([user("one")]);
    const { recorder, contents } = await openRecord(folder);
    expect(contents.entries).toHaveLength(2);
    expect((await recorder.append(user("two"))).n).toBe(3);
    await recorder.close();
    expect((await verifyRecord(folder)).problems).toEqual([]);
  });

  test("keeps known key values off the disk", async () => {
    const redact = (text: string): string => text.replaceAll("sk-secret", "<redacted>");
    const folder = await recordWith([user("use sk-secret"), user(`sk-secret ${"x".repeat(3000)}`)], {
      redact,
    });
    expect(
      execFileSync("sh", ["-c", `cat ${folder}/record.jsonl ${folder}/blobs/*`], { encoding: "utf8" }),
    ).not.toContain("sk-secret");
    expect((await readRecord(folder)).entries[1]?.body).toEqual(user("use <redacted>"));
  });

  test("refuses a proposal that cannot be recorded as it would be shown", async () => {
    const folder = join(tempFolder(), header.id);
    const recorder = await createRecord(folder, header, {
      redact: (text) => text.replaceAll("sk-secret", "<redacted>"),
    });
    await expect(
      recorder.append(proposed(proposal(1, { kind: "fetch", reason: "r", url: "https://h/?k=sk-secret" }))),
    ).rejects.toMatchObject({ code: "E_RECORD" });
    await recorder.append(proposed(proposal(1, { kind: "fetch", reason: "r", url: "https://h/" })));
    await recorder.close();
    expect((await verifyRecord(folder)).problems).toEqual([]);
  });

  test("refuses an entry that could not be read back", async () => {
    const folder = join(tempFolder(), header.id);
    const recorder = await createRecord(folder, header);
    const broken: RecordBody = decided({ ...proposal(1, patch(patchFile("a", null, "x"))), digest: "short" });
    await expect(recorder.append(broken)).rejects.toMatchObject({ code: "E_RECORD" });
    await recorder.close();
    expect(linesOf(folder)).toHaveLength(1);
  });

  test("stops when the file was deleted, written by something else, or closed", async () => {
    const folder = join(tempFolder(), header.id);
    const recorder = await createRecord(folder, header);
    appendFileSync(join(folder, "record.jsonl"), "x");
    await expect(recorder.append(user("a"))).rejects.toThrow("something else wrote to it");
    rmSync(join(folder, "record.jsonl"));
    await expect(recorder.append(user("a"))).rejects.toThrow("it was deleted");
    await recorder.close();
    await expect(recorder.append(user("a"))).rejects.toMatchObject({ code: "E_RECORD" });
  });
});

test("a session's folder is never taken over, and a failed start leaves nothing", async () => {
  const parent = tempFolder();
  mkdirSync(join(parent, "taken"));
  writeFileSync(join(parent, "taken", "record.jsonl"), "mine");
  await expect(createRecord(join(parent, "taken"), header)).rejects.toMatchObject({ code: "E_RECORD" });
  expect(readFileSync(join(parent, "taken", "record.jsonl"), "utf8")).toBe("mine");
  const redact = (): string => {
    throw new Error("broken");
  };
  await expect(createRecord(join(parent, "new"), header, { redact })).rejects.toMatchObject({
    code: "E_RECORD",
  });
  expect(existsSync(join(parent, "new"))).toBe(false);
});

test("half-written blobs of a killed process are swept on resume", async () => {
  const folder = await recordWith([user("x".repeat(3000))]);
  writeFileSync(join(folder, "blobs", ".tmp-0011223344556677"), "half");
  const { recorder } = await openRecord(folder);
  await recorder.close();
  expect(readdirSync(join(folder, "blobs"))).toHaveLength(1);
});

test("TH102: a full disk rejects the append and leaves the record as it was; it works again with space", async (context) => {
  const mount = tempFolder();
  if (!mountSmall(mount)) context.skip("a 64 KB file system needs root");
  onTestFinished(() => void execFileSync("umount", [mount]));
  const folder = join(mount, header.id);
  const recorder = await createRecord(folder, header);
  let acknowledged = 1;
  const fill = async (): Promise<void> => {
    for (;;) {
      await recorder.append(user("y".repeat(1500)));
      acknowledged += 1;
    }
  };
  writeFileSync(join(mount, "ballast"), "z".repeat(20_000));
  await expect(fill()).rejects.toMatchObject({
    code: "E_RECORD",
    message: expect.stringContaining("ENOSPC"),
  });
  await expect(recorder.append(user("b".repeat(9000)))).rejects.toMatchObject({ code: "E_RECORD" });
  expect(await verifyRecord(folder)).toMatchObject({ ok: true, entries: acknowledged });
  rmSync(join(mount, "ballast"));
  await recorder.append(user("again"));
  await recorder.append(user("b".repeat(9000)));
  await recorder.close();
  expect(await verifyRecord(folder)).toMatchObject({ ok: true, entries: acknowledged + 2 });
});

function mountSmall(path: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
