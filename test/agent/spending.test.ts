// What requests cost is on record with each of them, and a task stops when its limit is reached or cannot be kept any more.
import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/model/error.ts";
import { createScripted } from "../../src/model/scripted.ts";
import type { AgentEvent } from "../../src/protocol/event.ts";
import type { ChatModel, ModelEvent } from "../../src/protocol/model.ts";
import { type TaskWith, taskWith } from "./task-with.ts";

const prices = { input: 1_000, output: 10_000 };
/** Costs 10 cents. */
const usage = { input: 50, output: 5 };
const list = { calls: [{ name: "list_dir", arguments: {} }], usage };
const done = { text: "done", usage };
const answered = { end: "answered", work: { state: "none" } };

const notes = ({ events }: TaskWith) => events.flatMap((e) => (e.type === "note" ? [e.text] : []));
const receipt = ({ events }: TaskWith) =>
  events.flatMap((e) => (e.type === "task-ended" ? [e.receipt] : [])).at(-1);
const recorded = ({ record }: TaskWith) =>
  record.entries.flatMap<object>(({ body }) => {
    if (body.type === "request_lost") return [body];
    if (body.type !== "message" || body.message.role !== "assistant") return [];
    const { message, ...rest } = body;
    return [rest];
  });

/** A model whose stream is what `play` says. */
function streaming(play: (signal: AbortSignal, request: number) => AsyncIterable<ModelEvent>): ChatModel {
  let requests = 0;
  return { name: "m", stream: (_request, signal) => play(signal, ++requests) };
}

describe("on record", () => {
  it("each answer has its counts, its cost and why it stopped; events and receipt have the sums", async () => {
    const model = createScripted([list, { text: "done", usage: { input: 70 } }, done]);
    const t = await taskWith({ model, prices });
    await t.run();
    await t.run("again");
    expect(recorded(t)).toEqual([
      { type: "message", usage, costUsd: 0.1, stop: "calls" },
      { type: "message", usage: { input: 70 }, stop: "stop" },
      { type: "message", usage, costUsd: 0.1, stop: "stop" },
    ]);
    const used = t.events.flatMap((e): object[] => (e.type === "usage" ? [e] : []));
    const task = { requests: 2, uncounted: 1, unpriced: 1, input: 120, output: 5, costUsd: 0.1 };
    const session = { requests: 3, uncounted: 1, unpriced: 1, input: 170, output: 10, costUsd: 0.2 };
    expect(used[1]).toEqual({ type: "usage", usage: { input: 70 }, costUsd: null, task, session: task });
    expect(receipt(t)?.usage).toEqual({
      task: { requests: 1, uncounted: 0, unpriced: 0, ...usage, costUsd: 0.1 },
      session,
    });
  });

  it("without prices the cost is not known", async () => {
    const t = await taskWith({ model: createScripted([done]) });
    await t.run();
    expect(recorded(t)).toEqual([{ type: "message", usage, stop: "stop" }]);
    expect(receipt(t)?.usage.task).toMatchObject({ ...usage, unpriced: 1, costUsd: null });
  });

  it("an answer that broke off counts as a request whose cost is not known; one that was refused as none", async () => {
    const refused = { error: { kind: "rate_limit" } } as const;
    const broke = { text: "ha", error: { kind: "network" } } as const;
    const t = await taskWith({ model: createScripted([refused, broke, done]), prices });
    expect(await t.run()).toEqual(answered);
    expect(recorded(t)).toEqual([
      { type: "request_lost", reason: "failed", usage: {} },
      { type: "message", usage, costUsd: 0.1, stop: "stop" },
    ]);
    expect(receipt(t)?.usage.task).toMatchObject({ requests: 2, uncounted: 1, unpriced: 1, costUsd: 0.1 });
    expect(notes(t)).toEqual([]);
  });

  it("an answer that was whole when the user cancelled, or the server then failed, counts with its counts", async () => {
    const cancel = new AbortController();
    const message = { role: "assistant", text: "done", calls: [] } as const;
    const model = streaming(async function* (_signal, request) {
      if (request === 2) cancel.abort();
      yield { type: "done", message: { ...message, calls: [] }, usage, stop: "stop" };
      if (request === 1) throw new ModelError("server", "sorry");
    });
    const t = await taskWith({ model, prices });
    expect(await t.run("go", cancel.signal)).toMatchObject({ end: "cancelled" });
    expect(recorded(t)).toEqual([
      { type: "request_lost", reason: "failed", usage, costUsd: 0.1 },
      { type: "request_lost", reason: "cancelled", usage, costUsd: 0.1 },
    ]);
    expect(receipt(t)?.usage.task).toMatchObject({ requests: 2, uncounted: 0, costUsd: 0.2 });
  });

  it("a cancel before anything came counts too: the server may have read it all", async () => {
    const cancel = new AbortController();
    // biome-ignore lint/correctness/useYield: it never gets that far
    const model = streaming(async function* () {
      cancel.abort();
      throw new ModelError("cancelled", "cancelled");
    });
    const t = await taskWith({ model, prices });
    await t.run("go", cancel.signal);
    expect(recorded(t)).toEqual([{ type: "request_lost", reason: "cancelled", usage: {} }]);
  });
});

describe("a cost limit", () => {
  it("that is reached lets the calls run and sends no further request", async () => {
    const model = createScripted([list, list, list, done]);
    const t = await taskWith({ model, prices, maxCostUsd: 0.15 });
    expect(await t.run()).toEqual({
      end: "budget",
      work: { state: "none" },
      detail: "this task has cost $0.20, and its limit is $0.15",
    });
    expect(model.requests).toHaveLength(2);
    expect(t.events.filter((e) => e.type === "call-ended")).toHaveLength(2);
  });

  it("counts for each task anew, and an answer that reaches it is an answer", async () => {
    const t = await taskWith({ model: createScripted([done, done]), prices, maxCostUsd: 0.1 });
    expect(await t.run()).toEqual(answered);
    expect(await t.run("again")).toEqual(answered);
    expect(receipt(t)?.usage.session.costUsd).toBeCloseTo(0.2, 12);
  });

  it("still has the changed files' check offered", async () => {
    const change = { path: "n.txt", content: "x\n" };
    const patch = { calls: [{ name: "apply_patch", arguments: { reason: "r", changes: [change] } }], usage };
    const t = await taskWith({
      ...{ model: createScripted([patch]), prices, maxCostUsd: 0.05 },
      check: ["node", "-e", "process.exit(0)"],
    });
    expect(await t.run()).toMatchObject({ end: "budget", work: { state: "verified" } });
  });

  it("that cannot be kept, because an answer came without counts, stops the task and says so", async () => {
    const blind = { calls: list.calls };
    const model = createScripted([list, blind, done]);
    const t = await taskWith({ model, prices, maxCostUsd: 5 });
    expect(await t.run()).toMatchObject({
      end: "budget",
      detail: "the server did not say what the last answer used, so the limit of $5.00 cannot be kept",
    });
    expect(model.requests).toHaveLength(2);
  });

  it("does not count a broken-off request, and says so", async () => {
    const broke = { text: "ha", error: { kind: "network" } } as const;
    const t = await taskWith({ model: createScripted([broke, done]), prices, maxCostUsd: 5 });
    expect(await t.run()).toEqual(answered);
    expect(notes(t)).toEqual([
      "What the broken-off request cost is not known; the cost limit does not count it.",
    ]);
  });

  it("keeps what the user typed for the next task", async () => {
    let t: TaskWith | undefined;
    const onEvent = (event: AgentEvent): void => {
      if (event.type === "call-started") t?.inbox.push("and the other");
    };
    t = await taskWith({ model: createScripted([list]), prices, maxCostUsd: 0.1, onEvent });
    expect(await t.run()).toMatchObject({ end: "budget" });
    expect(t.inbox.drain()).toEqual(["and the other"]);
  });
});
