// An approval is for the very files that it was shown with: the manifest is bound by its content, for RUN and for RUN always.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, project, testAgent } from "../helpers/agent.ts";

const manifest = (test: string): string => JSON.stringify({ name: "p", version: "1.0.0", scripts: { test } });
const npmTest = call("run_command", { argv: ["npm", "test"], reason: "r" });

describe("TH56 the test script changes after it was approved", () => {
  it("while the question is open: nothing runs, and what changed is named", async () => {
    const t = await testAgent({
      guided: false,
      files: project({ "test.mjs": "" }),
      steps: [npmTest, { text: "Done." }],
      answer: () => {
        writeFileSync(join(t.root, "package.json"), manifest("touch PWNED"));
        return "approve";
      },
    });
    await t.run("go");
    expect(t.results()[0]).toContain("package.json changed since it was shown. Nothing was run");
    expect(() => t.read("PWNED")).toThrow();
  });

  it("after RUN always: it is asked again, with the new script", { timeout: 30_000 }, async () => {
    const scripts: string[][] = [];
    const t = await testAgent({
      guided: false,
      files: { "package.json": manifest("true") },
      steps: [npmTest, npmTest, { text: "Done." }, npmTest, { text: "Done." }],
      answer: ({ content, always }) => {
        if (content.kind !== "command") throw new Error("only commands");
        scripts.push(content.commands.flatMap((command) => command.scripts.map(({ body }) => body)));
        return scripts.length === 1 && always ? { verdict: "approve", always: true } : "reject";
      },
    });
    await t.run("go");
    expect(scripts).toEqual([["true"]]);
    writeFileSync(join(t.root, "package.json"), manifest("touch PWNED"));
    await t.run("again");
    expect(scripts).toEqual([["true"], ["touch PWNED"]]);
    expect(() => t.read("PWNED")).toThrow();
  });
});
