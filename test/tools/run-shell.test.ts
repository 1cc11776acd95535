import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { blockReason } from "../../src/agent/permission.ts";
import { en } from "../../src/i18n/en.ts";
import { toolsFor } from "../../src/tools/registry.ts";
import { runShellTool } from "../../src/tools/run-shell.ts";
import { sha256 } from "../../src/util/hash.ts";
import { commandPanel } from "../../src/view/command-panel.ts";
import { rowsToText } from "../../src/view/plain.ts";
import { call, testAgent } from "../helpers/agent.ts";
import { unconfined } from "../helpers/sandbox.ts";
import { tempFolder } from "../workspace/git-fixture.ts";
import { bench } from "./context.ts";

async function shell(files: Record<string, string> = {}) {
  const b = await bench(files);
  const tool = runShellTool({ timeoutMs: 4000, environment: b.environment, sandbox: unconfined });
  const input = (command: string, cwd?: string) => ({
    command,
    reason: "r",
    ...(cwd === undefined ? {} : { cwd }),
  });
  return {
    root: b.root,
    environment: b.environment,
    tool,
    refused: (command: string, cwd?: string) => b.answer(tool, input(command, cwd)),
    async content(command: string, cwd?: string) {
      const prepared = await b.prepare(tool, input(command, cwd));
      if (prepared.kind !== "effect" || prepared.content.kind !== "command") {
        throw new Error(`not proposed: ${JSON.stringify(prepared)}`);
      }
      return prepared.content;
    },
  };
}

describe("run_shell", () => {
  it("proposes the shell's real argv with the text as its last word, and the files that its parts name", async () => {
    const t = await shell({ "src/s.mjs": "1\n", "src/a b": "2\n" });
    const text = "cd src && node s.mjs | head -3\ncat 'a b'";
    const content = await t.content(text);
    expect(content).toEqual({
      kind: "command",
      reason: "r",
      shell: text,
      commands: [
        {
          argv: ["/bin/bash", "--noprofile", "--norc", "-p", "-c", "--", text],
          cwd: ".",
          cwdId: expect.stringMatching(/^\d+:\d+$/),
          program: expect.stringMatching(/\/bin\/bash$/),
          programId: expect.stringMatching(/^\d+:\d+:\d+:\d+$/),
          timeoutMs: 4000,
          inputs: [{ path: "src/s.mjs", hash: sha256("1\n") }],
          scripts: [],
        },
      ],
      traits: [
        { trait: "reads", because: "cd" },
        { trait: "runs-project-code", because: "s.mjs" },
      ],
      environment: Object.keys(t.environment).sort(),
      sandbox: unconfined,
    });
  });

  it("binds and shows the package scripts that its parts run", async () => {
    const scripts = { pretest: "tsc", test: "node t.mjs" };
    const t = await shell({ "app/package.json": JSON.stringify({ scripts }), "app/t.mjs": "1\n" });
    const [command] = (await t.content("cd app && npm test 2>&1 | tail -5")).commands;
    expect(command?.scripts).toEqual([
      { name: "pretest", body: "tsc" },
      { name: "test", body: "node t.mjs" },
    ]);
    expect(command?.inputs.map(({ path }) => path)).toEqual(["app/package.json", "app/t.mjs"]);
  });

  it("asks by the files too: K01, TH44", async () => {
    const t = await shell({ ".env": "K=1\n", "src/a.ts": "x\n" });
    symlinkSync(".env", join(t.root, "notes"));
    const opaque = async (text: string, cwd?: string) =>
      (await t.content(text, cwd)).traits.find(({ trait }) => trait === "opaque")?.because;
    expect(await opaque("cat .env")).toBe(".env");
    expect(await opaque("cat notes")).toBe("notes");
    expect(await opaque("grep -r K .")).toBe(".env");
    expect(await opaque("grep -r K src")).toBeUndefined();
    expect(await opaque("cat a.ts", "src")).toBeUndefined();
  });

  it.each<[string, string, string | undefined, string]>([
    ["an empty text", " \n", undefined, "invalid"],
    ["a NUL", "echo a\0b", undefined, "invalid"],
    ["a text that is too long", `echo ${"a".repeat(9000)}`, undefined, "invalid"],
    ["a folder outside", "ls", "..", "blocked"],
    ["a folder that is not there", "ls", "nowhere", "error"],
    ["a protected folder", "ls", ".git", "blocked"],
  ])("refuses %s", async (_, command, cwd, outcome) => {
    expect((await (await shell()).refused(command, cwd)).outcome).toBe(outcome);
  });

  it("is called by its text", async () => {
    const { tool } = await shell();
    expect(tool.label(tool.input.parse({ command: "ls | wc -l", reason: "r" }))).toBe("shell ls | wc -l");
    expect(tool.input.safeParse({ command: "ls" }).success).toBe(false);
  });
});

describe("the panel of a command line", () => {
  async function panel(text: string): Promise<string> {
    const content = await (await shell()).content(text);
    return rowsToText(commandPanel(content, en), { color: false })
      .split("\n")
      .filter((line) => !/^(?:in|program|sandbox|environment|why|time limit):/.test(line))
      .join("\n");
  }

  it("TH22, T02: every part has its own line, padding is counted, the text is below", async () => {
    expect(await panel(`ls -la${" ".repeat(800)}; cd src && cat 'a  b'\nrm keep`)).toMatchInlineSnapshot(`
      "command line:
        1. ls -la
        2. cd src
        3. cat "a  b" (src)
        4. rm keep
      as it is written:
        "ls -la\\{800 spaces}; cd src && cat 'a  b'\\n
        rm keep"
      run: /bin/bash --noprofile --norc -p -c -- (the command line)
      destructive:
        read files (ls)
        destroy work (rm)"
    `);
    expect(await panel(`ls${"\n".repeat(300)}rm x`)).toMatchInlineSnapshot(`
      "command line:
        1. ls
        2. rm x
      as it is written:
        "ls\\{300 newlines}
        rm x"
      run: /bin/bash --noprofile --norc -p -c -- (the command line)
      destructive:
        read files (ls)
        destroy work (rm)"
    `);
    expect(await panel("rm a\u202etxt.b; rm a\u200bb")).toMatchInlineSnapshot(`
      "command line:
        1. "rm a\\u{202E}txt.b"
        2. "rm a\\u{200B}b"
      as it is written: "rm a\\u{202E}txt.b; rm a\\u{200B}b"
      run: /bin/bash --noprofile --norc -p -c -- (the command line)
      destructive:
        do what cannot be seen from here (\\u{202E})
        destroy work (rm)"
    `);
    expect(await panel("for f in *; do rm $f; done > log")).toMatchInlineSnapshot(`
      "command line: 1. rm $f
      as it is written: for f in *; do rm $f; done > log
      run: /bin/bash --noprofile --norc -p -c -- (the command line)
      destructive:
        do what cannot be seen from here (for)
        destroy work (rm)"
    `);
  });
});

/** In the environment of MiniCode itself until the test is over. */
function withEnvironment(name: string, value: string): void {
  process.env[name] = value;
  onTestFinished(() => {
    delete process.env[name];
  });
}

it("TH16: what runs is byte for byte the text, in bash, and nothing of the user's is read at its start", async () => {
  const start = join(tempFolder(), "start");
  writeFileSync(start, "echo started\n");
  withEnvironment("BASH_ENV", start);
  withEnvironment("ENV", start);
  withEnvironment("BASH_FUNC_printf%%", "() { echo replaced; }");
  const text = "printf '%s|' 'a  b' \"$BASH_ENV$ENV\" \"$0\"; x=1; echo $((x+1)) >made; cat made; exit 3";
  const t = await testAgent({
    guided: false,
    steps: [call("run_shell", { command: text, reason: "r" }), { text: "Done." }],
  });
  await t.run("go");
  expect(t.proposals("command").map(({ content }) => content)).toMatchObject([{ shell: text }]);
  expect(t.results()[0]).toMatch(/exit 3.*\n(?:.*\n)?a {2}b\|\|\/bin\/bash\|2/);
});

describe("in guided work", () => {
  const settings = {
    check: { timeoutMs: 1000, environment: {}, sandbox: unconfined },
    command: { timeoutMs: 1000, environment: {}, sandbox: unconfined },
  };
  const has = (session: Parameters<typeof toolsFor>[0]): boolean =>
    toolsFor(session, settings).some(({ name }) => name === "run_shell");

  it("is there only when the user allows it", () => {
    expect(has({ mode: "edit", guided: false })).toBe(true);
    expect(has({ mode: "propose", guided: false })).toBe(false);
    expect(has({ mode: "edit", guided: true })).toBe(false);
    expect(has({ mode: "edit", guided: true, allowShell: true })).toBe(true);
  });

  it("asks for what run_command refuses there, but for git's state", async () => {
    const t = await shell();
    const blocked = async (text: string) =>
      blockReason(await t.content(text), { mode: "edit", guided: true });
    expect(await blocked("for f in *; do echo $f; done")).toBeNull();
    expect(await blocked("ls | wc -l")).toBeNull();
    expect(await blocked("git add . && git commit -m x")).toMatch(/git-writing/);
  });
});
