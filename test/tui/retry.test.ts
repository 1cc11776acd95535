// A wait for the next request on the screen: what is waited for and why, each second less, and Esc ends it.
import { expect, it } from "vitest";
import { keys, testSession } from "../helpers/session.ts";

const message = "DeepSeek answered 429: you asked for too much in too short a time\u001b[2J";
const limited = (retryAfterMs: number) => ({ error: { kind: "rate_limit", message, retryAfterMs } }) as const;

it("counts down, and then the model thinks again", async () => {
  const t = await testSession({
    columns: 120,
    steps: [limited(1_500), { text: "done", chunk: 1, delayMs: 50 }],
  });
  t.enter("go");
  const why = "DeepSeek answered 429: you asked for too much in too short a time";
  await t.terminal.shows(`· retrying in 2 s (2 of 4): ${why}`);
  expect(t.terminal.text()).toContain(" · Esc stops");
  await t.terminal.shows("· retrying in 1 s (2 of 4)");
  await t.terminal.shows("thinking 0 s");
  await t.taskEnd();
  expect(t.terminal.everything().join("\n")).not.toContain("retrying");
});

it.each([
  [80, 24],
  [40, 20],
])("at %i columns the reason stands below, whole", async (columns, rows) => {
  const t = await testSession({ columns, rows, steps: [limited(60_000)] });
  t.enter("go");
  await t.terminal.shows("· retrying in 60 s (2 of 4) · Esc stops");
  const shown = t.terminal.text().replace(/\s*\n\s*(… )?/g, " ");
  expect(shown).toContain("Esc stops DeepSeek answered 429: you asked for too much in too short a time");
});

it("Esc ends the wait, and no request follows", async () => {
  const t = await testSession({ steps: [limited(60_000), { text: "too late" }] });
  t.enter("go");
  await t.terminal.shows("retrying in 60 s");
  t.terminal.sendInput(keys.escape);
  await t.taskEnd();
  expect(t.events.at(-1)).toMatchObject({ type: "task-ended", outcome: { end: "cancelled" } });
  expect(t.model.requests).toHaveLength(1);
});
