// The exit gate: an open debt is offered its check whatever the end, a failure goes back to the model, and every way ends.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createScripted, type Step } from "../../src/model/scripted.ts";
import type { AgentEvent } from "../../src/protocol/event.ts";
import type { Message } from "../../src/protocol/message.ts";
import type { ModelRequest } from "../../src/protocol/model.ts";
import { call, project, testAgent } from "../helpers/agent.ts";
import { taskWith } from "./task-with.ts";

const done: Step = { text: "done" };
const write = (path: string, content: string): Step =>
  call("apply_patch", { reason: "r", changes: [{ path, content }] });
/** Replaces the whole of a one-line file. */
const rewrite = (old: string, now: string): Step =>
  call("apply_patch", { reason: "r", changes: [{ path: "n.txt", edits: [{ old, new: now }] }] });
const read = call("read_file", { path: "n.txt" });
/** A project whose test passes when n.txt says "good"; it names what fails as TAP does. */
const goodOnly = project({
  "n.txt": "start\n",
  "test.mjs": `import { readFileSync } from "node:fs";
const n = readFileSync("n.txt", "utf8").trim();
if (n === "crash") throw new Error("no test was reached");
console.log(n === "good" ? "ok 1 - is good" : "not ok 1 - is " + n);
process.exit(n === "good" ? 0 : 1);
`,
});
const passing = { checks: { required: [["node", "-e", "process.exit(0)"]] } };
const failing = { checks: { required: [["node", "-e", "process.exit(1)"]] } };
const answers = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((e) => (e.type === "answer" ? [e.text] : []));
const lastText = ({ messages }: ModelRequest): string => {
  const last: Message | undefined = messages.at(-1);
  return last === undefined ? "" : last.role === "tool" ? last.content : last.text;
};

describe("CANCEL at the check that MiniCode offers", () => {
  it("with text goes to the model with the words, and the next stop is asked again", async () => {
    const words = ["say why first", "and shorter"];
    const t = await testAgent({
      guided: false,
      settings: passing,
      steps: [write("a.txt", "x\n"), { text: "one" }, { text: "two" }, { text: "three" }],
      answer: ({ content }) => {
        if (content.kind !== "command") return "approve";
        const feedback = words.shift();
        return feedback === undefined ? "approve" : { verdict: "reject", feedback };
      },
    });
    expect(await t.run("go")).toEqual({ end: "answered", work: { state: "verified" } });
    expect(t.model.requests.slice(2).map(lastText)).toEqual([
      "[MiniCode] The user did not run the check and says: say why first",
      "[MiniCode] The user did not run the check and says: and shorter",
    ]);
    expect(answers(t.events)).toEqual(["three"]);
  });

  it("without text ends the task there, with the debt open", async () => {
    const t = await testAgent({
      guided: false,
      settings: passing,
      steps: [write("a.txt", "x\n"), done],
      answer: ({ content }) => (content.kind === "command" ? "reject" : "approve"),
    });
    const work = { state: "unverified", why: "check_refused" };
    expect(await t.run("go")).toEqual({ end: "answered", work });
    expect(answers(t.events)).toEqual(["done"]);
  });

  it("a check of the model's own that was refused is asked again only when files have changed", async () => {
    let asked = 0;
    const check = call("run_check", {});
    const t = await testAgent({
      guided: false,
      settings: passing,
      steps: [check, check, write("a.txt", "x\n"), check, done],
      answer: ({ content }) => {
        if (content.kind === "command") asked++;
        return content.kind === "command" && asked === 1 ? "reject" : "approve";
      },
    });
    expect(await t.run("go")).toEqual({ end: "answered", work: { state: "verified" } });
    expect(asked).toBe(2);
    const by = t.events.flatMap((e) => (e.type === "decision" ? [e.decision.by] : []));
    expect(by).toEqual(["user", "rule:rejected-before", "user", "user"]);
  });
});

describe("where no check can be offered", () => {
  it("because the project has none, the work is unverified for that", async () => {
    const t = await testAgent({ guided: false, steps: [write("a.txt", "x\n"), done] });
    const work = { state: "unverified", why: "no_check" };
    expect(await t.run("go")).toEqual({ end: "answered", work });
  });

  it("because its program is not there, it could not run, and the user is told why", async () => {
    const settings = { checks: { required: [["no-such-program"]] } };
    const t = await testAgent({ guided: false, settings, steps: [write("a.txt", "x\n"), done] });
    const work = { state: "unverified", why: "could_not_run" };
    expect(await t.run("go")).toEqual({ end: "answered", work });
    const notes = t.events.flatMap((e) => (e.type === "note" ? [e.text] : []));
    expect(notes).toEqual([expect.stringContaining("no-such-program")]);
  });

  it("because its program cannot be started, it could not run; a command of that kind says why", async () => {
    const t = await testAgent({
      guided: false,
      files: { "check.sh": "#!/no/such/shell\n" },
      settings: { checks: { required: [["./check.sh"]] } },
      steps: [call("run_command", { argv: ["./check.sh"], reason: "r" }), write("a.txt", "x\n"), done],
    });
    chmodSync(join(t.root, "check.sh"), 0o755);
    const work = { state: "unverified", why: "could_not_run" };
    expect(await t.run("go")).toEqual({ end: "answered", work });
    expect(t.results()[0]).toMatch(/^\.\/check\.sh: not started \(.*ENOENT/);
  });

  it("because the mode runs nothing, a question over an old debt costs one request and keeps its answer", async () => {
    const first = await testAgent({
      guided: false,
      steps: [write("a.txt", "x\n"), done],
      settings: passing,
      answer: ({ content }) => (content.kind === "command" ? "reject" : "approve"),
    });
    await first.run("go");
    await first.agent.close();
    const { root, data } = first;
    const session = { kind: "latest" } as const;
    const asking = { root, data, session, guided: false, mode: "read", settings: passing } as const;
    const t = await testAgent({ ...asking, steps: [{ text: "It makes a.txt." }] });
    const work = { state: "unverified", why: "check_refused" };
    expect(await t.run("what was that?")).toEqual({ end: "answered", work });
    expect(answers(t.events)).toEqual(["It makes a.txt."]);
    expect(t.model.requests).toHaveLength(1);
  });
});

describe("the user's cancel", () => {
  it("while the check runs cancels the task: the answer is taken back", async () => {
    const cancel = new AbortController();
    const t = await taskWith({
      model: createScripted([write("a.txt", "x\n"), { text: "All done." }]),
      check: ["node", "-e", "console.log('up'); setInterval(() => {}, 1000)"],
      onEvent: (event) => {
        if (event.type === "output" && event.text.includes("up")) cancel.abort();
      },
    });
    const work = { state: "unverified", why: "cancelled" };
    expect(await t.run("go", cancel.signal)).toEqual({ end: "cancelled", work });
    expect(answers(t.events)).toEqual([]);
    expect(t.events).toContainEqual({ type: "draft-retracted", text: "All done.", reason: "cancelled" });
  });

  it("at its panel does so too", async () => {
    const cancel = new AbortController();
    const t = await testAgent({
      guided: false,
      settings: passing,
      steps: [write("a.txt", "x\n"), done],
      answer: ({ content }) => {
        if (content.kind !== "command") return "approve";
        cancel.abort();
        return new Promise(() => {});
      },
    });
    const work = { state: "unverified", why: "not_offered" };
    expect(await t.run("go", cancel.signal)).toEqual({ end: "cancelled", work });
    expect(answers(t.events)).toEqual([]);
  });
});

describe("whatever the end, an open debt is offered its check once", () => {
  it.each([
    ["the model failed", { error: { kind: "server", message: "busy" } }, "model_failed"],
    ["the steps are used up", call("list_dir", {}), "budget"],
  ] as const)("%s", async (_name, last, end) => {
    const t = await testAgent({
      guided: false,
      settings: passing,
      maxSteps: 2,
      steps: [write("a.txt", "x\n"), last],
    });
    expect(await t.run("go")).toMatchObject({ end, work: { state: "verified" } });
    expect(t.proposals("command")).toHaveLength(1);
  });

  it("CANCEL of a plan, over a debt from before: without another model step", async () => {
    let task = 0;
    const t = await testAgent({
      settings: passing,
      steps: [
        write("a.txt", "x\n"),
        done,
        {
          calls: [
            { name: "propose_plan", arguments: { summary: "s", steps: ["s"], files: [] } },
            { name: "list_dir", arguments: {} },
          ],
        },
      ],
      answer: ({ content }) =>
        task === 1
          ? content.kind === "command"
            ? "reject"
            : "approve"
          : content.kind === "plan"
            ? "reject"
            : "approve",
    });
    task = 1;
    await t.run("first");
    task = 2;
    expect(await t.run("second")).toEqual({ end: "rejected", work: { state: "verified" } });
    expect(t.model.requests).toHaveLength(3);
  });

  it("a failed check does not reopen a task that is out of steps", async () => {
    const t = await testAgent({
      guided: false,
      settings: failing,
      maxSteps: 1,
      steps: [write("a.txt", "x\n")],
    });
    expect(await t.run("go")).toMatchObject({ end: "budget", work: { state: "check_failed" } });
  });
});

describe("failures", () => {
  it("are told once, with the output; a second stop over the same failure is final", async () => {
    const t = await testAgent({
      guided: false,
      files: goodOnly,
      steps: [read, rewrite("start", "bad"), { text: "one" }, { text: "two" }, { text: "three" }],
    });
    expect(await t.run("go")).toEqual({ end: "answered", work: { state: "check_failed" } });
    expect(answers(t.events)).toEqual(["three"]);
    const told = t.model.requests.slice(3).map(lastText);
    expect(told[0]).toMatch(/npm test` failed.*- is bad.*Repair round 1 of 2.*Your answer was not shown/s);
    expect(told[1]).toContain("still fails on these files");
    expect(t.proposals("command")).toHaveLength(1);
  });

  it("that were there before are told apart by name; a crash before any test is a new one", async () => {
    const steps = (now: string): Step[] => [
      call("run_check", {}),
      read,
      rewrite("start", now),
      { text: "one" },
      { text: "two" },
      { text: "three" },
    ];
    const same = await testAgent({ guided: false, files: goodOnly, steps: steps("start\n# why") });
    const crash = await testAgent({ guided: false, files: goodOnly, steps: steps("crash") });
    const other = await testAgent({ guided: false, files: goodOnly, steps: steps("bad") });
    const before = { state: "unverified", why: "failing_before" };
    expect(await same.run("go")).toEqual({ end: "answered", work: before });
    expect(await crash.run("go")).toEqual({ end: "answered", work: { state: "check_failed" } });
    expect(await other.run("go")).toEqual({ end: "answered", work: { state: "check_failed" } });
  });
});

describe("when the repair rounds are used up", () => {
  const tries = ["bad", "worse", "worst"];
  /** Three tries that each fail, each ended by what `stop` says. */
  const failingTries = (stop: Step): Step[] => [
    read,
    call("propose_plan", { summary: "s", steps: ["s"], files: ["n.txt"] }),
    ...tries.flatMap((n, i) => [rewrite(["start", ...tries][i] ?? "", n), stop]),
  ];

  it.each([
    ["after an answer", done],
    ["after a check of the model's own", call("run_check", {})],
  ])("CANCEL with text %s leaves one last step for an answer and no effect", async (_name, stop) => {
    const t = await testAgent({
      files: goodOnly,
      steps: [...failingTries(stop), rewrite("worst", "good"), { text: "I could not." }],
      answer: ({ content }) =>
        content.kind === "rounds" ? { verdict: "reject", feedback: "say what you tried" } : "approve",
    });
    expect(await t.run("go")).toEqual({ end: "answered", work: { state: "check_failed" } });
    expect(t.proposals("rounds").map((p) => p.content)).toMatchObject([{ used: 2, failing: ["is worst"] }]);
    const [last, blocked] = t.model.requests.slice(-2).map(lastText);
    expect(last).toContain("The repair rounds are used up. The user says: say what you tried");
    expect(blocked).toContain("one last step for an answer only");
    expect(t.read("n.txt")).toBe("worst\n");
    expect(answers(t.events)).toEqual(["I could not."]);
  });

  it("CANCEL ends the task there", async () => {
    const t = await testAgent({
      files: goodOnly,
      steps: failingTries(done),
      answer: ({ content }) => (content.kind === "rounds" ? "reject" : "approve"),
    });
    expect(await t.run("go")).toEqual({ end: "answered", work: { state: "check_failed" } });
    expect(answers(t.events)).toEqual(["done"]);
  });

  it("a file mended by hand meanwhile is checked again instead", async () => {
    const t = await testAgent({
      guided: false,
      files: goodOnly,
      steps: [
        read,
        rewrite("start", "bad"),
        { text: "one" },
        () => {
          writeFileSync(join(t.root, "n.txt"), "good\n");
          return { text: "two" };
        },
      ],
    });
    expect(await t.run("go")).toEqual({ end: "answered", work: { state: "verified" } });
    expect(answers(t.events)).toEqual(["two"]);
  });
});
