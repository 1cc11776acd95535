// T04: a paste never sends and never confirms, and keys from before a panel was on the screen do not count.
import { expect, it } from "vitest";
import { keys, testSession } from "../helpers/session.ts";

const patch = {
  calls: [{ name: "apply_patch", arguments: { reason: "r", changes: [{ path: "n.txt", content: "x\n" }] } }],
};
const paste = "line1\nAPPLY\nline3";

it("T04 (a): a paste with line breaks stays in the composer", async () => {
  const t = await testSession({ guided: false, steps: [{ text: "hi" }] });
  t.terminal.paste(paste);
  await t.terminal.shows("line3");
  expect(t.terminal.text()).toContain("line1\nAPPLY\nline3");
  expect(t.model.requests).toHaveLength(0);
});

it("T04 (b): a paste at a panel does not approve, the question stays", async () => {
  const t = await testSession({ guided: false, steps: [patch, { text: "done" }] });
  t.enter("go");
  await t.panel("APPLY");
  t.terminal.paste(paste);
  t.terminal.sendInput(keys.enter);
  await t.terminal.shows("waiting for APPLY");
  await t.terminal.shows("line3");
  expect(t.events.some((e) => e.type === "decision")).toBe(false);
  t.terminal.sendInput(keys.escape);
  t.enter("APPLY");
  await t.taskEnd();
  expect(t.read("n.txt")).toBe("x\n");
});

it("T04 (c): the word typed ahead is answered locally and approves nothing", async () => {
  const t = await testSession({
    guided: false,
    steps: [{ ...patch, text: "working on it", chunk: 1, delayMs: 15 }, { text: "done" }],
  });
  t.enter("go");
  await t.terminal.shows("w");
  t.enter("APPLY");
  await t.panel("APPLY");
  expect(t.events.some((e) => e.type === "decision")).toBe(false);
  expect(t.terminal.everything().join("\n")).toContain("Nothing is waiting for APPLY");
  t.enter("CANCEL not like this");
  await t.taskEnd();
  const last = t.model.requests.at(-1)?.messages.at(-1);
  expect(last?.role === "tool" && last.content).toContain("not like this");
});
