// One step's calls: order, overlap, neighbouring patches, what is skipped, what is answered when a call cannot run.
import { describe, expect, it } from "vitest";
import type { Window } from "../../src/agent/window.ts";
import { createScripted } from "../../src/model/scripted.ts";
import type { AgentEvent } from "../../src/protocol/event.ts";
import type { Message, ToolMessage } from "../../src/protocol/message.ts";
import type { ModelRequest } from "../../src/protocol/model.ts";
import type { RecordEntry } from "../../src/protocol/record.ts";
import { call, type TestAgent, testAgent } from "../helpers/agent.ts";
import { readTool, taskWith } from "./task-with.ts";

type Call = { name: string; arguments: string | Record<string, unknown> };
const read = (path: string): Call => ({ name: "read_file", arguments: { path } });
const edit = (path: string, old: string, now: string): Call => ({
  name: "apply_patch",
  arguments: { reason: `${old} to ${now}`, changes: [{ path, edits: [{ old, new: now }] }] },
});
const node = (code: string): Call => ({
  name: "run_command",
  arguments: { argv: ["node", "-e", code], reason: "r" },
});
const tools = (messages: readonly Message[]): ToolMessage[] => messages.filter((m) => m.role === "tool");
const outcomes = (t: { model: { requests: readonly ModelRequest[] } }): string[] =>
  tools(t.model.requests.at(-1)?.messages ?? []).map((m) => m.outcome);
const ended = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((e) => (e.type === "call-ended" ? [`${e.name} ${e.outcome}`] : []));
const results = (entries: readonly RecordEntry[]): ToolMessage[] =>
  entries.flatMap(({ body }) =>
    body.type === "message" && body.message.role === "tool" ? [body.message] : [],
  );

/** An agent without plans and with nothing to check, whose model sends these calls in its first reply. */
function agentWith(
  files: Record<string, string>,
  calls: Call[],
  answer: () => "approve" | "reject" = () => "approve",
): Promise<TestAgent> {
  return testAgent({ files, guided: false, steps: [{ calls }, { text: "done" }], answer });
}

describe("reads", () => {
  it("run side by side, and their results come in call order", async () => {
    const started: string[] = [];
    let open = (): void => {};
    const bothStarted = new Promise<void>((resolve) => {
      open = resolve;
    });
    let last = (): void => {};
    const lastEnded = new Promise<void>((resolve) => {
      last = resolve;
    });
    const wait = readTool("wait", async (name) => {
      started.push(name);
      if (started.length === 2) open();
      await bothStarted; // would never come if the second waited for the first
      if (name === "first") await lastEnded;
      else last();
      return name;
    });
    const calls = ["first", "last"].map((name) => ({ name: "wait", arguments: { name } }));
    const t = await taskWith({ model: createScripted([{ calls }, { text: "done" }]), tools: [wait] });
    expect(await t.run()).toMatchObject({ end: "answered" });
    expect(results(t.record.entries).map((m) => m.content)).toEqual(["first", "last"]);
  });

  it("after an effect of the same reply see what it did", async () => {
    const t = await agentWith({ "a.txt": "old\n" }, [
      read("a.txt"),
      edit("a.txt", "old", "new"),
      read("a.txt"),
    ]);
    await t.run("go");
    expect(outcomes(t)).toEqual(["ok", "ok", "ok"]);
    expect(t.results()[0]).toContain("1\told");
    expect(t.results()[2]).toContain("1\tnew");
  });

  it("that would answer the same again are skipped, and answered again when the file changed", async () => {
    const t = await testAgent({
      files: { "a.txt": "one\n" },
      guided: false,
      steps: [
        { calls: [read("a.txt")] },
        { calls: [read("a.txt")] },
        { calls: [edit("a.txt", "one", "two"), read("a.txt")] },
        { text: "done" },
      ],
    });
    await t.run("go");
    expect(outcomes(t)).toEqual(["ok", "skipped", "ok", "ok"]);
    expect(t.results()[1]).toContain("the same as your earlier read a.txt");
  });

  it("are answered again when the earlier result has left the window", async () => {
    const say = readTool("say", (name) => name);
    const calls = [{ name: "say", arguments: { name: "x" } }];
    const task = (window: Window) =>
      taskWith({
        model: createScripted([{ calls }, { calls }, { text: "done" }]),
        tools: [say],
        window,
      });
    const kept = await task((conversation) => conversation);
    const gone = await task((conversation) => conversation.slice(0, 1));
    await kept.run();
    await gone.run();
    expect(results(kept.record.entries).map((m) => m.outcome)).toEqual(["ok", "skipped"]);
    expect(results(gone.record.entries).map((m) => m.outcome)).toEqual(["ok", "ok"]);
  });

  it("are answered again when what the model got was clipped", async () => {
    const long = readTool("long", (name) => `${name}\n`.repeat(30_000));
    const one = (name: string): Call => ({ name: "long", arguments: { name } });
    const steps = [{ calls: ["a", "b", "c"].map(one) }, { calls: [one("a")] }, { text: "done" }];
    const t = await taskWith({ model: createScripted(steps), tools: [long] });
    await t.run();
    const [first, , , again] = results(t.record.entries);
    expect(first?.content).toContain("left out here");
    expect(again?.outcome).toBe("ok");
    expect(again?.content.length).toBeGreaterThan(first?.content.length ?? 0);
  });
});

describe("neighbouring patches", () => {
  it("are one proposal, each prepared on the one before, each with its own result", async () => {
    const t = await agentWith({ "a.txt": "one\n", "b.txt": "x\n" }, [
      read("a.txt"),
      read("b.txt"),
      edit("a.txt", "one", "two"),
      edit("b.txt", "x", "y"),
      edit("a.txt", "two", "three"),
    ]);
    await t.run("go");
    expect(t.read("a.txt") + t.read("b.txt")).toBe("three\ny\n");
    const patches = t.proposals("patch").map((p) => p.content);
    expect(patches).toMatchObject([
      { reason: "one to two; x to y; two to three", files: [{ path: "a.txt" }, { path: "b.txt" }] },
    ]);
    expect(outcomes(t)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    expect(t.results()[2]).toContain("+three");
    expect(t.results()[4]).toContain("as one patch with the call before");
  });

  it("are all or nothing: when one does not fit, none is shown", async () => {
    const t = await agentWith({ "a.txt": "one\n", "b.txt": "x\n" }, [
      read("a.txt"),
      read("b.txt"),
      edit("a.txt", "one", "two"),
      edit("b.txt", "absent", "y"),
    ]);
    await t.run("go");
    expect(t.proposals()).toEqual([]);
    expect(outcomes(t)).toEqual(["ok", "ok", "skipped", "error"]);
    expect(t.results()[2]).toContain("Send them again together");
  });

  it("are all or nothing when the arguments of one cannot be read, too", async () => {
    const t = await agentWith({ "a.txt": "one\n" }, [
      read("a.txt"),
      { name: "apply_patch", arguments: '{"reason": ' },
      edit("a.txt", "one", "two"),
      node("require('fs').writeFileSync('ran', '')"),
    ]);
    await t.run("go");
    expect(t.proposals()).toEqual([]);
    expect(outcomes(t)).toEqual(["ok", "invalid", "skipped", "skipped"]);
    expect(t.read("a.txt")).toBe("one\n");
  });
});

describe("after an effect that was not carried out", () => {
  it.each([
    ["rejected", edit("a.txt", "one", "two")],
    ["invalid", { name: "run_command", arguments: { argv: [] } }],
    ["error", node("process.exit(3)")],
    ["error", edit("a.txt", "absent", "two")],
  ])("(%s) further effects of the reply are skipped and reads still run", async (outcome, first) => {
    const t = await agentWith(
      { "a.txt": "one\n" },
      [
        read("a.txt"),
        first,
        node("require('fs').writeFileSync('ran', '')"),
        { name: "list_dir", arguments: {} },
      ],
      () => (outcome === "rejected" ? "reject" : "approve"),
    );
    await t.run("go");
    expect(outcomes(t)).toEqual(["ok", outcome, "skipped", "ok"]);
    expect(t.results()[2]).toContain(`an earlier call of this reply was ${outcome}`);
    expect(t.results()[3]).not.toContain("ran");
  });
});

describe("calls that cannot run", () => {
  it("an unknown tool is answered with the list", async () => {
    const t = await agentWith({}, [
      { name: "read_flie", arguments: {} },
      { name: "list_dir", arguments: {} },
    ]);
    await t.run("go");
    expect(outcomes(t)).toEqual(["unknown", "ok"]);
    expect(t.results()[0]).toMatch(
      /no tool "read_flie".*list_dir, read_file, .*run_command, run_shell, read_output, git, web_fetch, ask_user\./,
    );
  });

  it("arguments that do not fit say what to put right", async () => {
    const t = await agentWith({ "a.txt": "" }, [
      { name: "read_file", arguments: { paht: "a.txt" } },
      { name: "read_file", arguments: "not json" },
      { name: "read_file", arguments: { path: "../../etc/passwd" } },
    ]);
    await t.run("go");
    expect(outcomes(t)).toEqual(["invalid", "invalid", "blocked"]);
    expect(t.results()[0]).toContain('did you mean "path"?');
  });

  it.each(["read", "patch", "command"] as const)(
    "a %s tool that throws costs its call, not the task",
    async (effect) => {
      const broken = {
        ...readTool("broken", () => ""),
        effect,
        prepare: async () => {
          throw new Error("boom");
        },
      };
      const step = { calls: [{ name: "broken", arguments: { name: "x" } }, read("a.txt")] };
      const t = await taskWith({
        files: { "a.txt": "one\n" },
        model: createScripted([step, { when: { lastContains: "one" }, text: "done" }]),
        tools: [broken],
      });
      expect(await t.run()).toEqual({ end: "answered", work: { state: "none" } });
      expect(results(t.record.entries)[0]).toMatchObject({
        outcome: "error",
        content: "broken failed: boom",
      });
    },
  );
});

it("five identical calls in a row end the task, and the fifth is not run", async () => {
  const steps = Array.from({ length: 6 }, () => call("run_command", { argv: ["node", "-v"], reason: "r" }));
  const t = await testAgent({ guided: false, steps });
  expect(await t.run("go")).toEqual({
    end: "budget",
    work: { state: "none" },
    detail: "the model repeated the same calls (run_command)",
  });
  expect(t.proposals("command")).toHaveLength(4);
  expect(ended(t.events).at(-1)).toBe("run_command skipped");
});

it("every call is announced before it ends, in call order, whatever becomes of it", async () => {
  const t = await agentWith({ "a.txt": "one\n" }, [
    { name: "nothing", arguments: {} },
    { name: "read_file", arguments: {} },
    read("a.txt"),
    node("process.exit(1)"),
    node("process.exit(2)"),
  ]);
  await t.run("go");
  const ids = (type: "call-started" | "call-ended") =>
    t.events.flatMap((e) => (e.type !== type ? [] : e.type === "call-started" ? [e.call.id] : [e.callId]));
  expect(ids("call-started")).toHaveLength(5);
  expect(ids("call-ended")).toEqual(ids("call-started"));
  expect(ended(t.events)).toEqual([
    ...["nothing unknown", "read_file invalid", "read_file ok", "run_command error", "run_command skipped"],
  ]);
});
