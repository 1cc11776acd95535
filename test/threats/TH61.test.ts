// RUN always is for the very same command with the very same inputs, and is not offered to what reaches further than these.
// limit: the project's own code beyond the files that the panel lists may change; the panel says so
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";

const command = (argv: string[]) => call("run_command", { argv, reason: "r" });

describe("TH61 an always that covers too much", () => {
  it.each([
    [["git", "push"]],
    [["git", "commit", "-m", "x"]],
    [["bash", "-c", "true"]],
    [["sh", "-c", "ls"]],
    [["npx", "cowsay"]],
    [["npm", "exec", "cowsay"]],
    [["python3", "-c", "print(1)"]],
    [["node", "-e", "1"]],
    [["env", "ls"]],
    [["sudo", "ls"]],
    [["curl", "http://h"]],
    [["rm", "x"]],
  ])("%j is not offered one", async (argv) => {
    const t = await testAgent({
      guided: false,
      answer: () => "reject",
      steps: [command(argv), { text: "Done." }],
    });
    await t.run("go");
    for (const { always } of t.proposals("command")) expect(always).toBe(false);
  });

  it("what is offered one passes only word for word", async () => {
    const t = await testAgent({
      guided: false,
      files: { "a.mjs": "" },
      answer: ({ always }) => (always ? { verdict: "approve", always: true } : "reject"),
      steps: [
        command(["node", "a.mjs"]),
        command(["node", "a.mjs"]),
        command(["node", "a.mjs", "--more"]),
        { text: "Done." },
      ],
    });
    await t.run("go");
    const by = t.events.flatMap((e) => (e.type === "decision" ? [e.decision.by] : []));
    expect(by).toEqual(["user", expect.stringMatching(/^rule:always-/), "user"]);
  });
});
