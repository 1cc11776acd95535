import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommandTool } from "../../src/tools/run-command.ts";
import { sha256 } from "../../src/util/hash.ts";
import { unconfined } from "../helpers/sandbox.ts";
import { bench } from "./context.ts";

async function commands(files: Record<string, string> = {}) {
  const b = await bench(files);
  const tool = runCommandTool({ timeoutMs: 4000, environment: b.environment, sandbox: unconfined });
  const input = (argv: string[], cwd?: string) => ({
    argv,
    reason: "r",
    ...(cwd === undefined ? {} : { cwd }),
  });
  return {
    root: b.root,
    environment: b.environment,
    tool,
    refused: (argv: string[], cwd?: string) => b.answer(tool, input(argv, cwd)),
    async content(argv: string[], cwd?: string) {
      const prepared = await b.prepare(tool, input(argv, cwd));
      if (prepared.kind !== "effect" || prepared.content.kind !== "command") {
        throw new Error(`not proposed: ${JSON.stringify(prepared)}`);
      }
      return prepared.content;
    },
  };
}

describe("run_command", () => {
  it("proposes exactly the argv, with the program's real path, the folder, its inputs and its limit", async () => {
    const t = await commands({ "src/s.mjs": "1\n" });
    const content = await t.content(["node", "s.mjs", "a b", "$(touch x)", "*"], "src");
    expect(content).toEqual({
      kind: "command",
      reason: "r",
      commands: [
        {
          argv: ["node", "s.mjs", "a b", "$(touch x)", "*"],
          cwd: "src",
          cwdId: expect.stringMatching(/^\d+:\d+$/),
          program: expect.stringMatching(/^\/.*\/node$/),
          programId: expect.stringMatching(/^\d+:\d+:\d+:\d+$/),
          timeoutMs: 4000,
          inputs: [{ path: "src/s.mjs", hash: sha256("1\n") }],
          scripts: [],
        },
      ],
      traits: [{ trait: "runs-project-code", because: "s.mjs" }],
      environment: Object.keys(t.environment).sort(),
      sandbox: unconfined,
    });
    expect(content).not.toHaveProperty("check");
  });

  it("shows the scripts that npm will run", async () => {
    const scripts = { pretest: "tsc", test: "node t.mjs", build: "x" };
    const t = await commands({ "package.json": JSON.stringify({ scripts }) });
    expect((await t.content(["npm", "test"])).commands[0]?.scripts).toEqual([
      { name: "pretest", body: "tsc" },
      { name: "test", body: "node t.mjs" },
    ]);
  });

  it("runs a program of the workspace by its path, bound by its content", async () => {
    const t = await commands({ "tool.sh": "#!/bin/sh\n", "plain.sh": "#!/bin/sh\n" });
    chmodSync(join(t.root, "tool.sh"), 0o755);
    const [command] = (await t.content(["./tool.sh"])).commands;
    expect(command?.program).toBe(join(t.root, "tool.sh"));
    expect(command?.inputs).toEqual([{ path: "tool.sh", hash: sha256("#!/bin/sh\n") }]);
    expect(await t.refused(["./plain.sh"])).toMatchObject({
      outcome: "error",
      content: "plain.sh is not executable. Name the interpreter first, then the file.",
    });
  });

  it.each<[string, string[], string | undefined, string]>([
    ["a program that is not there", ["no-such-program-4711"], undefined, "error"],
    ["a whole command line as one word", ["npm test"], undefined, "invalid"],
    ["no program", [""], undefined, "invalid"],
    ["a NUL", ["echo", "a\0b"], undefined, "invalid"],
    ["too many words", ["echo", ...Array.from({ length: 64 }, () => "x")], undefined, "invalid"],
    ["a protected file as an argument", ["cat", ".env"], undefined, "blocked"],
    ["a hidden file as an option's value", ["node", "--env-file=hidden.txt"], undefined, "blocked"],
    ["a folder outside", ["ls"], "..", "blocked"],
    ["a folder that is not there", ["ls"], "nowhere", "error"],
    ["a file as the folder", ["ls"], "plain.txt", "error"],
    ["a program outside", ["/work/../tmp/x"], undefined, "blocked"],
  ])("refuses %s", async (_, argv, cwd, outcome) => {
    const files = {
      ".env": "K=1\n",
      "hidden.txt": "x\n",
      "plain.txt": "x\n",
      ".minicodeignore": "hidden.txt\n",
    };
    const t = await commands(files);
    expect((await t.refused(argv, cwd)).outcome).toBe(outcome);
  });

  it("wants a reason and at least one word", async () => {
    const { tool } = await commands();
    expect(tool.input.safeParse({ argv: ["ls"] }).success).toBe(false);
    expect(tool.input.safeParse({ argv: [], reason: "r" }).success).toBe(false);
    expect(tool.input.safeParse({ argv: "ls", reason: "r" }).success).toBe(false);
    expect(tool.label(tool.input.parse({ argv: ["ls", "-l"], reason: "r" }))).toBe("run ls -l");
  });
});
