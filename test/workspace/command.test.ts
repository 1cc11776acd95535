// Binding, re-checking and running one program. TH15, TH56, TH58, TH86–TH88, K02.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Command } from "../../src/protocol/proposal.ts";
import type { Result } from "../../src/protocol/refusal.ts";
import { sha256 } from "../../src/util/hash.ts";
import { bindCommand, type CommandRequest, runCommand, verifyCommand } from "../../src/workspace/command.ts";
import { childEnvironment } from "../../src/workspace/environment.ts";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import { freely } from "../helpers/sandbox.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";

let folder: TestFolder;
let gate: PathGate;
let env: Record<string, string>;

beforeEach(async () => {
  folder = testFolder();
  gate = await openPathGate(folder.ws);
  env = childEnvironment(process.env, folder.ws);
});
afterEach(async () => {
  await gate.close();
  folder.remove();
});

function bind(argv: string[], more: Partial<CommandRequest> = {}): Promise<Result<Command>> {
  return bindCommand(gate, { argv, cwd: ".", timeoutMs: 20_000, env, ...more });
}

async function bound(argv: string[], more: Partial<CommandRequest> = {}): Promise<Command> {
  return valueOfResult(await bind(argv, more));
}

function valueOfResult<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.refusal.outcome}: ${result.refusal.message}`);
  return result.value;
}

function refusal(result: Result<unknown>): string {
  return result.ok ? "(was allowed)" : `${result.refusal.outcome}: ${result.refusal.message}`;
}

async function output(command: Command): Promise<string> {
  const end = valueOfResult(await runCommand(gate, command, freely(env), new AbortController().signal));
  expect(end.spawnError).toBeUndefined();
  return end.output.toString();
}

/** A program outside the workspace, in a folder that PATH names first. */
function toolOnPath(name: string, body: string): string {
  const bin = join(folder.base, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), body, { mode: 0o755 });
  env["PATH"] = `${bin}:${env["PATH"]}`;
  return join(bin, name);
}

describe("the program", () => {
  test("a bare name is the real file that PATH finds, and keeps its name", async () => {
    const file = toolOnPath("real-tool", '#!/bin/sh\necho "$@"\n');
    symlinkSync(file, join(folder.base, "bin", "tool"));
    const command = await bound(["tool", "a b", "c"]);
    expect(command).toMatchObject({ argv: ["tool", "a b", "c"], program: file, cwd: ".", timeoutMs: 20_000 });
    expect(command.programId).toMatch(/^\d+:\d+:\d+:\d+$/);
    expect(command.cwdId).toMatch(/^\d+:\d+$/);
    expect(await output(command)).toBe("a b c\n");
  });

  test("TH15 a name never means a file that the workspace brought", async () => {
    folder.write("ls", "#!/bin/sh\necho evil\n", 0o755);
    env = childEnvironment({ PATH: `.:${folder.ws}:/usr/bin` }, folder.ws);
    const command = await bound(["ls"]);
    expect(command.program).toMatch(/^\/usr\/bin\//);
    expect(await output(command)).toBe("ls\n");
  });

  test('a name with "/" is a workspace file seen from the folder, and its content is bound', async () => {
    folder.write("sub/run.sh", "#!/bin/sh\necho $0\n", 0o755);
    const command = await bound(["./run.sh"], { cwd: "sub" });
    expect(command.program).toBe(join(folder.ws, "sub/run.sh"));
    expect(command.inputs).toEqual([{ path: "sub/run.sh", hash: sha256("#!/bin/sh\necho $0\n") }]);
    expect(await output(command)).toBe(`${folder.ws}/sub/run.sh\n`);
    expect((await bound(["sub/run.sh"])).program).toBe(command.program);
    expect((await bound([join(folder.ws, "sub/run.sh")])).program).toBe(command.program);
  });

  test("a link in the workspace is followed to the file that will run, which is shown", async () => {
    folder.write("node_modules/tool/cli.sh", "#!/bin/sh\necho cli\n", 0o755);
    mkdirSync(join(folder.ws, "node_modules/.bin"));
    symlinkSync("../tool/cli.sh", join(folder.ws, "node_modules/.bin/tool"));
    const command = await bound(["node_modules/.bin/tool"]);
    expect(command.program).toBe(join(folder.ws, "node_modules/tool/cli.sh"));
    expect(await output(command)).toBe("cli\n");
  });

  test("argv0 is as it was written: a virtual environment's python is found by it", async () => {
    folder.write(".venv/bin/keep", "");
    symlinkSync("/bin/bash", join(folder.ws, ".venv/bin/bash"));
    const command = await bound([".venv/bin/bash", "-c", "tr '\\0' ' ' </proc/$$/cmdline"]);
    expect(command.program).toMatch(/\/bash$/);
    expect(await output(command)).toMatch(/^\.venv\/bin\/bash -c /);
  });

  test("an absolute path outside is taken when PATH means the same file by that name", async () => {
    const file = toolOnPath("tool", "#!/bin/sh\n");
    expect((await bound([file])).program).toBe(file);
    const other = join(folder.base, "other");
    copyFileSync(file, other);
    expect(refusal(await bind([other]))).toBe(
      `blocked: ${other} is outside the workspace (${folder.ws}). Use a path inside it.`,
    );
  });

  test.each([
    ["no-such-tool", "error: There is no program no-such-tool in PATH."],
    ["npm test", 'invalid: "npm test" is taken as one program name. Give each argument as its own string.'],
    ["./nothing", "error: There is no such program: nothing."],
    ["./src", "error: src is a folder, not a program."],
    ["./src/a.py", "error: src/a.py is not executable. Name the interpreter first, then the file."],
    ["local", "error: There is no program local in PATH. Use node_modules/.bin/local instead."],
    [".git/hooks/x", "blocked: .git/hooks/x is protected (.git): MiniCode never reads or changes it."],
    ["secret/x", "blocked: secret/x is hidden by .minicodeignore: it cannot be read or changed."],
    ["sneaky", "blocked: .git/hooks/x is protected (.git): MiniCode never reads or changes it."],
  ])("%s is refused", async (name, message) => {
    folder.write("src/a.py", "");
    folder.write("node_modules/.bin/local", "", 0o755);
    folder.write(".git/hooks/x", "", 0o755);
    folder.write("secret/x", "", 0o755);
    folder.write(".minicodeignore", "secret/\n");
    symlinkSync(".git/hooks/x", join(folder.ws, "sneaky"));
    expect(refusal(await bind([name === "sneaky" ? "./sneaky" : name]))).toBe(message);
  });
});

describe("limits and folders", () => {
  test.each([
    ["no words", [], "invalid: The command names no program."],
    ["an empty name", ["", "x"], "invalid: The command names no program."],
    ["a NUL", ["ls", "a\0b"], "invalid: A word of the command has a NUL character in it."],
  ])("%s", async (_, argv, message) => {
    expect(refusal(await bind(argv))).toBe(message);
  });

  test("64 words and 8,000 characters pass, one more does not; hidden characters pass", async () => {
    expect((await bind(["true", ...Array<string>(63).fill("x")])).ok).toBe(true);
    expect(refusal(await bind(["true", ...Array<string>(64).fill("x")]))).toMatch(/^invalid: .*65 words/);
    expect((await bind(["true", "x".repeat(7996)])).ok).toBe(true);
    expect(refusal(await bind(["true", "x".repeat(7997)]))).toMatch(/^invalid: .*8001 characters/);
    expect((await bound(["true", "a\u202Eb\n\x1b"])).argv[1]).toBe("a\u202Eb\n\x1b");
  });

  test("TH58 a folder outside, missing, protected or a file is refused", async () => {
    folder.write("file", "");
    mkdirSync(join(folder.ws, ".git"));
    symlinkSync("/tmp", join(folder.ws, "link"));
    for (const cwd of ["..", "/", "~", "missing", ".git", "file", "link"]) {
      expect(refusal(await bind(["true"], { cwd }))).toMatch(/^(?:blocked|error): /);
    }
    expect((await bound(["true"], { cwd: folder.ws })).cwd).toBe(".");
  });
});

describe("inputs", () => {
  test("every word that names a workspace file is bound by its content", async () => {
    folder.write("sub/main.js", "1");
    folder.write("config.json", "{}");
    folder.write("big", Buffer.alloc(32 * 1024 * 1024 + 1));
    const argv = [
      "node",
      "--test",
      "main.js",
      "--config=../config.json",
      "../big",
      "..",
      "nothing",
      "/etc/passwd",
      "-x",
    ];
    const { inputs } = await bound(argv, { cwd: "sub", inputs: ["config.json", "missing"] });
    expect(inputs).toEqual([
      { path: "config.json", hash: sha256("{}") },
      { path: "sub/main.js", hash: sha256("1") },
    ]);
  });

  test("a word that names what the gate keeps closed refuses the command", async () => {
    folder.write(".env", "KEY=1");
    folder.write("sub/private/a", "x");
    folder.write(".minicodeignore", "private/\n");
    expect(refusal(await bind(["cat", ".env"]))).toMatch(/^blocked: \.env is protected/);
    expect(refusal(await bind(["cat", "../.env"], { cwd: "sub" }))).toMatch(/^blocked: \.env is protected/);
    expect(refusal(await bind(["node", `--env-file=${folder.ws}/.env`]))).toMatch(
      /^blocked: \.env is protected/,
    );
    expect(refusal(await bind(["ls", "sub/private"]))).toMatch(/^blocked: .*\.minicodeignore/);
    expect((await bind(["echo", ".env.local"])).ok).toBe(true);
  });

  test("TH56, TH86, TH88 npm: manifest, .npmrc, runner configuration and entry file are bound; all bodies are shown", async () => {
    const manifest = JSON.stringify({
      scripts: {
        pretest: "npm run lint",
        test: "node --env-file=.env --test test/all.js && yarn -s extra",
        posttest: "echo done",
        lint: "eslint .",
        preextra: "echo pre",
        extra: "vitest run",
        other: "rm -rf /",
      },
    });
    folder.write("package.json", manifest);
    folder.write(".npmrc", "script-shell=./evil");
    folder.write(".env", "A=1");
    folder.write("pkg/keep", "");
    folder.write("vitest.config.ts", "export default {}");
    folder.write("test/all.js", "test");
    for (const [argv, cwd] of [
      [["npm", "test"], "."],
      [["npm", "run-script", "test", "--", "-x"], "pkg"],
    ] as const) {
      const { inputs, scripts } = await bound([...argv], { cwd });
      expect(inputs.map(({ path }) => path)).toEqual([
        ".npmrc",
        "package.json",
        "test/all.js",
        "vitest.config.ts",
      ]);
      expect(scripts.map(({ name }) => name)).toEqual([
        "pretest",
        "test",
        "posttest",
        "lint",
        "preextra",
        "extra",
      ]);
      expect(scripts[0]).toEqual({ name: "pretest", body: "npm run lint" });
    }
    expect(await bound(["npm", "ls"])).toMatchObject({ inputs: [], scripts: [] });
    const unknown = await bound(["npm", "run", "toString"]);
    expect(unknown).toMatchObject({ inputs: [{ path: "package.json" }], scripts: [] });
  });

  test("npm without a package.json would leave the workspace; one that is broken is named", async () => {
    writeFileSync(join(folder.base, "package.json"), '{"scripts":{"test":"echo outside"}}');
    expect(refusal(await bind(["npm", "test"]))).toBe(
      "blocked: There is no package.json in . or above it, and npm would look for one outside the workspace.",
    );
    folder.write("package.json", "{");
    expect(refusal(await bind(["npm", "test"]))).toMatch(/^error: package\.json is not a JSON object/);
  });
});

describe("what changed since it was shown", () => {
  const request = { inputs: ["conf"] };

  async function changedAfter(change: () => void): Promise<string> {
    const tool = toolOnPath("tool", "#!/bin/sh\n:\n");
    folder.write("sub/entry.js", "1");
    folder.write("conf", "1");
    const command = await bound(["tool", "entry.js"], { cwd: "sub", ...request });
    expect(command.program).toBe(tool);
    expect(await verifyCommand(gate, command)).toEqual({ ok: true, value: undefined });
    change();
    const verified = refusal(await verifyCommand(gate, command));
    expect(refusal(await runCommand(gate, command, freely(env), new AbortController().signal))).toBe(
      verified,
    );
    return verified.replace(folder.base, "");
  }

  test.each<[string, string, () => void]>([
    ["an operand's content", "sub/entry.js", () => folder.write("sub/entry.js", "2")],
    ["an input that is gone", "conf", () => rmSync(join(folder.ws, "conf"))],
    [
      "an input that became a link",
      "conf",
      () => {
        renameSync(join(folder.ws, "conf"), join(folder.ws, "conf2"));
        symlinkSync("conf2", join(folder.ws, "conf"));
      },
    ],
    [
      "the program's content",
      "/bin/tool",
      () => writeFileSync(join(folder.base, "bin/tool"), "#!/bin/sh\n#2\n"),
    ],
    ["the program's time", "/bin/tool", () => utimesSync(join(folder.base, "bin/tool"), 1, 1)],
    ["the program is gone", "/bin/tool", () => rmSync(join(folder.base, "bin/tool"))],
    [
      "the folder is another one",
      "the folder sub",
      () => {
        renameSync(join(folder.ws, "sub"), join(folder.ws, "old"));
        folder.write("sub/entry.js", "1");
      },
    ],
  ])("%s", async (_, what, change) => {
    expect(await changedAfter(change)).toBe(
      `error: ${what} changed since it was shown. Nothing was run; call again to have it shown anew.`,
    );
  });

  test("the folder is gone, or the policy closed it", async () => {
    expect(await changedAfter(() => rmSync(join(folder.ws, "sub"), { recursive: true }))).toMatch(
      /^error: There is no/,
    );
    folder.write("sub/entry.js", "1");
    expect(await changedAfter(() => folder.write(".minicodeignore", "sub/\n"))).toMatch(
      /^blocked: sub is hidden/,
    );
  });

  test("a program put first in PATH afterwards is not run", async () => {
    const command = await bound(["true"]);
    toolOnPath("true", "#!/bin/sh\necho evil\n");
    expect(await output(command)).toBe("");
  });

  test("mode and owner may change: what cannot be started says so", async () => {
    const tool = toolOnPath("tool", "#!/bin/sh\n");
    const command = await bound(["tool"]);
    chmodSync(tool, 0o644);
    const end = valueOfResult(await runCommand(gate, command, freely(env), new AbortController().signal));
    expect(end.spawnError).toMatch(/EACCES/);
  });
});

test("K02 the key is in no child", async () => {
  env = childEnvironment({ ...process.env, OPENAI_API_KEY: "sk-test-ENV-5519" }, folder.ws);
  const text = await output(
    await bound(["/bin/bash", "-c", 'printenv | grep -c 5519; [ -n "$PATH" ] && [ -n "$HOME" ] && echo ok']),
  );
  expect(text).toBe("0\nok\n");
});

test("output is passed on while it runs, and a cancelled run is a result", async () => {
  const cancel = new AbortController();
  const shown: string[] = [];
  const command = await bound(["bash", "-c", "echo started; sleep 300"]);
  const end = valueOfResult(
    await runCommand(gate, command, freely(env), cancel.signal, (text) => {
      shown.push(text);
      cancel.abort();
    }),
  );
  expect(end).toMatchObject({ cancelled: true });
  expect(shown.join("")).toBe("started\n");
});
