// Checks with the real npm, node and python: what a repository's own settings try, and what the output says.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Command } from "../../src/protocol/proposal.ts";
import { condense, failingNames } from "../../src/workspace/check-output.ts";
import { discoverCheck } from "../../src/workspace/checks.ts";
import { bindCommand, runCommand } from "../../src/workspace/command.ts";
import { childEnvironment } from "../../src/workspace/environment.ts";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import type { ProcessEnd } from "../../src/workspace/process.ts";
import { freely } from "../helpers/sandbox.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";

let folder: TestFolder;
let gate: PathGate;

beforeEach(async () => {
  folder = testFolder();
  gate = await openPathGate(folder.ws);
});
afterEach(async () => {
  await gate.close();
  folder.remove();
});

/** Finds the check, binds and runs it in the environment that children get. */
async function check(parent: NodeJS.ProcessEnv = process.env): Promise<Ran> {
  const env = childEnvironment(parent, folder.ws);
  const found = await discoverCheck(gate, [], { timeoutMs: 60_000, env });
  const command = found.ok ? found.value?.commands[0] : undefined;
  if (command === undefined) throw new Error(JSON.stringify(found));
  return run(command, env);
}

type Ran = ProcessEnd & { text: string };

async function run(command: Command, env: Record<string, string>): Promise<Ran> {
  const ran = await runCommand(gate, command, freely(env), new AbortController().signal);
  if (!ran.ok) throw new Error(ran.refusal.message);
  return { ...ran.value, text: ran.value.output.toString() };
}

function failingTest(path: string): void {
  folder.write(
    path,
    'import test from "node:test";\nimport assert from "node:assert";\ntest("one", () => assert.equal(1, 2));\n',
  );
}

describe("TH86–TH88 npm test", () => {
  test("a repository's script-shell and node-options, and the user's NODE_OPTIONS, run nothing", async () => {
    folder.write(
      "package.json",
      '{"scripts":{"pretest":"echo pre","test":"node t.js","posttest":"echo post"}}',
    );
    folder.write(
      "t.js",
      'console.log("tested", process.env.OPENAI_API_KEY, process.env.NODE_OPTIONS || "no options");',
    );
    folder.write("evil.sh", '#!/bin/sh\ntouch PWNED\nexec /bin/sh "$@"\n', 0o755);
    folder.write("evil.cjs", 'require("node:fs").writeFileSync("PWNED", "");');
    folder.write(".npmrc", `script-shell=./evil.sh\nnode-options=--require=${folder.ws}/evil.cjs\n`);
    const user = {
      ...process.env,
      NODE_OPTIONS: `--require=${folder.ws}/evil.cjs`,
      OPENAI_API_KEY: "sk-5519",
    };
    const env = childEnvironment(user, folder.ws);
    const called = await bindCommand(gate, {
      argv: ["npm", "run", "test"],
      cwd: ".",
      timeoutMs: 60_000,
      env,
    });
    if (!called.ok) throw new Error(called.refusal.message);
    const ends = [await check(user), await run(called.value, env)];
    expect(ends.map(({ exit }) => exit)).toEqual([0, 0]);
    for (const { text } of ends)
      expect(text).toMatch(/^pre\n(?:.*\n)*tested undefined no options\n(?:.*\n)*post\n$/m);
    expect(existsSync(join(folder.ws, "PWNED"))).toBe(false);
  });

  test("a failing node:test suite is told in a few lines", async () => {
    folder.write("package.json", '{"type":"module","scripts":{"test":"node --test"}}');
    failingTest("test/a.test.js");
    const { exit, text, leftBehind } = await check();
    expect({ exit, leftBehind }).toEqual({ exit: 1, leftBehind: 0 });
    expect(failingNames(text)).toEqual(["one"]);
    expect(condense(text, ["one"])).toMatch(/^✖ one\n(?:.*\n)*.*1 == 2/);
    expect(condense(text, ["one"])).not.toMatch(/node:internal|duration_ms|> node --test/);
  });
});

test("node --test for a package without a script", async () => {
  folder.write("package.json", '{"type":"module"}');
  failingTest("a.test.js");
  const { exit, text } = await check();
  expect(exit).toBe(1);
  expect(failingNames(text)).toEqual(["one"]);
});
