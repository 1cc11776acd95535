// Permission modes and rules through a whole agent: what asks, what passes, what is recorded.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Rule } from "../../src/policy/rules.ts";
import type { Decision } from "../../src/protocol/proposal.ts";
import { call, type TestAgent, testAgent } from "../helpers/agent.ts";

const free = { guided: false, mode: "edit" } as const;
const decisions = (t: TestAgent): Pick<Decision, "verdict" | "by">[] =>
  t.events.flatMap((e) =>
    e.type === "decision" ? [{ verdict: e.decision.verdict, by: e.decision.by }] : [],
  );
const patch = call("apply_patch", { reason: "r", changes: [{ path: "new.txt", content: "x\n" }] });
const command = (...argv: string[]) => call("run_command", { argv, reason: "r" });

it("auto-read lets a reading command pass, and records that the mode did", async () => {
  const t = await testAgent({
    ...free,
    files: { "a.txt": "hello\n" },
    steps: [command("cat", "a.txt"), { text: "Done." }],
    answer: () => {
      throw new Error("nobody may be asked");
    },
  });
  expect((await t.run("go")).end).toBe("answered");
  expect(decisions(t)).toEqual([{ verdict: "approve", by: "mode:auto-read" }]);
  expect(t.results()[0]).toContain("hello");
});

it("ask puts every read to the user, one after the other; a refused one is not run", async () => {
  const asked: string[] = [];
  const t = await testAgent({
    ...free,
    permissions: "ask",
    files: { "a.txt": "hello\n", "b.txt": "secret thing\n" },
    steps: [
      {
        calls: [
          { name: "read_file", arguments: '{"path":"a.txt"}' },
          { name: "read_file", arguments: '{"path":"b.txt"}' },
        ],
      },
      { text: "Done." },
    ],
    answer: ({ content }) => {
      if (content.kind !== "read") throw new Error("only reads");
      asked.push(content.arguments);
      return content.arguments.includes("b.txt") ? "reject" : "approve";
    },
  });
  await t.run("go");
  expect(asked).toEqual(['{"path":"a.txt"}', '{"path":"b.txt"}']);
  expect(t.results()[0]).toContain("hello");
  expect(t.results()[1]).toContain("rejected");
  expect(JSON.stringify(t.model.requests)).not.toContain("secret thing");
});

it("trusted applies patches inside the workspace and shows them all the same", async () => {
  const t = await testAgent({
    ...free,
    permissions: "trusted",
    steps: [patch, { text: "Done." }],
    answer: ({ content }) => {
      throw new Error(`asked for ${content.kind}`);
    },
  });
  await t.run("go");
  expect(t.read("new.txt")).toBe("x\n");
  expect(decisions(t)).toEqual([{ verdict: "approve", by: "mode:trusted" }]);
  expect(t.proposals("patch")).toHaveLength(1);
});

it("guided work asks whatever the mode and the rules allow, and a deny rule holds there, too", async () => {
  const rules: Rule[] = [
    { effect: "allow", tool: "*" },
    { id: "no-touch", effect: "deny", tool: "*", argv: ["touch", "**"] },
  ];
  const t = await testAgent({
    permissions: "trusted",
    settings: { permissions: { rules } },
    steps: [patch, command("touch", "x"), { text: "Done." }],
  });
  await t.run("go");
  expect(decisions(t)).toEqual([
    { verdict: "approve", by: "user" }, // the plan
    { verdict: "approve", by: "user" },
    { verdict: "deny", by: "rule:no-touch" },
  ]);
  expect(t.results().at(-1)).toContain("The user's own rules deny this (rule:no-touch)");
});

it("a rule denies what a wrapper or a command line hides", async () => {
  const settings = {
    permissions: { rules: [{ id: "no-curl", effect: "deny" as const, tool: "*", argv: ["curl", "**"] }] },
  };
  const t = await testAgent({
    ...free,
    settings,
    steps: [
      command("env", "curl", "http://example.invalid"),
      call("run_shell", { command: "ls $(curl http://example.invalid)", reason: "r" }),
      { text: "Done." },
    ],
  });
  await t.run("go");
  expect(decisions(t)).toEqual([
    { verdict: "deny", by: "rule:no-curl" },
    { verdict: "deny", by: "rule:no-curl" },
  ]);
});

it("a rule denies reading a path it names", async () => {
  const t = await testAgent({
    ...free,
    files: { "private/notes.txt": "mine\n" },
    settings: { permissions: { rules: [{ effect: "deny", tool: "*", path: "private/**" }] } },
    steps: [call("read_file", { path: "./private/notes.txt" }), { text: "Done." }],
  });
  await t.run("go");
  expect(t.results()[0]).toBe("private/notes.txt is closed by the user's permission rule:1.");
  expect(JSON.stringify(t.model.requests)).not.toContain("mine");
});

it("RUN always passes the same command until one of its inputs changes", async () => {
  const steps = [command("node", "job.mjs"), { text: "Done." }];
  const t = await testAgent({
    ...free,
    files: { "job.mjs": "console.log('one')\n" },
    steps: [...steps, ...steps, ...steps],
    answer: ({ always }) => (always ? { verdict: "approve", always: true } : "reject"),
  });
  await t.run("go");
  await t.run("again");
  writeFileSync(join(t.root, "job.mjs"), "console.log('two')\n");
  await t.run("and again");
  const [first, second, third] = decisions(t);
  expect(first).toEqual({ verdict: "approve", by: "user" });
  expect(second).toMatchObject({ verdict: "approve", by: expect.stringMatching(/^rule:always-\d+$/) });
  expect(third).toEqual({ verdict: "approve", by: "user" });
});

it("RUN always is offered neither for what destroys nor for what cannot be read, and not in guided work", async () => {
  const steps = [command("rm", "a.txt"), command("sh", "x.sh"), { text: "Done." }];
  const t = await testAgent({ ...free, files: { "a.txt": "", "x.sh": "" }, steps, answer: () => "approve" });
  await t.run("go");
  expect(t.proposals("command").map(({ always }) => always)).toEqual([false, false]);
  const guided = await testAgent({
    files: { "a.mjs": "" },
    steps: [command("node", "a.mjs"), { text: "Done." }],
  });
  await guided.run("go");
  expect(guided.proposals("command").map(({ always }) => always)).toEqual([undefined]);
});

it("nothing in the workspace loosens anything (TH59)", async () => {
  const t = await testAgent({ ...free, steps: [patch, { text: "Done." }], answer: () => "reject" });
  mkdirSync(join(t.root, ".minicode"));
  const loose = JSON.stringify({ permissions: { mode: "trusted", rules: [{ effect: "allow", tool: "*" }] } });
  for (const path of [".minicode/settings.json", "settings.json", ".minicode/config.json"])
    writeFileSync(join(t.root, path), loose);
  await t.run("go");
  expect(decisions(t)).toEqual([{ verdict: "reject", by: "user" }]);
});

it("the mode can change while a task runs, and counts from the next proposal on", async () => {
  const t = await testAgent({
    ...free,
    files: { "a.txt": "x\n" },
    steps: [
      patch,
      call("apply_patch", { reason: "r", changes: [{ path: "b.txt", content: "y\n" }] }),
      { text: "Done." },
    ],
    answer: () => {
      t.agent.permissions.mode = "trusted";
      return "approve";
    },
  });
  await t.run("go");
  expect(decisions(t)).toEqual([
    { verdict: "approve", by: "user" },
    { verdict: "approve", by: "mode:trusted" },
  ]);
});
