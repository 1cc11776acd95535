// Sessions on disk: their names and their list.
import { mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRecord } from "../../src/record/append.ts";
import { latestSession, listSessions, newSessionId, sessionNamed } from "../../src/record/sessions.ts";
import { header, tempFolder, tickingClock } from "./support.ts";

async function session(dir: string, id: string, workspace: string, usedAt: number): Promise<string> {
  const folder = join(dir, id);
  await (await createRecord(folder, { ...header, id, workspace })).close();
  utimesSync(join(folder, "record.jsonl"), usedAt, usedAt);
  return folder;
}

test("an id names its time and is never the same twice", () => {
  expect(newSessionId(tickingClock(), () => Buffer.from("1a2b3c", "hex"))).toBe("20261130-231501-1a2b3c");
  expect(newSessionId()).not.toBe(newSessionId());
  expect(newSessionId()).toMatch(/^\d{8}-\d{6}-[0-9a-f]{6}$/);
});

test("only a session id names a folder", async () => {
  expect(await sessionNamed("/s", header.id)).toEqual({ id: header.id, folder: `/s/${header.id}` });
  for (const id of ["", "..", "../x", `${header.id}/..`, "/etc", `${header.id}\n`, "2.", "a"]) {
    await expect(sessionNamed("/s", id)).rejects.toMatchObject({ code: "E_SESSION" });
  }
});

test("the beginning of an id will do where only one begins so", async () => {
  const dir = tempFolder();
  const ids = ["20261130-100000-aaaaaa", "20261130-110000-bbbbbb", "20261201-110000-cccccc"];
  for (const id of ids) await session(dir, id, "/work/app", 1000);
  expect((await sessionNamed(dir, "20261201")).id).toBe(ids[2]);
  expect((await sessionNamed(dir, "20261130-10")).id).toBe(ids[0]);
  await expect(sessionNamed(dir, "20261130")).rejects.toMatchObject({
    message: "2 sessions begin with 20261130",
    hint: `Give more of the id: ${ids[0]}, ${ids[1]}.`,
  });
  await expect(sessionNamed(dir, "20261202")).rejects.toMatchObject({
    message: "there is no session 20261202",
  });
});

test("they are listed by last use; broken ones say why and are never the latest", async () => {
  const dir = tempFolder();
  expect(await listSessions(join(dir, "none"))).toEqual([]);
  expect(await latestSession(dir)).toBeNull();
  await session(dir, "20261130-100000-aaaaaa", "/work/app", 3000);
  await session(dir, "20261130-110000-bbbbbb", `/work/${"long/".repeat(600)}`, 2000);
  await session(dir, "20261130-120000-cccccc", "/work/app", 1000);
  const empty = await session(dir, "20261130-130000-dddddd", "/work/app", 4000);
  truncateSync(join(empty, "record.jsonl"), 0);
  utimesSync(join(empty, "record.jsonl"), 4000, 4000);
  const torn = await session(dir, "20261130-140000-eeeeee", "/work/app", 5000);
  writeFileSync(join(torn, "record.jsonl"), '{"n":1,"at"');
  utimesSync(join(torn, "record.jsonl"), 5000, 5000);
  mkdirSync(join(dir, "20261130-150000-ffffff"));
  symlinkSync(torn, join(dir, "20261130-160000-000000"));
  mkdirSync(join(dir, "something else"));

  const list = await listSessions(dir);
  expect(
    list.map(({ id, header, broken }) => [id.slice(9, 11), header?.workspace.slice(0, 9) ?? broken]),
  ).toEqual([
    ["14", "its first line cannot be read: not JSON"],
    ["13", "its record is empty"],
    ["10", "/work/app"],
    ["11", "/work/lon"],
    ["12", "/work/app"],
    ["16", expect.stringContaining("is not a folder")],
    ["15", expect.stringContaining("ENOENT")],
  ]);
  expect((await latestSession(dir))?.id).toBe("20261130-100000-aaaaaa");
  expect((await latestSession(dir, "/work/app"))?.usedAt).toEqual(new Date(3_000_000));
  expect(await latestSession(dir, "/work/other")).toBeNull();
});
