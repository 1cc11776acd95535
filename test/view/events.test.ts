import { describe, expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import type { AgentEvent } from "../../src/protocol/event.ts";
import type { FactOf } from "../../src/protocol/fact.ts";
import { callOutcomeSchema } from "../../src/protocol/message.ts";
import type { Decision } from "../../src/protocol/proposal.ts";
import { noUsage } from "../../src/protocol/usage.ts";
import { createEventRows } from "../../src/view/events.ts";
import { patch, plan, proposed, receipt, ref, text } from "./helpers.ts";

function shown(...events: AgentEvent[]): string {
  return text(events.flatMap(createEventRows(en)));
}

const started = (id: string, label: string): AgentEvent => ({
  type: "call-started",
  call: { id, name: "read_file", arguments: "{}" },
  label,
});

const ran: FactOf<"ran"> = {
  type: "ran",
  seq: 1,
  argv: ["npm", "test"],
  exit: 1,
  signal: null,
  ms: 2345,
  output: ref("out"),
  treeBefore: "a",
  treeAfter: "a",
  changed: [],
};
const check: FactOf<"check"> = {
  type: "check",
  seq: 1,
  result: "failed",
  failing: ["adds › works", "adds\u001b[2J › fails"],
  tree: "a",
  baseline: false,
  origin: "manifest",
  label: "npm test",
};

function decided(verdict: Decision["verdict"], by: Decision["by"], feedback?: string): AgentEvent {
  const proposal = { ...proposed(verdict === "cancel" ? plan() : patch()), digest: "1a2b3c4d".repeat(8) };
  const decision: Decision = {
    seq: 3,
    digest: proposal.digest,
    verdict,
    by,
    ...(feedback === undefined ? {} : { feedback }),
  };
  return { type: "decision", decision, proposal };
}

describe("progress", () => {
  it("has one line per call, with its label even when calls overlap", () => {
    expect(
      shown(
        started("1", "read_file src/a.ts:1-80"),
        started("2", "read_file b.ts"),
        {
          type: "call-ended",
          callId: "2",
          name: "read_file",
          outcome: "error",
          content: "\nNo such file: b.ts\nmore",
        },
        { type: "call-ended", callId: "1", name: "read_file", outcome: "ok", content: "lines" },
        { type: "call-ended", callId: "3", name: "fly", outcome: "unknown", content: "" },
      ),
    ).toMatchInlineSnapshot(`
      "read_file b.ts  error: No such file: b.ts
      read_file src/a.ts:1-80  ok
      fly  unknown tool"
    `);
  });

  it("has a word for every outcome", () => {
    const ended = callOutcomeSchema.options.map(
      (outcome): AgentEvent => ({ type: "call-ended", callId: outcome, name: "t", outcome, content: "c" }),
    );
    expect(shown(...ended)).toMatchInlineSnapshot(`
      "t  ok
      t  error: c
      t  invalid: c
      t  unknown tool: c
      t  denied: c
      t  rejected: c
      t  blocked: c
      t  cancelled: c
      t  skipped: c
      t  ran out of time: c"
    `);
  });

  it("T01: lets no control sequence through", () => {
    expect(
      shown(
        started("1", "read_file a\u001b]0;x\u0007\nb"),
        {
          type: "call-ended",
          callId: "1",
          name: "read_file",
          outcome: "error",
          content: "\u001b[2Jsafe\revil\u009b31m",
        },
        { type: "note", text: "one\u001bc\ntwo" },
      ),
    ).toMatchInlineSnapshot(`
      "read_file a␛]0;x␇␊b  error: safe␍evil
      one␛c
      two"
    `);
  });

  it("says who decided what", () => {
    expect(
      shown(
        decided("approve", "flag:apply"),
        decided("approve", "user"),
        decided("reject", "user", "keep\nthe name"),
        decided("deny", "mode:unattended"),
        decided("cancel", "user"),
      ),
    ).toMatchInlineSnapshot(`
      "APPLY patch #3 1a2b3c4d by flag:apply
      APPLY patch #3 1a2b3c4d by user
      CANCEL patch #3 1a2b3c4d by user: keep␊the name
      denied patch #3 1a2b3c4d by mode:unattended
      task cancelled at plan #3 1a2b3c4d by user"
    `);
  });

  it("shows facts that matter while they happen", () => {
    const facts: Extract<AgentEvent, { type: "fact" }>["fact"][] = [
      { type: "file_read", path: "a.ts", hash: "0", lines: [1, 2] },
      {
        type: "applied",
        seq: 2,
        path: "src/a\u202e.ts",
        before: null,
        after: ref("x"),
        added: 3,
        removed: 1,
      },
      ran,
      check,
      { ...ran, exit: null, signal: "SIGKILL", changed: ["snapshots/a.snap"] },
      { ...check, result: "passed", failing: [], baseline: true },
      { ...check, result: "timed_out", failing: [] },
      { type: "drift", paths: Array.from({ length: 12 }, (_, i) => `f${i}`), by: "other" },
      { type: "git_status", branch: "main", changed: [] },
    ];
    expect(shown(...facts.map((fact): AgentEvent => ({ type: "fact", fact })))).toMatchInlineSnapshot(`
      "src/a\\u{202E}.ts +3 -1
      npm test  exit code 1, 2.3 s
      Check: npm test ✗ failed
        failing:
          adds › works
          adds␛[2J › fails
      npm test  ended by SIGKILL, 2.3 s
        the command changed: snapshots/a.snap
      Check before any change: npm test ✓ passed
      Check: npm test · ran out of time
      changed from outside: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, and 2 more"
    `);
  });

  it("marks a draft that was not used", () => {
    const reasons = ["calls", "check", "cancelled", "failed"] as const;
    expect(
      shown(...reasons.map((reason): AgentEvent => ({ type: "draft-retracted", text: "x", reason }))),
    ).toMatchInlineSnapshot(`
      "… draft not used: tool calls came with it
      … draft not used: the check did not pass
      … draft not used: cancelled
      … draft not used: the model failed"
    `);
  });

  it("leaves text, panels and the receipt to the caller", () => {
    expect(
      shown(
        { type: "task-started", text: "t", mode: "edit", guided: true, session: "s" },
        { type: "step-started", step: 1, of: 50 },
        { type: "text", text: "t" },
        { type: "answer", text: "t" },
        { type: "output", seq: 1, text: "t" },
        { type: "proposal", proposal: proposed(plan()) },
        { type: "usage", usage: {}, costUsd: null, task: noUsage, session: noUsage },
        { type: "task-ended", outcome: receipt().outcome, receipt: receipt() },
      ),
    ).toBe("");
  });
});
