// What keys, lines and commands do in the session: nothing typed is lost, nothing is sent that was not meant to be.
import { describe, expect, it } from "vitest";
import type { Message } from "../../src/protocol/message.ts";
import { type AgentSession, keys, testSession } from "../helpers/session.ts";

const slow = { text: "thinking about it", chunk: 1, delayMs: 20 };
const list = { calls: [{ name: "list_dir", arguments: {} }] };
const create = {
  calls: [{ name: "apply_patch", arguments: { reason: "r", changes: [{ path: "n.txt", content: "x\n" }] } }],
};

function sent(t: AgentSession): Message[] {
  return [...(t.model.requests.at(-1)?.messages ?? [])];
}

describe("the composer", () => {
  it("sends exactly what was pasted, tabs and control characters included", async () => {
    const t = await testSession({ steps: [{ text: "ok" }] });
    const pasted = `\tif (x) {\n\t\ty = "a\u0001b";\n}\n${"z".repeat(1_200)}`;
    t.terminal.paste(pasted);
    t.terminal.sendInput(keys.enter);
    await t.taskEnd();
    expect(sent(t).at(-1)).toEqual({ role: "user", text: pasted });
  });

  it("takes several lines, and gives the last message back with Up", async () => {
    const t = await testSession({ steps: [{ text: "ok" }] });
    t.terminal.type("one");
    t.terminal.sendInput(keys.ctrlJ);
    t.terminal.type("two");
    t.terminal.sendInput(keys.shiftEnter);
    t.enter("three");
    await t.taskEnd();
    expect(sent(t).at(-1)).toEqual({ role: "user", text: "one\ntwo\nthree" });
    t.terminal.sendInput(keys.up);
    await t.terminal.until(
      () => /one\ntwo\nthree/.test(t.terminal.text().split("ready")[0] ?? ""),
      "the history",
    );
  });

  it("sets a draft aside at a panel and brings it back", async () => {
    const t = await testSession({
      guided: false,
      steps: [{ ...create, text: "on it", chunk: 1, delayMs: 20 }, { text: "done" }],
    });
    t.enter("go");
    await t.terminal.shows("o");
    t.terminal.type("my next thought");
    await t.panel("APPLY");
    t.enter("APPLY");
    await t.taskEnd();
    await t.terminal.shows("my next thought");
    expect(t.read("n.txt")).toBe("x\n");
  });
});

describe("while a task runs", () => {
  it("Enter sends with the next result, Alt+Enter after the task", async () => {
    const t = await testSession({
      steps: [
        { ...slow, calls: [{ name: "list_dir", arguments: {} }] },
        { when: { lastRole: "tool", lastContains: "The user adds: and hurry" }, text: "hurrying" },
        { when: { lastRole: "user", lastContains: "then the next" }, text: "both done" },
      ],
    });
    t.enter("go");
    await t.terminal.shows("t");
    t.enter("and hurry");
    t.terminal.type("then the next");
    t.terminal.sendInput(keys.altEnter);
    await t.terminal.shows("waiting: ");
    await t.taskEnd();
    await t.taskEnd();
    await t.terminal.shows("both done");
  });

  it("Esc cancels: no answer, what was queued is back in the composer, and the next message works", async () => {
    const t = await testSession({ steps: [{ ...slow, text: "a long story ".repeat(50) }, { text: "fine" }] });
    t.enter("go");
    await t.terminal.shows("a long");
    t.enter("wait for me");
    t.terminal.sendInput(keys.escape);
    await t.taskEnd();
    expect(t.events.some((e) => e.type === "answer")).toBe(false);
    await t.terminal.shows("wait for me");
    t.terminal.sendInput(keys.enter);
    await t.taskEnd();
    await t.terminal.shows("fine");
  });

  it("Ctrl+C at a panel cancels the task and nothing is done", async () => {
    const t = await testSession({ guided: false, steps: [create] });
    t.enter("go");
    await t.panel("APPLY");
    t.terminal.sendInput(keys.ctrlC);
    await t.taskEnd();
    expect(() => t.read("n.txt")).toThrow();
    expect(t.events.at(-1)).toMatchObject({ type: "task-ended", outcome: { end: "cancelled" } });
  });
});

describe("lines that are not messages", () => {
  it.each(["APPLY", "apply", "Run", "CONTINUE", "cancel"])(
    "%s with nothing waiting is answered locally",
    async (word) => {
      const t = await testSession({ steps: [{ text: "no" }] });
      t.enter(word);
      await t.terminal.shows(`Nothing is waiting for ${word};`);
      expect(t.model.requests).toHaveLength(0);
    },
  );

  it("an unknown command names the nearest and runs nothing", async () => {
    const t = await testSession({ steps: [] as never[] });
    t.enter("/quti");
    await t.terminal.shows("Did you mean /quit?");
  });

  it.each([
    ["/permissions yolo", "The command is /permissions [MODE] (ask, auto-read or trusted"],
    ["/mode free", "The command is /mode [MODE] (read, propose, edit or guided"],
    ["/diff all", "The command is /diff (the patches of this session)."],
  ])("%s says what the command takes, and stays in the composer", async (line, answer) => {
    const t = await testSession({ steps: [] as never[] });
    t.enter(line);
    await t.terminal.shows(answer);
    await t.terminal.shows(`❯ ${line}`);
  });

  it("/mode alone says which one it is", async () => {
    const t = await testSession({ guided: false, mode: "read", steps: [] as never[] });
    t.enter("/mode");
    await t.terminal.shows("mode read: it can look, and change nothing. /mode read, propose, edit or guided");
  });

  it("/mode changes what may be done within the same conversation; /status and /diff say how it stands", async () => {
    const t = await testSession({
      guided: false,
      mode: "read",
      steps: [list, { text: "read only" }, create, { text: "made" }],
    });
    t.enter("look");
    await t.taskEnd();
    expect(t.model.requests[0]?.tools.map((tool) => tool.name)).not.toContain("apply_patch");
    t.enter("/mode edit");
    await t.terminal.shows("mode edit");
    t.enter("make it");
    await t.panel("APPLY");
    t.enter("APPLY");
    await t.taskEnd();
    expect(t.model.requests[2]?.messages.some((m) => m.role === "user" && m.text.startsWith("look"))).toBe(
      true,
    );
    t.enter("/status");
    await t.terminal.shows("workspace");
    t.enter("/diff");
    await t.terminal.shows("n.txt +1 -0");
  });

  it("/clear begins a new conversation", async () => {
    const t = await testSession({ steps: [{ text: "first" }, { text: "second" }] });
    t.enter("one");
    await t.taskEnd();
    t.enter("/clear");
    await t.terminal.until(() => !t.terminal.text().includes("first"), "a clean screen");
    t.enter("two");
    await t.taskEnd();
    expect(sent(t).filter((m) => m.role === "user")).toEqual([{ role: "user", text: "two" }]);
  });
});
