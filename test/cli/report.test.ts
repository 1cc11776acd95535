// What a run tells the outside: text, one JSON object, or a line per event.
import { describe, expect, it } from "vitest";
import { createReporter } from "../../src/cli/report.ts";
import type { ScriptStep } from "../../src/model/script.ts";
import type { AgentEvent } from "../../src/protocol/event.ts";
import { fakeIo } from "./fake-io.ts";

const edit = (path: string, old: string, now: string): ScriptStep => ({
  calls: [
    { name: "apply_patch", arguments: { reason: "r", changes: [{ path, edits: [{ old, new: now }] }] } },
  ],
});
const read: ScriptStep = { calls: [{ name: "read_file", arguments: { path: "a.txt" } }] };
const files = { "a.txt": "one\n\n\n\n\n\n\n\n\nten\n" };

describe("text", () => {
  it("puts the answer alone on stdout and the work on stderr", async () => {
    const t = fakeIo(files, { checks: { required: [["node", "-e", "process.exit(0)"]] } });
    const steps = [read, { text: "I see it.", ...edit("a.txt", "one", "1") }, { text: "It is 1 now.\n\n" }];
    expect(await t.print(steps, "--mode", "edit", "--yes", "apply,run")).toBe(0);
    expect(t.stdout()).toBe("It is 1 now.\n");
    const told = t.stderr();
    const order = ["read a.txt", "I see it.", " - one", "APPLY patch", "RUN command", "passed", "Verified"];
    expect(order.filter((words) => !told.includes(words))).toEqual([]);
    const places = order.map((words) => told.indexOf(words));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(told).not.toContain("It is 1 now");
    expect(told).not.toContain("\u001b[");
  });

  it("shows no control sequence of a model's, and no draft that was taken back", async () => {
    const t = fakeIo(files, { checks: { required: [["node", "-e", "process.exit(1)"]] } });
    const steps = [
      read,
      edit("a.txt", "one", "1"),
      { text: "DRAFT" },
      { text: "DRAFT" },
      { text: "a\u001b[31mb\u202Ec" },
    ];
    expect(await t.print(steps, "--mode", "edit", "--yes", "apply,run")).toBe(5);
    expect(t.stdout()).toBe("ab\\u{202E}c\n");
    expect(t.stderr()).not.toContain("DRAFT");
    expect(t.stderr()).toContain("draft not used");
  });

  it("in mode propose puts one diff of everything proposed on stdout, the answer on stderr", async () => {
    const t = fakeIo(files);
    const steps = [read, edit("a.txt", "one", "1"), edit("a.txt", "ten", "10"), { text: "See the diff." }];
    expect(await t.print(steps, "--mode", "propose")).toBe(0);
    const lines = t.stdout().split("\n");
    expect(lines.filter((line) => /^[+-]/.test(line))).toEqual([
      ...["--- a/a.txt", "+++ b/a.txt", "-one", "+1", "-ten", "+10"],
    ]);
    expect(t.stderr()).toContain("See the diff.");
  });

  it("says first what a crash had left and what is wrong with the record", async () => {
    const t = fakeIo();
    const reporter = createReporter("text", "edit", t.io);
    const settled = [
      { seq: 3, outcome: "rolled_back", detail: "Put back: a.\u001b[2J", paths: ["a"] },
    ] as const;
    const agent = { session: "s", workspace: "w", model: "m", warnings: ["the end was cut off"] };
    await reporter.opened({ ...agent, settled: settled.map((one) => ({ ...one, paths: ["a"] })) });
    expect(t.stderr()).toBe(
      "the end was cut off\nAfter a crash: proposal #3 was settled as rolled_back. Put back: a.\n",
    );
  });

  it("of a task without an answer leaves stdout empty", async () => {
    const t = fakeIo();
    await t.print([{ text: "half", error: { kind: "auth" } }]);
    expect(t.stdout()).toBe("");
  });

  it("says on one line of stderr that it waits, and why", async () => {
    const t = fakeIo();
    const message = "Test server answered 429: \u001b[31mslow\ndown";
    const error = { kind: "rate_limit", message, retryAfterMs: 0 } as const;
    expect(await t.print([{ error }, { text: "done" }])).toBe(0);
    expect(t.stdout()).toBe("done\n");
    const lines = t
      .stderr()
      .split("\n")
      .filter((line) => line.startsWith("retrying"));
    expect(lines).toEqual([
      expect.stringMatching(/^retrying in 1 s \(2 of 4\): Test server answered 429: .*slow.*down$/),
    ]);
    expect(t.stderr()).not.toContain("\u001b");
  });
});

describe("json", () => {
  it("is one object: answer, outcome, receipt, usage added up with what is unknown left out", async () => {
    const t = fakeIo(files);
    const steps: ScriptStep[] = [
      { ...read, usage: { input: 10, output: 2 } },
      { text: "done", usage: { input: 5, cached: 3 } },
    ];
    expect(await t.print(steps, "--output-format", "json")).toBe(0);
    const result: unknown = JSON.parse(t.stdout());
    expect(result).toMatchObject({
      type: "result",
      subtype: "answered",
      is_error: false,
      result: "done",
      session_id: expect.stringMatching(/^\d{8}-\d{6}-[0-9a-f]{6}$/),
      settled: [],
      warnings: [],
      num_steps: 2,
      outcome: { end: "answered", work: { state: "none" } },
      receipt: { steps: 2, files: [] },
    });
    const counted = {
      input: 15,
      output: 2,
      cached: 3,
      requests: 2,
      uncounted: 1,
      unpriced: 2,
      costUsd: null,
    };
    expect(result).toHaveProperty("usage", counted);
    expect(result).toHaveProperty("receipt.usage.session", counted);
    expect(t.stderr()).toBe("");
  });

  it("of a task that failed says so", async () => {
    const t = fakeIo();
    await t.print([{ text: "half", error: { kind: "auth", message: "no key" } }], "--output-format", "json");
    expect(JSON.parse(t.stdout())).toMatchObject({
      subtype: "model_failed",
      is_error: true,
      result: "",
      outcome: { detail: "no key", retryable: false },
    });
  });
});

describe("stream-json", () => {
  it("is a line per event, the first says what was opened, the last how it ended", async () => {
    const t = fakeIo(files);
    const steps = [{ text: "I read.", ...read }, { text: "line\nbreak \u2028 done" }];
    await t.print(steps, "--output-format", "stream-json");
    const events = t
      .stdout()
      .trimEnd()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
    expect(events.map((event) => event["type"])).toEqual([
      ...["init", "task-started", "step-started", "text", "usage", "draft-retracted"],
      ...["call-started", "fact", "call-ended", "step-started", "text", "usage", "answer", "task-ended"],
    ]);
    expect(events[0]).toMatchObject({ model: "scripted", settled: [], warnings: [] });
    expect(events.at(-2)).toEqual({ type: "answer", text: "line\nbreak \u2028 done" });
  });

  it("keeps the order of events that come faster than they go out", async () => {
    const t = fakeIo();
    const reporter = createReporter("stream-json", "read", t.io);
    const events = Array.from({ length: 500 }, (_, i): AgentEvent => ({ type: "text", text: String(i) }));
    for (const event of events) reporter.event(event);
    await reporter.finish();
    expect(t.stdout()).toBe(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  });
});
