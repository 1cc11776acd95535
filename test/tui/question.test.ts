// ask_user on the screen: options by number, own words, no answer; control words and type-ahead answer nothing.
import { describe, expect, it } from "vitest";
import { askUserTool } from "../../src/tools/ask-user.ts";
import { call, testAgent } from "../helpers/agent.ts";
import { type AgentSession, keys, testSession } from "../helpers/session.ts";

const ask = {
  calls: [
    { name: "ask_user", arguments: { question: "Which parser?", options: ["the old one", "the new one"] } },
  ],
};

async function asked(columns?: number): Promise<AgentSession> {
  const t = await testSession({
    guided: false,
    ...(columns === undefined ? {} : { columns }),
    steps: [{ ...ask, text: "I need to know", chunk: 1, delayMs: 5 }, { text: "done" }],
  });
  t.enter("go");
  return t;
}
const waiting = (t: AgentSession): Promise<void> =>
  t.terminal.until(() => t.terminal.text().endsWith("waiting for your answer"), "the question");
const answer = (t: AgentSession): string => JSON.stringify(t.model.requests.at(-1)?.messages.at(-1));

describe("a question of the model's", () => {
  it.each([120, 80, 40])("is shown at %i columns and answered by a number", async (columns) => {
    const t = await asked(columns);
    await waiting(t);
    expect(t.terminal.text()).toMatch(/The model asks\s+Which parser\?\s+1\. the old one\s+2\. the new one/);
    t.enter("2");
    await t.taskEnd();
    expect(answer(t)).toContain("The user answers: the new one");
    expect(t.terminal.everything().join("\n")).toMatch(/2\. the new one[\s\S]*❯ the new one/);
  });

  it("takes the user's own words", async () => {
    const t = await asked();
    await waiting(t);
    t.enter("neither, write one");
    await t.taskEnd();
    expect(answer(t)).toContain("The user answers: neither, write one");
  });

  it.each(["CANCEL", "Esc"])("%s gives no answer, and the task goes on", async (how) => {
    const t = await asked();
    await waiting(t);
    if (how === "Esc") t.terminal.sendInput(keys.escape);
    else t.enter("CANCEL");
    await t.taskEnd();
    expect(answer(t)).toContain("The user gave no answer");
  });

  it("is not answered by control words, commands, or what was typed before it came", async () => {
    const t = await asked();
    await t.terminal.shows("I");
    t.terminal.type("1");
    await waiting(t);
    // The draft was set aside, so this Enter is on an empty line.
    t.terminal.sendInput(keys.enter);
    t.enter("APPLY");
    await t.terminal.shows("APPLY");
    t.enter("/status");
    await t.terminal.shows("waiting for your answer");
    t.enter("1");
    await t.taskEnd();
    expect(answer(t)).toContain("The user answers: the old one");
    expect(t.events.filter((e) => e.type === "decision")).toEqual([]);
    // The draft is back.
    await t.terminal.until(() => /\n1\n─/.test(t.terminal.text()), "the draft");
  });

  it("Ctrl+C cancels the task", async () => {
    const t = await asked();
    await waiting(t);
    t.terminal.sendInput(keys.ctrlC);
    await t.taskEnd();
    expect(t.events.at(-1)).toMatchObject({ type: "task-ended", outcome: { end: "cancelled" } });
  });
});

it("where nobody can be asked, the model is told to decide itself", async () => {
  const t = await testAgent({
    guided: false,
    steps: [call("ask_user", { question: "Which?" }), { text: "Done." }],
  });
  expect((await t.run("go")).end).toBe("answered");
  expect(t.results()[0]).toContain("Nobody can be asked here");
});

it("a question is bounded", () => {
  expect(askUserTool.input.safeParse({ question: "x".repeat(2001) }).success).toBe(false);
  expect(askUserTool.input.safeParse({ question: "x", options: Array(7).fill("a") }).success).toBe(false);
});
