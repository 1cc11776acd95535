// What commands make counts as changed, whether or not git tracks it.
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";
import { repository } from "../workspace/git-fixture.ts";

const workspace = (): string =>
  repository({
    "package.json": '{"scripts":{"test":"node test.mjs"}}',
    "test.mjs": "process.exit(0);\n",
    "a.js": "1\n",
  });

describe("files that a command makes", () => {
  it.each([
    ["run_shell", { command: "cp a.js b.js && touch z", reason: "r" }],
    ["run_command", { argv: ["cp", "a.js", "b.js"], reason: "r" }],
  ])("by %s are a change, and the check is offered", async (tool, input) => {
    const t = await testAgent({
      guided: false,
      root: workspace(),
      permissions: "trusted",
      steps: [call(tool, input), { text: "Copied." }],
    });
    const outcome = await t.run("go");
    expect(outcome.work).toEqual({ state: "verified" });
    const ended = t.events.find((event) => event.type === "task-ended");
    expect(ended?.type === "task-ended" && ended.receipt.drift).toContain("b.js");
    expect(t.results()[0]).toContain("b.js");
  });

  it("that git ignores are none, nor is what a check leaves behind", async () => {
    const root = repository({
      "package.json": '{"scripts":{"test":"node test.mjs"}}',
      "test.mjs": "import { writeFileSync } from 'node:fs'; writeFileSync('report.xml', '');\n",
      ".gitignore": "out/\n",
      "out/keep": "",
    });
    const t = await testAgent({
      guided: false,
      root,
      steps: [
        call("run_shell", { command: "mkdir -p out/x && touch out/x/y", reason: "r" }),
        call("run_check", {}),
        { text: "Done." },
      ],
    });
    const outcome = await t.run("go");
    expect(outcome.work).toEqual({ state: "none" });
  });

  it("are still one after a restart", async () => {
    const root = workspace();
    const first = await testAgent({
      guided: false,
      root,
      answer: ({ content }) => (content.kind === "command" && content.check ? "reject" : "approve"),
      steps: [call("run_shell", { command: "cp a.js b.js", reason: "r" }), { text: "Copied." }],
    });
    expect((await first.run("go")).work).toEqual({ state: "unverified", why: "check_refused" });
    await first.agent.close();
    const again = await testAgent({
      guided: false,
      root,
      data: first.data,
      session: { kind: "resume", id: first.agent.session },
      steps: [{ text: "Nothing to do." }],
    });
    expect((await again.run("and now?")).work).toEqual({ state: "verified" });
  });
});
