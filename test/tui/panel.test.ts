// What the session does with keys and text around a panel, on scenes that stop exactly where it matters.
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { keys, type Session, testSession } from "../helpers/session.ts";
import { patch } from "../view/helpers.ts";
import { scene } from "./scene.ts";

/** The composer's text: the rows between its two rules. */
function composer({ terminal }: Session): string {
  return terminal.text().split(/^─+$/m).at(-2)?.trim() ?? "";
}

const verdicts = ({ events }: Session): string[] =>
  events.flatMap((event) => (event.type === "decision" ? [event.decision.verdict] : []));

describe("keys from before the panel's first frame", () => {
  it("a whole word and Enter are answered locally", async () => {
    let typeAhead = (): void => {};
    const t = await scene({}, async ({ ask }) => {
      const asked = ask(patch());
      typeAhead();
      await asked;
      return {};
    });
    typeAhead = () => t.enter("APPLY");
    t.enter("go");
    await t.panel("APPLY");
    await t.terminal.shows("Nothing is waiting for APPLY");
    expect(verdicts(t)).toEqual([]);
  });

  it("half a word belongs to the draft, and the other half is not the word", async () => {
    let typeAhead = (): void => {};
    const t = await scene({}, async ({ ask }) => {
      const asked = ask(patch());
      typeAhead();
      await asked;
      return {};
    });
    typeAhead = () => t.terminal.type("APP");
    t.enter("go");
    await t.terminal.until(
      () => t.terminal.text().includes("waiting for APPLY") && composer(t) === "",
      "the panel",
    );
    t.enter("LY");
    await t.terminal.shows("Not sent");
    expect(verdicts(t)).toEqual([]);
    t.terminal.sendInput(keys.escape);
    await t.terminal.until(
      () => composer(t) === "" && !t.terminal.text().includes("Not sent"),
      "an empty line",
    );
    t.enter("APPLY");
    await t.taskEnd();
    expect(verdicts(t)).toEqual(["approve"]);
    expect(composer(t)).toBe("APP");
  });

  it("a panel behind the inspector was not on the screen", async () => {
    let open = (): void => {};
    const t = await scene({}, async ({ ask }) => {
      open();
      await ask(patch());
      return {};
    });
    open = () => t.terminal.sendInput(keys.ctrlO);
    t.enter("go");
    await t.terminal.shows("waiting for APPLY");
    expect(t.terminal.text()).not.toContain("Patch #1");
    t.enter("APPLY");
    t.terminal.sendInput(keys.escape);
    await t.terminal.shows("Patch #1");
    expect(verdicts(t)).toEqual([]);
  });
});

it("a cancel keeps what was typed at the panel and before it", async () => {
  const t = await scene({}, async ({ ask, emit, signal }) => {
    emit({ type: "text", text: "hm" });
    await new Promise((resolve) => setTimeout(resolve, 0));
    while (!signal.aborted && composer(t) !== "a draft")
      await new Promise((resolve) => setTimeout(resolve, 1));
    await ask(patch());
    return { outcome: { end: "cancelled", work: { state: "none" } } };
  });
  t.enter("go");
  await t.terminal.shows("hm");
  t.terminal.type("a draft");
  await t.panel("APPLY");
  await t.terminal.until(() => composer(t) === "", "the draft set aside");
  t.terminal.type("CANCEL it is wrong");
  await t.terminal.shows("CANCEL it is wrong");
  t.terminal.sendInput(keys.ctrlC);
  await t.taskEnd();
  expect(composer(t)).toBe("a draft\nCANCEL it is wrong");
});

it("Tab never replaces what was typed", async () => {
  const t = await scene({}, async ({ ask }) => {
    await ask(patch());
    return {};
  });
  t.enter("go");
  await t.panel("APPLY");
  t.terminal.type("CANCEL no");
  t.terminal.sendInput(keys.tab);
  t.terminal.sendInput(keys.enter);
  await t.taskEnd();
  expect(verdicts(t)).toEqual(["reject"]);
});

it("no timer is left at rest, nor while a panel waits; a running task has one", async () => {
  /** Asked outside of any timer's own callback, which counts while it runs. */
  const timers = async (): Promise<boolean> => {
    await setImmediate();
    return process.getActiveResourcesInfo().includes("Timeout");
  };
  const t = await scene({}, async ({ ask, emit, signal }) => {
    await ask(patch());
    emit({ type: "text", text: "on it" });
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { outcome: { end: "cancelled", work: { state: "none" } } };
  });
  const still = async (): Promise<void> => {
    for (const end = performance.now() + 10_000; await timers(); )
      if (performance.now() > end) throw new Error("a timer stays");
  };
  await still();
  t.enter("go");
  await t.panel("APPLY");
  await still();
  t.enter("APPLY");
  await t.terminal.shows("on it");
  expect(await timers()).toBe(true);
  t.terminal.sendInput(keys.escape);
  await t.taskEnd();
  await still();
});

describe("the way out", () => {
  it("a signal cancels the task, ends it in order and then the session", async () => {
    const end = new AbortController();
    const t = await testSession({ ended: end.signal, steps: [{ text: "slow", delayMs: 60_000 }] });
    t.enter("go");
    await t.terminal.shows("working");
    end.abort();
    await t.done;
    expect(t.events.at(-1)).toMatchObject({ type: "task-ended", outcome: { end: "cancelled" } });
    expect(t.terminal.started).toBe(false);
  });

  it("/quit while a task runs does the same", async () => {
    const t = await testSession({ steps: [{ text: "slow", delayMs: 60_000 }] });
    t.enter("go");
    await t.terminal.shows("working");
    t.enter("/quit");
    await t.done;
    expect(t.events.at(-1)).toMatchObject({ type: "task-ended", outcome: { end: "cancelled" } });
  });

  it("Ctrl+D quits only when nothing is typed and nothing runs", async () => {
    const t = await testSession({ steps: [] });
    t.terminal.type("ab");
    t.terminal.sendInput(keys.ctrlD);
    await t.terminal.until(() => composer(t) === "ab", "the text");
    expect(t.terminal.started).toBe(true);
    t.terminal.sendInput(keys.backspace);
    t.terminal.sendInput(keys.backspace);
    t.terminal.sendInput(keys.ctrlD);
    await t.done;
  });

  it("what cannot be opened is thrown before anything is written", async () => {
    const opening = testSession({
      steps: [],
      onOpen: () => {
        throw new Error("no key");
      },
    });
    await expect(opening).rejects.toThrow("no key");
  });
});

it("/model with a profile that cannot be opened says why and keeps the conversation", async () => {
  const t = await testSession({
    steps: [{ text: "one" }, { text: "two" }],
    onOpen: ({ profile }) => {
      if (profile !== "scripted") throw new Error(`there is no profile "${profile}"`);
    },
  });
  t.enter("first");
  await t.taskEnd();
  t.enter("/model nope");
  await t.terminal.shows('there is no profile "nope"');
  t.enter("second");
  await t.taskEnd();
  const users = t.model.requests.at(-1)?.messages.flatMap((m) => (m.role === "user" ? [m.text] : []));
  expect(users).toEqual(["first", "second"]);
});

it("a message may begin with a slash after a blank; an unknown command stays in the composer", async () => {
  const t = await testSession({ steps: [{ text: "ok" }] });
  t.enter("/usr/bin/env is missing");
  await t.terminal.shows("Unknown command");
  expect(composer(t)).toBe("/usr/bin/env is missing");
  t.terminal.sendInput("\x01");
  t.terminal.type(" ");
  t.terminal.sendInput(keys.enter);
  await t.taskEnd();
  expect(t.model.requests.at(-1)?.messages.at(-1)).toEqual({
    role: "user",
    text: " /usr/bin/env is missing",
  });
});
