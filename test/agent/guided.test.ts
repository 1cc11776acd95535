// The guided workflow through the whole agent: real files, real checks, a scripted model, every word at its gate.
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/model/scripted.ts";
import type { Proposal } from "../../src/protocol/proposal.ts";
import { call, project, testAgent } from "../helpers/agent.ts";

const buggy = project({
  "add.mjs": "export const add = (a, b) => a - b;\n",
  "test.mjs":
    'import { add } from "./add.mjs";\nif (add(2, 2) !== 4) { console.log("not ok 1 - adds"); process.exit(1); }\nconsole.log("ok 1 - adds");\n',
});
const read = call("read_file", { path: "add.mjs" });
const plan = call("propose_plan", { summary: "Fix add", steps: ["patch"], files: ["add.mjs"] });
const patchTo = (old: string, now: string): Step =>
  call("apply_patch", { reason: "fix", changes: [{ path: "add.mjs", edits: [{ old, new: now }] }] });
const fix = patchTo("a - b", "a + b");
const done: Step = { text: "Fixed." };
const kinds = (proposals: Proposal[]): string[] => proposals.map((p) => p.content.kind);

describe("a guided task", () => {
  it("goes plan, patch, check to verified, and the answer comes last", async () => {
    const t = await testAgent({ files: buggy, steps: [read, plan, fix, done] });
    const outcome = await t.run("fix add");
    expect(outcome).toEqual({ end: "answered", work: { state: "verified" } });
    expect(kinds(t.proposals())).toEqual(["plan", "patch", "command"]);
    expect(t.read("add.mjs")).toContain("a + b");
    const types = t.events.map((e) => e.type);
    expect(types.indexOf("answer")).toBeGreaterThan(types.lastIndexOf("decision"));
    const ended = t.events.at(-1);
    expect(ended?.type === "task-ended" && ended.receipt).toMatchObject({
      files: [{ path: "add.mjs", change: "edited", added: 1, removed: 1 }],
      checks: [{ result: "passed", exit: 0, label: expect.stringContaining("npm test") }],
      treeIsChecked: true,
      scope: { outside: [] },
      overclaim: null,
    });
  });

  it("makes a plan of the step itself when an effect comes first", async () => {
    const t = await testAgent({
      files: buggy,
      steps: [read, { text: "The sign is wrong.", calls: fixCalls() }, done],
    });
    await t.run("fix add");
    const [first] = t.proposals("plan");
    expect(first?.content).toMatchObject({
      kind: "plan",
      summary: "The sign is wrong.",
      files: ["add.mjs"],
      origin: "step",
    });
    expect(kinds(t.proposals())).toEqual(["plan", "patch", "command"]);
  });

  it("answers a question without a panel", async () => {
    const t = await testAgent({ files: buggy, steps: [read, { text: "It subtracts." }] });
    expect(await t.run("what does add do?")).toEqual({ end: "answered", work: { state: "none" } });
    expect(t.proposals()).toEqual([]);
  });

  it("repairs once: the failing check goes back, the draft is retracted, the panel says repair 1 of 2", async () => {
    const t = await testAgent({
      files: buggy,
      steps: [
        read,
        plan,
        patchTo("a - b", "a * b + 1"),
        { text: "All tests pass." },
        {
          when: { lastRole: "user", lastContains: ["failed", "Repair round 1 of 2"] },
          ...fixStep("a * b + 1", "a + b"),
        },
        { text: "Now it adds." },
      ],
    });
    expect(await t.run("fix add")).toEqual({ end: "answered", work: { state: "verified" } });
    expect(t.proposals("patch")[1]?.content).toMatchObject({ repair: { round: 1, of: 2 } });
    expect(t.events).toContainEqual({ type: "draft-retracted", text: "All tests pass.", reason: "check" });
    expect(t.events.filter((e) => e.type === "answer")).toEqual([{ type: "answer", text: "Now it adds." }]);
  });

  it("asks when the rounds are used up, grants one more, and then ends check_failed", async () => {
    const wrong = ["1", "2", "3", "4"].flatMap((n, i): Step[] => [
      patchTo(i === 0 ? "a - b" : `a * ${i}00`, `a * ${n}00`),
      done,
    ]);
    const t = await testAgent({ files: buggy, steps: [read, plan, ...wrong] });
    expect(await t.run("fix add")).toEqual({ end: "answered", work: { state: "check_failed" } });
    expect(kinds(t.proposals())).toEqual([
      ...["plan", "patch", "command", "patch", "command", "patch", "command", "rounds", "patch", "command"],
    ]);
  });

  it("ends rejected on CANCEL of the plan, with nothing done", async () => {
    const t = await testAgent({ files: buggy, steps: [read, plan], answer: () => "reject" });
    expect(await t.run("fix add")).toEqual({ end: "rejected", work: { state: "none" } });
    expect(t.read("add.mjs")).toContain("a - b");
  });

  it("gives the model the words after CANCEL, and asks an identical patch no second time", async () => {
    let asked = 0;
    const t = await testAgent({
      files: buggy,
      steps: [
        read,
        plan,
        fix,
        { when: { toolOutcome: "rejected", lastContains: ["use Math.abs"] }, ...fixStep("a - b", "a + b") },
        { when: { toolOutcome: "rejected", lastContains: ["not shown again"] }, text: "I leave it." },
      ],
      answer: ({ content }) => {
        if (content.kind !== "patch") return "approve";
        asked++;
        return { verdict: "reject", feedback: "use Math.abs" };
      },
    });
    expect(await t.run("fix add")).toEqual({ end: "answered", work: { state: "none" } });
    expect(asked).toBe(1);
    expect(t.proposals("patch")).toHaveLength(1);
    const by = t.events.flatMap((e) => (e.type === "decision" ? [e.decision.by] : []));
    expect(by).toEqual(["user", "user", "rule:rejected-before"]);
  });

  it("leaves the work unverified when the check is not allowed to run", async () => {
    const t = await testAgent({
      files: buggy,
      steps: [read, plan, fix, { text: "Fixed, all tests pass." }],
      answer: ({ content }) => (content.kind === "command" ? "reject" : "approve"),
    });
    expect(await t.run("fix add")).toEqual({
      end: "answered",
      work: { state: "unverified", why: "check_refused" },
    });
    const ended = t.events.at(-1);
    expect(ended?.type === "task-ended" && ended.receipt.overclaim).toBeTruthy();
  });

  it("says plainly what failed before, once, and ends unverified: failing before", async () => {
    const t = await testAgent({
      files: { ...buggy, "note.txt": "x\n" },
      steps: [
        call("run_check", {}),
        call("read_file", { path: "note.txt" }),
        call("apply_patch", {
          reason: "r",
          changes: [{ path: "note.txt", edits: [{ old: "x", new: "y" }] }],
        }),
        { text: "Changed the note." },
        {
          when: { lastRole: "user", lastContains: ["failed before your change too"] },
          text: "The failing test is not mine.",
        },
      ],
    });
    expect(await t.run("change the note")).toEqual({
      end: "answered",
      work: { state: "unverified", why: "failing_before" },
    });
    expect(kinds(t.proposals())).toEqual(["command", "plan", "patch", "command"]);
  });

  it("says so when the project has no check", async () => {
    const t = await testAgent({
      files: { "a.txt": "x\n" },
      steps: [
        call("read_file", { path: "a.txt" }),
        call("apply_patch", { reason: "r", changes: [{ path: "a.txt", edits: [{ old: "x", new: "y" }] }] }),
        done,
      ],
    });
    expect(await t.run("change it")).toEqual({
      end: "answered",
      work: { state: "unverified", why: "no_check" },
    });
  });

  it("adopts the check of an approved plan where the project has none", async () => {
    const t = await testAgent({
      files: {
        "a.txt": "x\n",
        "verify.mjs":
          'import { readFileSync } from "node:fs";\nprocess.exit(readFileSync("a.txt", "utf8") === "y\\n" ? 0 : 1);\n',
      },
      steps: [
        call("read_file", { path: "a.txt" }),
        call("propose_plan", { summary: "s", steps: ["s"], files: ["a.txt"], check: ["node", "verify.mjs"] }),
        call("apply_patch", { reason: "r", changes: [{ path: "a.txt", edits: [{ old: "x", new: "y" }] }] }),
        done,
      ],
    });
    expect(await t.run("change it")).toEqual({ end: "answered", work: { state: "verified" } });
    const ended = t.events.at(-1);
    expect(ended?.type === "task-ended" && ended.receipt.checks).toMatchObject([
      { origin: "plan", result: "passed" },
    ]);
  });

  it("offers a check that changes files once more, then ends unverified and names them", async () => {
    const t = await testAgent({
      files: project({
        "a.txt": "x\n",
        "count.txt": "0",
        "test.mjs":
          'import { readFileSync, writeFileSync } from "node:fs";\nwriteFileSync("count.txt", String(Number(readFileSync("count.txt", "utf8")) + 1));\n',
      }),
      steps: [
        call("read_file", { path: "a.txt" }),
        call("apply_patch", { reason: "r", changes: [{ path: "a.txt", edits: [{ old: "x", new: "y" }] }] }),
        done,
      ],
    });
    expect(await t.run("change it")).toEqual({
      end: "answered",
      work: { state: "unverified", why: "check_changes_files" },
    });
    expect(t.proposals("command")).toHaveLength(2);
    const ran = t.events.flatMap((e) => (e.type === "fact" && e.fact.type === "ran" ? [e.fact.changed] : []));
    expect(ran).toEqual([["count.txt"], ["count.txt"]]);
  });

  it("offers the open debt its check when the steps are used up", async () => {
    const t = await testAgent({ files: buggy, steps: [read, plan, fix], maxSteps: 3 });
    expect(await t.run("fix add")).toMatchObject({ end: "budget", work: { state: "verified" } });
    const last = t.model.requests.at(-1)?.messages.at(-1);
    expect(last?.role === "tool" && last.content).toContain("One step is left");
  });

  it("cancels at a gate: nothing is done and every call has its result", async () => {
    const cancel = new AbortController();
    const t = await testAgent({
      files: buggy,
      steps: [read, plan, fix],
      answer: ({ content }) => {
        if (content.kind === "plan") return "approve";
        cancel.abort();
        return new Promise(() => {});
      },
    });
    expect(await t.run("fix add", cancel.signal)).toEqual({ end: "cancelled", work: { state: "none" } });
    expect(t.read("add.mjs")).toContain("a - b");
  });
});

describe("without --guided", () => {
  it("asks for no plan and no rounds, and still checks", async () => {
    const t = await testAgent({ files: buggy, guided: false, steps: [read, fix, done] });
    expect(await t.run("fix add")).toEqual({ end: "answered", work: { state: "verified" } });
    expect(kinds(t.proposals())).toEqual(["patch", "command"]);
  });
});

function fixStep(old: string, now: string): Extract<Step, object> {
  return {
    calls: [
      {
        name: "apply_patch",
        arguments: { reason: "fix", changes: [{ path: "add.mjs", edits: [{ old, new: now }] }] },
      },
    ],
  };
}

function fixCalls() {
  return [
    {
      name: "apply_patch",
      arguments: { reason: "fix", changes: [{ path: "add.mjs", edits: [{ old: "a - b", new: "a + b" }] }] },
    },
  ];
}
