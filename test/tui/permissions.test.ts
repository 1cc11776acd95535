// Permissions as the user meets them: the mode in the footer, Shift+Tab, /permissions, RUN always, RUN with an id.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Step } from "../../src/model/scripted.ts";
import type { Choice } from "../../src/tui/choice.ts";
import { keys, testSession } from "../helpers/session.ts";

const shiftTab = "\x1b[Z";
const command = (...argv: string[]): Step => ({
  calls: [{ name: "run_command", arguments: { argv, reason: "r" } }],
});
const create: Step = {
  calls: [{ name: "apply_patch", arguments: { reason: "r", changes: [{ path: "n.txt", content: "x\n" }] } }],
};

it("the mode is in the footer; Shift+Tab goes round and /permissions sets it", async () => {
  const t = await testSession({ guided: false, steps: [create, { text: "done" }] });
  await t.terminal.shows("auto-read");
  t.terminal.sendInput(shiftTab);
  await t.terminal.shows("Permissions: trusted.");
  t.terminal.sendInput(shiftTab);
  await t.terminal.shows("Permissions: ask.");
  t.enter("/permissions trusted");
  await t.terminal.until(() => /trusted · ready/.test(t.terminal.text()), "the footer");
  t.enter("go");
  await t.taskEnd();
  expect(t.read("n.txt")).toBe("x\n");
  expect(t.terminal.text()).toContain("by mode:trusted");
  t.enter("/permissions sometimes");
  await t.terminal.shows("/permissions sometimes");
});

it("a choice outlives a change of the mode of work", async () => {
  const t = await testSession({ guided: false, steps: [] });
  t.enter("/permissions ask");
  await t.terminal.until(() => /ask · ready/.test(t.terminal.text()), "the footer");
  t.enter("/mode read");
  await t.terminal.shows("mode read");
  await t.terminal.until(() => /ask · ready/.test(t.terminal.text()), "the footer again");
});

it("a choice outlives /clear: a new conversation loosens nothing", async () => {
  const opened: Choice[] = [];
  const t = await testSession({ guided: false, steps: [], onOpen: (choice) => opened.push(choice) });
  t.enter("/permissions ask");
  await t.terminal.until(() => /ask · ready/.test(t.terminal.text()), "the footer");
  t.enter("/clear");
  await t.terminal.until(() => opened.length === 2, "a new agent");
  expect(opened[1]).toMatchObject({ permissions: "ask" });
  expect(opened[1]).not.toHaveProperty("session");
});

it("RUN always outlives a change of the mode, not the conversation", async () => {
  const node = command("node", "job.mjs");
  const done: Step = { text: "done" };
  const t = await testSession({
    guided: false,
    files: { "job.mjs": "" },
    steps: [node, done, node, done, node, done],
  });
  t.enter("go");
  await t.panel("RUN");
  t.enter("RUN always");
  await t.taskEnd();
  t.enter("/mode propose");
  await t.terminal.shows("mode propose:");
  t.enter("/mode edit");
  const isLast = (mode: string, other: string): boolean =>
    t.terminal.text().lastIndexOf(mode) > t.terminal.text().lastIndexOf(other);
  await t.terminal.until(() => isLast("mode edit:", "mode propose:"), "the mode again");
  t.enter("again");
  await t.taskEnd();
  expect(t.terminal.text()).toMatch(/by rule:always-\d+/);
  t.enter("/clear");
  await t.terminal.until(() => isLast("mode edit:", "always-"), "a new conversation");
  t.enter("once more");
  await t.panel("RUN");
});

it("guided work has no choice to make", async () => {
  const t = await testSession({ guided: true, steps: [] });
  t.terminal.sendInput(shiftTab);
  await t.terminal.shows("Guided work asks for everything");
  expect(t.terminal.text()).not.toContain("auto-read");
});

it("RUN always asks once, and the panel says what it would pass", async () => {
  const t = await testSession({
    guided: false,
    files: { "job.mjs": "" },
    steps: [command("node", "job.mjs"), command("node", "job.mjs"), { text: "done" }],
  });
  t.enter("go");
  await t.panel("RUN");
  await t.terminal.shows("passes this very command until a file it depends on, as listed,");
  t.enter("RUN always");
  await t.taskEnd();
  expect(t.terminal.text()).toMatch(/RUN always command #\d+ [0-9a-f]{8} by user/);
  expect(t.terminal.text()).toMatch(/RUN command #\d+ [0-9a-f]{8} by rule:always-\d+/);
});

it("what destroys wants its own id, typed: RUN alone does nothing, and Tab fills in nothing", async () => {
  const t = await testSession({
    guided: false,
    files: { "a.txt": "precious\n" },
    steps: [command("rm", "a.txt"), { text: "done" }],
  });
  t.enter("go");
  await t.terminal.until(() => /waiting for RUN [0-9a-f]{8}$/.test(t.terminal.text()), "the panel");
  const id = /#\d+ ([0-9a-f]{8})/.exec(t.terminal.text())?.[1] ?? "";
  await t.terminal.shows(`Type RUN ${id}`);
  t.terminal.sendInput(keys.tab);
  await t.terminal.shows(`type RUN ${id} yourself`);
  t.enter("RUN");
  await t.terminal.shows(`this waits for RUN ${id}`);
  expect(existsSync(join(t.root, "a.txt"))).toBe(true);
  t.terminal.sendInput(keys.escape);
  t.enter("RUN always");
  await t.terminal.shows(`this waits for RUN ${id}`);
  t.terminal.sendInput(keys.escape);
  t.enter(`RUN ${id}`);
  await t.taskEnd();
  expect(existsSync(join(t.root, "a.txt"))).toBe(false);
});

it("what passes by itself is told in two lines; its panel is in the inspector", async () => {
  const t = await testSession({
    guided: false,
    files: { "a.txt": "x\n" },
    steps: [
      { calls: [{ name: "run_shell", arguments: { command: "ls && cat a.txt", reason: "r" } }] },
      { text: "done" },
    ],
  });
  t.enter("go");
  await t.taskEnd();
  expect(t.terminal.text()).toMatch(
    /RUN command #\d+ [0-9a-f]{8} by mode:auto-read\nls && cat a.txt {2}exit code 0/,
  );
  expect(t.terminal.text()).not.toContain("environment:");
  t.terminal.sendInput(keys.ctrlO);
  t.terminal.sendInput(keys.enter);
  await t.terminal.shows("read-only: ");
});
