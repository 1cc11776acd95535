// The record says which profile and model answer from where on.
import { expect, test } from "vitest";
import { noteModel } from "../../src/record/model-change.ts";
import { readRecord } from "../../src/record/read.ts";
import { openSession } from "../../src/record/session.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { header, tempFolder } from "./support.ts";

test("only a change is noted, each time there is one, and the record stays whole", async () => {
  const dir = tempFolder();
  let id = "";
  for (const [profile, model] of [
    ["a", "m1"],
    ["a", "m1"],
    ["b", "m2"],
    ["b", "m2"],
    ["b", "m3"],
    ["a", "m1"],
  ] as const) {
    const start = { version: header.version, workspace: header.workspace, profile, model };
    const session = await openSession(
      dir,
      id === "" ? { kind: "new" } : { kind: "resume", id },
      start,
      (text) => text,
    );
    id = session.record.id;
    await noteModel(session.record, profile, model);
    await session.close();
  }
  const { entries } = await readRecord(`${dir}/${id}`);
  expect(entries.slice(1).map(({ body }) => body)).toEqual([
    { type: "model", profile: "b", model: "m2" },
    { type: "model", profile: "b", model: "m3" },
    { type: "model", profile: "a", model: "m1" },
  ]);
  expect((await verifyRecord(`${dir}/${id}`)).ok).toBe(true);
});
