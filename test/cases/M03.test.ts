import { expect, it } from "vitest";
import type { Step } from "../../src/model/scripted.ts";
import { goesOn, openCase } from "./support.ts";

const files = { a: "1\n2\n3\n4\n5\n6\n", b: "x\n" };

/** Answers every request of the task with the n-th of `calls` in turn, for ever. */
async function loop(calls: readonly { name: string; arguments: string | Record<string, unknown> }[]) {
  let n = 0;
  const again: Step = () => {
    const next = calls[n++ % calls.length];
    return { when: { lastUserContains: "Go round." }, repeat: true, calls: next ? [next] : [] };
  };
  const t = await openCase({ files, steps: [again] });
  const outcome = await t.run("Go round.");
  const ended = t.events.flatMap((event) => (event.type === "call-ended" ? [event.outcome] : []));
  return { t, outcome, ended };
}

it.each([
  ["(a) the same read", [{ name: "read_file", arguments: '{"path":"a","end":5}' }]],
  [
    "(b) the same read with its keys in turns",
    [
      { name: "read_file", arguments: '{"path":"a","end":5}' },
      { name: "read_file", arguments: '{"end":5,"path":"a"}' },
    ],
  ],
  ["(c) the same search, which succeeds", [{ name: "search_text", arguments: { pattern: "x" } }]],
])("M03: %s for ever ends the task at the fifth", async (_, calls) => {
  const { t, outcome, ended } = await loop(calls);
  expect(outcome).toEqual({
    end: "budget",
    work: { state: "none" },
    detail: `the model repeated the same calls (${calls[0]?.name})`,
  });
  expect(ended).toEqual(["ok", "skipped", "skipped", "skipped", "skipped"]);
  expect(t.events.at(-1)).toMatchObject({ type: "task-ended", receipt: { outcome } });
  await goesOn(t);
});

it("M03: (d) two calls in turns end the task after five rounds", async () => {
  const { t, outcome, ended } = await loop(
    ["a", "b"].map((path) => ({ name: "read_file", arguments: { path } })),
  );
  expect(outcome).toMatchObject({ end: "budget", detail: "the model repeated the same calls (read_file)" });
  expect(ended).toHaveLength(10);
  await goesOn(t);
});

it("M03: a loop that no repeat guard sees ends with the steps, and the user sees why", async () => {
  let n = 0;
  const t = await openCase({
    files,
    maxSteps: 6,
    steps: [
      () => ({
        when: { lastUserContains: "Go round." },
        repeat: true,
        calls: [{ name: "search_text", arguments: { pattern: `x${n++}` } }],
      }),
    ],
  });
  const outcome = await t.run("Go round.");
  expect(outcome).toEqual({ end: "budget", work: { state: "none" }, detail: "all 6 steps are used up" });
  await goesOn(t);
});
