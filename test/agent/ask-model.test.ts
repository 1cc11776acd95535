// Requests that fail: what is taken back, waited for and sent again, and how the task ends when nothing helps.
import { describe, expect, it } from "vitest";
import { realWait, type Wait } from "../../src/agent/wait.ts";
import { ModelError, type ModelErrorKind } from "../../src/model/error.ts";
import { createScripted } from "../../src/model/scripted.ts";
import type { AgentEvent } from "../../src/protocol/event.ts";
import type { ChatModel } from "../../src/protocol/model.ts";
import { type TaskWith, taskWith } from "./task-with.ts";

const broke = { error: { kind: "server", message: "Test server answered 502" } } as const;
const types = (events: readonly AgentEvent[]): string[] => events.map((e) => e.type);
const retries = ({ events }: TaskWith) => events.flatMap((e) => (e.type === "retrying" ? [e] : []));
const retracted = ({ record }: TaskWith) =>
  record.entries.flatMap(({ body }) => (body.type === "retracted" ? [body] : []));

/** A wait that takes no time and notes how long it would have been. */
function noted(): { waits: number[]; wait: Wait } {
  const waits: number[] = [];
  return {
    waits,
    wait: async (ms) => {
      waits.push(ms);
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

describe("a failure that may pass", () => {
  it("is waited out, and the same request is sent again whole; the draft is taken back first", async () => {
    const model = createScripted([{ text: "Hel", ...broke }, { text: "Hello" }]);
    const t = await taskWith({ model });
    expect(await t.run()).toEqual({ end: "answered", work: { state: "none" } });
    expect(types(t.events)).toEqual([
      ...["task-started", "step-started", "text", "draft-retracted", "retrying"],
      ...["text", "usage", "answer", "task-ended"],
    ]);
    expect(t.events).toContainEqual({ type: "draft-retracted", text: "Hel", reason: "failed" });
    expect(retracted(t)).toEqual([{ type: "retracted", text: "Hel", reason: "failed" }]);
    expect(retries(t)).toMatchObject([{ attempt: 2, of: 4, why: "Test server answered 502" }]);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]).toEqual(model.requests[0]);
  });

  it("costs no step", async () => {
    const list = { calls: [{ name: "list_dir", arguments: {} }] };
    const model = createScripted([broke, broke, list, broke, { text: "done" }]);
    const t = await taskWith({ model, maxSteps: 2 });
    expect(await t.run()).toMatchObject({ end: "answered" });
    const steps = t.events.flatMap((e) => (e.type === "step-started" ? [e.step] : []));
    expect(steps).toEqual([1, 2]);
    expect(retries(t).map(({ attempt }) => attempt)).toEqual([2, 3, 2]);
  });

  it("is tried four times in all; then the task ends with the last message and what can be done", async () => {
    let asked = 0;
    const model: ChatModel = {
      name: "down",
      // biome-ignore lint/correctness/useYield: it never gets that far
      async *stream() {
        asked++;
        throw new ModelError("network", `no way ${asked}`, { hint: "Check the network." });
      },
    };
    const { waits, wait } = noted();
    const t = await taskWith({ model, wait });
    expect(await t.run()).toEqual({
      end: "model_failed",
      work: { state: "none" },
      detail: "no way 4",
      retryable: true,
    });
    expect(asked).toBe(4);
    expect(retries(t)).toEqual(
      [2, 3, 4].map((attempt, i) => ({
        type: "retrying",
        attempt,
        of: 4,
        waitMs: waits[i],
        why: `no way ${attempt - 1}`,
      })),
    );
    for (const [i, bound] of [1_000, 2_000, 4_000].entries()) expect(waits[i]).toBeLessThanOrEqual(bound);
    expect(types(t.events).slice(-2)).toEqual(["note", "task-ended"]);
    expect(t.events).toContainEqual({ type: "note", text: "Check the network." });
  });

  it("is waited for as long as the server asks", async () => {
    const error = { kind: "rate_limit", retryAfterMs: 7_300 } as const;
    const { waits, wait } = noted();
    const t = await taskWith({ model: createScripted([{ error }, { text: "done" }]), wait });
    expect(await t.run()).toMatchObject({ end: "answered" });
    expect(waits).toEqual([7_300]);
    expect(retries(t)).toMatchObject([{ waitMs: 7_300 }]);
  });

  it("is not waited for when the server asks for more than a minute", async () => {
    const error = { kind: "rate_limit", retryAfterMs: 60_001, message: "free again later" } as const;
    const { waits, wait } = noted();
    const t = await taskWith({ model: createScripted([{ error }]), wait });
    expect(await t.run()).toMatchObject({
      end: "model_failed",
      detail: "free again later",
      retryable: true,
    });
    expect(waits).toEqual([]);
    expect(retries(t)).toEqual([]);
  });

  it("may be a stream that ends with nothing", async () => {
    let asked = 0;
    const scripted = createScripted([{ text: "here I am" }]);
    const model: ChatModel = {
      name: "mute",
      async *stream(request, signal) {
        if (++asked > 1) yield* scripted.stream(request, signal);
      },
    };
    const t = await taskWith({ model });
    expect(await t.run()).toMatchObject({ end: "answered" });
    expect(retries(t)).toMatchObject([{ why: "the stream ended without an answer" }]);
  });
});

describe("a failure that stays", () => {
  it.each([
    "auth",
    "payment",
    "not_found",
    "bad_request",
    "context_length",
    "filtered",
    "invalid_response",
  ] satisfies ModelErrorKind[])("%s ends the task at once", async (kind) => {
    const model = createScripted([{ text: "half an ans", error: { kind, message: "broke" } }]);
    const t = await taskWith({ model });
    expect(await t.run()).toEqual({
      end: "model_failed",
      work: { state: "none" },
      detail: "broke",
      retryable: false,
    });
    expect(model.requests).toHaveLength(1);
    expect(t.events).toContainEqual({ type: "draft-retracted", text: "half an ans", reason: "failed" });
    expect(retracted(t)).toHaveLength(1);
    expect(types(t.events)).not.toContain("answer");
  });
});

describe("a wait", () => {
  const slow = { error: { kind: "rate_limit", retryAfterMs: 60_000 } } as const;

  it("ends at once when the user cancels, and nothing more is sent", async () => {
    const cancel = new AbortController();
    const model = createScripted([slow]);
    const t = await taskWith({
      model,
      wait: realWait,
      onEvent: (event) => {
        if (event.type === "retrying") cancel.abort();
      },
    });
    expect(await t.run("go", cancel.signal)).toEqual({ end: "cancelled", work: { state: "none" } });
    expect(model.requests).toHaveLength(1);
  });

  it("ends when the task's time does", async () => {
    const model = createScripted([slow]);
    const t = await taskWith({ model, wait: (_ms, signal) => untilAborted(signal), timeoutMs: 100 });
    expect(await t.run()).toEqual({
      end: "budget",
      work: { state: "none" },
      detail: "the time for this task is used up",
    });
    expect(model.requests).toHaveLength(1);
    expect(retries(t)).toHaveLength(1);
  });

  it("leaves no listener behind", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    await realWait(1, signal);
    expect(listeners).toBe(0);
  });
});
