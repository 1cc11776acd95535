// A streamed draft is only ever the live tail: retracted it leaves no row behind, accepted each row is there once (issue 3).
import { expect, it } from "vitest";
import type { ChatModel } from "../../src/protocol/model.ts";
import { keys, testSession } from "../helpers/session.ts";

const rows = Array.from({ length: 200 }, (_, i) => `draft row ${i + 1} of it`);
const before = Array.from({ length: 30 }, (_, i) => `shell line ${i + 1}\r\n`).join("");
const count = (all: readonly string[], text: string): number =>
  all.filter((row) => row.trim() === text).length;

it("a 200-row draft that becomes calls leaves 0 rows, and the shell's lines stay", async () => {
  const t = await testSession({
    before,
    steps: [
      { text: rows.join("\n\n"), chunk: 200, calls: [{ name: "list_dir", arguments: {} }] },
      { text: "the answer" },
    ],
  });
  t.enter("go");
  await t.taskEnd();
  const all = t.terminal.everything();
  expect(all.filter((row) => row.includes("draft row"))).toEqual([]);
  for (let i = 1; i <= 30; i++) expect(count(all, `shell line ${i}`)).toBe(1);
  expect(t.terminal.raw).not.toMatch(/\x1b\[[23]J/);
  t.terminal.sendInput(keys.ctrlO);
  await t.terminal.shows("draft not used");
});

it("a cancelled one leaves 0 rows too", async () => {
  const endless: ChatModel = {
    name: "endless",
    async *stream(_request, signal) {
      yield { type: "text", text: rows.join("\n\n") };
      await new Promise((_, stop) => signal.addEventListener("abort", stop));
    },
  };
  const t = await testSession({ before, steps: [], model: endless });
  t.enter("go");
  await t.terminal.shows("draft row 200");
  t.terminal.sendInput(keys.escape);
  await t.taskEnd();
  expect(t.terminal.everything().filter((row) => row.includes("draft row"))).toEqual([]);
});

it("accepted, each row is there once, in order", async () => {
  const t = await testSession({ before, steps: [{ text: rows.join("\n\n"), chunk: 200 }] });
  t.enter("go");
  await t.taskEnd();
  const all = t.terminal.everything();
  expect(all.filter((row) => row.includes("draft row")).map((row) => row.trim())).toEqual(rows);
  for (let i = 1; i <= 30; i++) expect(count(all, `shell line ${i}`)).toBe(1);
});
