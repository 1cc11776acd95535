// The loop through the whole agent: what is said to the model and when, how a task ends, what is on record before what happens.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bridged, wellFormed } from "../../src/model/conversation.ts";
import { toOpenAiMessages } from "../../src/model/openai-messages.ts";
import { createScripted, type Step } from "../../src/model/scripted.ts";
import type { AgentEvent } from "../../src/protocol/event.ts";
import type { AssistantMessage, Message } from "../../src/protocol/message.ts";
import type { ChatModel } from "../../src/protocol/model.ts";
import type { Proposal } from "../../src/protocol/proposal.ts";
import { readRecord } from "../../src/record/read.ts";
import { debt } from "../../src/record/restore.ts";
import type { Tool } from "../../src/tools/contract.ts";
import { call, type TestAgent, testAgent } from "../helpers/agent.ts";
import { readTool, taskWith } from "./task-with.ts";

const done: Step = { text: "done" };
const create = (path: string, content = "x\n"): Step =>
  call("apply_patch", { reason: "r", changes: [{ path, content }] });
const edit = (path: string, old: string, now: string): Step =>
  call("apply_patch", { reason: "r", changes: [{ path, edits: [{ old, new: now }] }] });
const read = (path: string): Step => call("read_file", { path });
/** The required check: passes, and leaves no trace. */
const passing = { checks: { required: [["node", "-e", "process.exit(0)"]] } };
const types = (events: readonly AgentEvent[]): string[] => events.map((e) => e.type);
const lastMessage = (t: TestAgent): Message | undefined => t.model.requests.at(-1)?.messages.at(-1);
const textOf = (message: Message | undefined): string =>
  message === undefined ? "" : message.role === "tool" ? message.content : message.text;
const recordFile = (t: TestAgent): string => join(t.data, "sessions", t.agent.session, "record.jsonl");

async function bodies(t: TestAgent) {
  const { entries } = await readRecord(join(t.data, "sessions", t.agent.session));
  return entries.map((entry) => entry.body);
}

describe("what the user types meanwhile", () => {
  it("comes with the last result of the step, under the marker", async () => {
    const t: TestAgent = await testAgent({
      files: { "a.txt": "one\n", "b.txt": "two\n" },
      steps: [
        () => {
          t.agent.inbox.push("use b");
          t.agent.inbox.push("please");
          const calls = ["a.txt", "b.txt"].map((path) => ({ name: "read_file", arguments: { path } }));
          return { calls };
        },
        done,
      ],
    });
    await t.run("go");
    const [first, last] = t.results();
    expect(first).not.toContain("[MiniCode]");
    expect(last).toMatch(/\ttwo\n\n\[MiniCode\] The user adds: use b\n\n\[MiniCode\] The user adds: please$/);
    expect(t.agent.inbox.waiting()).toEqual([]);
  });

  it("comes with what the check said when the task goes on", async () => {
    const t: TestAgent = await testAgent({
      guided: false,
      settings: { checks: { required: [["node", "-e", "process.exit(1)"]] } },
      steps: [
        create("a.txt"),
        () => {
          t.agent.inbox.push("hurry");
          return { text: "first" };
        },
        done,
        done,
      ],
    });
    await t.run("go");
    const words = t.model.requests[2]?.messages.at(-1);
    expect(words?.role).toBe("user");
    expect(textOf(words)).toMatch(/^\[MiniCode\] The check .*\[MiniCode\] The user adds: hurry$/s);
  });

  it("is kept when the task is cancelled, and when no step is left to read it", async () => {
    const cancel = new AbortController();
    const cancelled: TestAgent = await testAgent({
      files: { "a.txt": "x\n" },
      steps: [
        () => {
          cancelled.agent.inbox.push("later");
          return { calls: [{ name: "run_command", arguments: { argv: ["true"], reason: "r" } }] };
        },
      ],
      answer: () => {
        cancel.abort();
        return new Promise(() => {});
      },
    });
    expect(await cancelled.run("go", cancel.signal)).toMatchObject({ end: "cancelled" });
    expect(cancelled.agent.inbox.drain()).toEqual(["later"]);

    const spent: TestAgent = await testAgent({
      maxSteps: 1,
      steps: [
        () => {
          spent.agent.inbox.push("later");
          return { calls: [{ name: "list_dir", arguments: {} }] };
        },
      ],
    });
    expect(await spent.run("go")).toMatchObject({ end: "budget" });
    expect(spent.agent.inbox.drain()).toEqual(["later"]);
  });
});

describe("the last step is announced", () => {
  it.each([
    ["with the results of the one before", 2, [call("list_dir", {}), done]],
    ["with the task when it is the only one", 1, [done]],
    ["behind what the check said", 3, [create("a.txt"), done, done]],
  ] satisfies [string, number, Step[]][])("%s", async (_name, maxSteps, steps) => {
    const settings = { checks: { required: [["node", "-e", "process.exit(1)"]] } };
    const t = await testAgent({ guided: false, maxSteps, steps, settings });
    await t.run("go");
    const told = t.model.requests.map(({ messages }) => textOf(messages.at(-1)).includes("One step is left"));
    expect(told).toEqual([...Array(maxSteps - 1).fill(false), true]);
  });
});

describe("replies that cannot be used", () => {
  it.each([
    ["length", "output limit"],
    ["filtered", "content filter"],
  ] as const)("calls of one that stopped for %s are never run, and each is answered", async (stop, why) => {
    const calls = [
      { name: "apply_patch", arguments: '{"reason":"r","changes":[{"path":"a.txt","content":"x"}]}' },
      { name: "list_dir", arguments: "{}" },
    ];
    const t = await testAgent({ guided: false, steps: [{ calls, stop }, done] });
    expect(await t.run("go")).toEqual({ end: "answered", work: { state: "none" } });
    expect(t.proposals()).toEqual([]);
    expect(t.results()).toEqual([expect.stringContaining(why), expect.stringContaining(why)]);
    const ends = t.events.flatMap((e) => (e.type === "call-ended" ? [e.outcome] : []));
    expect(ends).toEqual(["invalid", "invalid"]);
  });

  it("an answer that was cut off is shown, and the user is told", async () => {
    const t = await testAgent({ steps: [{ text: "half an ans", stop: "length" }] });
    expect(await t.run("go")).toMatchObject({ end: "answered" });
    expect(types(t.events)).toEqual([
      ...["task-started", "step-started", "text", "usage", "note", "answer", "task-ended"],
    ]);
  });

  it("an empty one is asked again once; the second in a row ends the task as retryable", async () => {
    const once = await testAgent({ steps: [{}, done] });
    expect(await once.run("go")).toEqual({ end: "answered", work: { state: "none" } });
    expect(textOf(lastMessage(once))).toContain("Your reply was empty");
    const apart = await testAgent({ steps: [{}, call("list_dir", {}), { text: " \n" }, done] });
    expect(await apart.run("go")).toMatchObject({ end: "answered" });
    expect(apart.events).toContainEqual({ type: "draft-retracted", text: " \n", reason: "failed" });
    const twice = await testAgent({ steps: [{}, {}, done] });
    expect(await twice.run("go")).toMatchObject({ end: "model_failed", retryable: true });
  });

  it("a model that throws something else is our fault, and still takes its draft back", async () => {
    const model: ChatModel = {
      name: "broken",
      async *stream() {
        yield { type: "text", text: "half" };
        throw new TypeError("no such thing");
      },
    };
    const t = await taskWith({ model });
    expect(await t.run()).toEqual({
      end: "internal_error",
      work: { state: "none" },
      detail: "no such thing",
    });
    expect(types(t.events).slice(-2)).toEqual(["draft-retracted", "task-ended"]);
  });
});

describe("time", () => {
  it("that is used up with changed files still has the check offered, on the user's signal", async () => {
    const t = await testAgent({
      guided: false,
      timeoutMs: 2_000,
      settings: passing,
      steps: [create("a.txt"), { text: "slow", delayMs: 600_000 }],
    });
    expect(await t.run("go")).toEqual({
      end: "budget",
      work: { state: "verified" },
      detail: "the time for this task is used up",
    });
  });

  it("that is used up just before a gate asks nobody and is no cancel", async () => {
    const lists = { steps: [], files: [], added: [], dropped: [] };
    const slow: Tool = {
      ...readTool("slow", () => ""),
      effect: "plan",
      prepare: async (_input, { signal }) => {
        await aborted(signal);
        return { kind: "effect", content: { kind: "plan", summary: "s", origin: "call", ...lists } };
      },
    };
    const model = createScripted([call("slow", { name: "x" })]);
    const t = await taskWith({ model, tools: [slow], timeoutMs: 100 });
    expect(await t.run()).toMatchObject({ end: "budget", detail: "the time for this task is used up" });
    expect(types(t.events)).not.toContain("proposal");
    expect(t.events).toContainEqual(expect.objectContaining({ type: "call-ended", outcome: "skipped" }));
  });

  it("that runs out while the check of an answer runs costs neither check nor answer", async () => {
    let limit = new AbortController().signal;
    const scripted = createScripted([create("a.txt"), done]);
    const model: ChatModel = {
      name: "scripted",
      stream: (request, signal) => {
        limit = signal;
        return scripted.stream(request, signal);
      },
    };
    const t = await taskWith({
      model,
      timeoutMs: 2_000,
      check: ["node", "-e", "process.exit(0)"],
      world: (real) => ({
        ...real,
        runCommand: async (...args) => {
          await aborted(limit);
          return real.runCommand(...args);
        },
      }),
    });
    expect(await t.run()).toEqual({ end: "answered", work: { state: "verified" } });
    expect(types(t.events)).toContain("answer");
  });
});

describe("the user's cancel", () => {
  it("ends a running command and what the step still holds", async () => {
    const cancel = new AbortController();
    const forever = "console.log('up'); setInterval(() => {}, 1000)";
    const calls = [
      { name: "run_command", arguments: { argv: ["node", "-e", forever], reason: "r" } },
      { name: "list_dir", arguments: {} },
    ];
    const t = await taskWith({
      model: createScripted([{ calls }]),
      onEvent: (event) => {
        if (event.type === "output" && event.text.includes("up")) cancel.abort();
      },
    });
    expect(await t.run("go", cancel.signal)).toEqual({ end: "cancelled", work: { state: "none" } });
    const results = t.record.entries.flatMap(({ body }) =>
      body.type === "message" && body.message.role === "tool" ? [body.message] : [],
    );
    expect(results).toMatchObject([
      { outcome: "cancelled", content: expect.stringContaining("cancelled after") },
      { outcome: "cancelled", content: "Not run: the user cancelled the task." },
    ]);
    const ran = t.record.entries.flatMap(({ body }) => (body.type === "effect_ended" ? [body.outcome] : []));
    expect(ran).toEqual(["cancelled"]);
  });

  it("in the middle of an answer takes the draft back; what still comes is ignored", async () => {
    const cancel = new AbortController();
    const model: ChatModel = {
      name: "deaf",
      async *stream() {
        yield { type: "text", text: "early" };
        yield { type: "text", text: " late" };
        const message: AssistantMessage = { role: "assistant", text: "early late", calls: [] };
        yield { type: "done", message, usage: {}, stop: "stop" };
      },
    };
    const t = await taskWith({
      model,
      onEvent: (event) => {
        if (event.type === "text") cancel.abort();
      },
    });
    expect(await t.run("go", cancel.signal)).toEqual({ end: "cancelled", work: { state: "none" } });
    expect(types(t.events)).toEqual([
      ...["task-started", "step-started", "text", "draft-retracted", "task-ended"],
    ]);
    expect(t.events).toContainEqual({ type: "draft-retracted", text: "early", reason: "cancelled" });
    const said = t.record.entries.filter(
      ({ body }) => body.type === "message" && body.message.role === "assistant",
    );
    expect(said).toEqual([]);
  });

  it("before a gate is asked asks it no more, and a gate that then rejects harms nobody", async () => {
    const cancel = new AbortController();
    let asked = 0;
    const t = await taskWith({
      model: createScripted([create("a.txt")]),
      gate: {
        ask: (_proposal, signal) => {
          asked++;
          return Promise.reject(signal.reason);
        },
      },
      onEvent: (event) => {
        if (event.type === "proposal") cancel.abort();
      },
    });
    expect(await t.run("go", cancel.signal)).toEqual({ end: "cancelled", work: { state: "none" } });
    expect(asked).toBe(0);
  });
});

describe("the record comes first", () => {
  it("when the decision cannot be written nothing happens, and the outcome says so", async () => {
    const t: TestAgent = await testAgent({
      files: { "a.txt": "one\n" },
      guided: false,
      steps: [read("a.txt"), edit("a.txt", "one", "two"), done],
      answer: () => {
        rmSync(recordFile(t));
        return "approve";
      },
    });
    expect(await t.run("go")).toEqual({
      end: "internal_error",
      work: { state: "none" },
      detail: "The session record could not be written: it was deleted",
    });
    expect(t.read("a.txt")).toBe("one\n");
    expect(types(t.events).at(-1)).toBe("task-ended");
    expect(types(t.events).filter((type) => type === "decision" || type === "task-ended")).toHaveLength(1);
  });

  it("also when the user cancels at that moment", async () => {
    const cancel = new AbortController();
    const t: TestAgent = await testAgent({
      guided: false,
      steps: [create("a.txt")],
      answer: () => {
        rmSync(recordFile(t));
        cancel.abort();
        return new Promise(() => {});
      },
    });
    expect(await t.run("go", cancel.signal)).toMatchObject({
      end: "internal_error",
      work: { state: "none" },
    });
    expect(types(t.events).at(-1)).toBe("task-ended");
  });

  it("when the outcome itself cannot be written, the task is told to have failed, once", async () => {
    const t = await taskWith({
      model: createScripted([done]),
      onEvent: (event) => {
        if (event.type === "answer") rmSync(t.file);
      },
    });
    expect(await t.run()).toMatchObject({ end: "internal_error", detail: expect.stringContaining("record") });
    expect(types(t.events).filter((type) => type === "task-ended")).toHaveLength(1);
  });

  it("when a patch is on disk and its facts cannot be written, the work counts as changed", async () => {
    const t = await taskWith({
      model: createScripted([create("a.txt"), done]),
      world: (real) => ({
        ...real,
        applyPatch: async (...args) => {
          const applied = await real.applyPatch(...args);
          rmSync(t.file);
          return applied;
        },
      }),
    });
    expect(await t.run()).toMatchObject({
      end: "internal_error",
      work: { state: "unverified", why: "not_offered" },
    });
  });

  it("a patch that failed and could not be put back is on record where it stands, and owes its check", async () => {
    const t = await taskWith({
      model: createScripted([
        {
          calls: [
            {
              name: "apply_patch",
              arguments: {
                reason: "r",
                changes: ["a.txt", "b.txt"].map((path) => ({ path, content: "x\n" })),
              },
            },
          ],
        },
        done,
      ]),
      world: (real) => ({
        ...real,
        applyPatch: async () => {
          writeFileSync(join(t.root, "a.txt"), "x\n");
          const refusal = { outcome: "error", message: "a.txt could not be put back." } as const;
          return { ok: false, refusal, left: ["a.txt"] };
        },
      }),
    });
    expect(await t.run()).toEqual({ end: "answered", work: { state: "unverified", why: "no_check" } });
    const facts = t.events.flatMap((e) => (e.type === "fact" ? [e.fact] : []));
    expect(facts).toMatchObject([{ type: "applied", path: "a.txt", before: null }]);
    const end = t.events.at(-1);
    expect(end?.type === "task-ended" && end.receipt.files).toMatchObject([{ path: "a.txt" }]);
    expect(debt(t.record.entries)).toMatchObject({ dirty: true, changedPaths: ["a.txt"] });
  });

  it("what holds a known key's value is refused before it is proposed, and the task goes on", async () => {
    const key = "sk-mc-key-7731";
    const t = await taskWith({
      key,
      files: { "a.txt": `${key}\none\n` },
      model: createScripted([
        read("a.txt"),
        edit("a.txt", "one", "two"),
        { when: { toolOutcome: "blocked", lastContains: ["you see it as <redacted>"] }, ...done },
      ]),
    });
    expect(await t.run()).toEqual({ end: "answered", work: { state: "none" } });
    expect(types(t.events)).not.toContain("proposal");
    expect(readFileSync(t.file, "utf8")).not.toContain(key);
  });

  it("has the decision and the beginning before the effect, and the proposal cannot be changed", async () => {
    let before: string[] = [];
    let shown: Proposal | undefined;
    const t = await taskWith({
      model: createScripted([create("a.txt"), done]),
      gate: {
        ask: async (proposal) => {
          shown = proposal;
          return { verdict: "approve", by: "user" };
        },
      },
      world: (real) => ({
        ...real,
        applyPatch: (...args) => {
          before = t.record.entries.map(({ body }) => body.type);
          return real.applyPatch(...args);
        },
      }),
    });
    await t.run();
    expect(before.slice(-3)).toEqual(["proposal", "decision", "effect_begun"]);
    const after = t.record.entries.map(({ body }) => body.type).slice(before.length);
    expect(after.slice(0, 3)).toEqual(["fact", "effect_ended", "message"]);
    const content = shown?.content;
    if (content?.kind !== "patch") throw new Error("no patch was shown");
    expect(() => content.files.pop()).toThrow(TypeError);
    expect(() => content.files[0]?.hunks[0]?.lines.push("+y")).toThrow(TypeError);
  });
});

describe("what changes without us", () => {
  it("between steps is drift, on record and on the receipt", async () => {
    const t: TestAgent = await testAgent({
      files: { "a.txt": "one\n", "b.txt": "x\n" },
      guided: false,
      steps: [
        read("a.txt"),
        () => {
          writeFileSync(join(t.root, "b.txt"), "by somebody else\n");
          return {
            calls: [
              {
                name: "apply_patch",
                arguments: { reason: "r", changes: [{ path: "a.txt", edits: [{ old: "one", new: "two" }] }] },
              },
            ],
          };
        },
        done,
      ],
    });
    await t.run("go");
    const drift = { type: "drift", paths: ["b.txt"], by: "other" };
    expect(await bodies(t)).toContainEqual({ type: "fact", fact: drift });
    const end = t.events.at(-1);
    expect(end?.type === "task-ended" && end.receipt).toMatchObject({
      drift: ["b.txt"],
      files: [{ path: "a.txt" }],
    });
  });

  it("while a gate waits is drift, not what the command or the patch did", async () => {
    let n = 0;
    const t: TestAgent = await testAgent({
      files: { "b.txt": "x\n" },
      guided: false,
      settings: passing,
      steps: [call("run_command", { argv: ["node", "--version"], reason: "r" }), create("a.txt"), done],
      answer: () => {
        n++;
        writeFileSync(join(t.root, "b.txt"), `${n}\n`.repeat(n));
        return "approve";
      },
    });
    expect(await t.run("go")).toEqual({ end: "answered", work: { state: "verified" } });
    const facts = t.events.flatMap((e) => (e.type === "fact" ? [e.fact] : []));
    expect(facts.flatMap((f) => (f.type === "ran" ? f.changed : []))).toEqual([]);
    expect(facts.filter((f) => f.type === "drift")).toEqual(
      Array(3).fill({ type: "drift", paths: ["b.txt"], by: "other" }),
    );
  });

  it("after a passed check takes the pass back: the answer is checked anew", async () => {
    const t: TestAgent = await testAgent({
      guided: false,
      settings: passing,
      steps: [
        create("a.txt"),
        call("run_check", {}),
        () => {
          writeFileSync(join(t.root, "a.txt"), "by somebody else\n");
          return { text: "done" };
        },
      ],
    });
    expect(await t.run("go")).toEqual({ end: "answered", work: { state: "verified" } });
    expect(t.proposals("command")).toHaveLength(2);
  });
});

describe("from task to task", () => {
  it("an open debt is carried into the next one", async () => {
    let word: "approve" | "reject" = "reject";
    const t = await testAgent({
      guided: false,
      settings: passing,
      steps: [create("a.txt"), done, { text: "It makes a file." }, { text: "Nothing is open." }],
      answer: ({ content }) => (content.kind === "command" ? word : "approve"),
    });
    expect(await t.run("go")).toMatchObject({ work: { state: "unverified", why: "check_refused" } });
    word = "approve";
    expect(await t.run("what was that?")).toEqual({ end: "answered", work: { state: "verified" } });
    expect(await t.run("and now?")).toEqual({ end: "answered", work: { state: "none" } });
  });

  it("a task that ended on a result leaves a conversation that every server takes", async () => {
    const t = await testAgent({
      maxSteps: 1,
      steps: [call("list_dir", {}), { text: "half", error: { kind: "auth" } }, done],
    });
    expect(await t.run("first")).toMatchObject({ end: "budget" });
    expect(await t.run("second")).toMatchObject({ end: "model_failed" });
    expect(await t.run("third")).toMatchObject({ end: "answered" });
    const sent = wellFormed(t.model.requests.at(-1)?.messages ?? []);
    const roles = bridged(sent).map((m) => m.role);
    expect(roles).toEqual([
      ...["system", "user", "assistant", "tool", "assistant", "user", "assistant", "user"],
    ]);
  });
});

it("every request extends the one before, byte for byte, over a hundred rounds", async () => {
  const rounds = Array.from({ length: 100 }, (_, i) => call("read_file", { path: "a.txt", start: i + 1 }));
  const t: TestAgent = await testAgent({
    files: { "a.txt": "line\n".repeat(150) },
    guided: false,
    maxSteps: 102,
    steps: [
      ...rounds.slice(0, 50),
      () => {
        t.agent.inbox.push("go on");
        return { calls: [{ name: "nothing", arguments: "{" }] };
      },
      ...rounds.slice(50),
      done,
      { text: "half", error: { kind: "auth" } },
      done,
    ],
  });
  expect(await t.run("go")).toMatchObject({ end: "answered" });
  await t.run("fails");
  await t.run("and again");
  const { requests } = t.model;
  expect(requests).toHaveLength(104);
  const sent = requests.map(({ messages }) => JSON.stringify(toOpenAiMessages(messages)).slice(0, -1));
  const broken = sent.findIndex(
    (text, i) => i > 0 && !(text.startsWith(`${sent[i - 1]},`) && text.length > (sent[i - 1]?.length ?? 0)),
  );
  expect(broken).toBe(-1);
  expect(new Set(requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
});

it("events come in the order of what happened", async () => {
  const t = await testAgent({
    files: { "a.txt": "one\n" },
    settings: passing,
    steps: [read("a.txt"), { text: "I change it.", ...editCall() }, done],
  });
  await t.run("go");
  expect(types(t.events)).toEqual([
    "task-started",
    ...["step-started", "usage", "call-started", "fact", "call-ended"],
    ...["step-started", "text", "usage", "draft-retracted", "call-started"],
    ...["proposal", "decision", "proposal", "decision", "fact", "call-ended"],
    ...["step-started", "text", "usage", "proposal", "decision", "fact", "fact", "answer"],
    "task-ended",
  ]);
});

describe("mode propose", () => {
  it("writes nothing, asks nobody, and later patches build on earlier ones", async () => {
    const t = await testAgent({
      mode: "propose",
      guided: false,
      files: { "a.txt": "one\ntwo\nthree\n" },
      steps: [
        read("a.txt"),
        edit("a.txt", "one", "1"),
        edit("a.txt", "three", "3"),
        create("b.txt", "x\n"),
        edit("b.txt", "x", "y"),
        read("b.txt"),
        read("a.txt"),
        done,
      ],
      answer: () => {
        throw new Error("nobody is asked");
      },
    });
    expect(await t.run("go")).toEqual({ end: "answered", work: { state: "none" } });
    expect(t.read("a.txt")).toBe("one\ntwo\nthree\n");
    expect(t.proposals("patch").at(-1)?.content).toMatchObject({
      files: [
        { path: "a.txt", added: 2, removed: 2 },
        { path: "b.txt", before: null, hunks: [{ lines: ["+y"] }] },
      ],
    });
    expect(t.results().at(-1)).toContain("1\t1\n2\ttwo\n3\t3");
    expect(t.results().at(-2)).toContain("1\ty");
    const by = t.events.flatMap((e) => (e.type === "decision" ? [e.decision.by] : []));
    expect([...new Set(by)]).toEqual(["mode:propose"]);
  });
});

function editCall() {
  const changes = [{ path: "a.txt", edits: [{ old: "one", new: "two" }] }];
  return { calls: [{ name: "apply_patch", arguments: { reason: "r", changes } }] };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
