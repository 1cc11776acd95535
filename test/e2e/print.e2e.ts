// Print mode as scripts use it: stdout, stdin, exit codes, signals.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { binary, product, script } from "./product.ts";

describe("usage", () => {
  it.each([
    [["--gided"], "unknown option --gided", "Did you mean --guided?"],
    [["--mode"], "--mode needs a value", ""],
    [["--mode", "write"], "--mode", ""],
    [["--yes", "plan,aply", "-p", "x"], "aply", ""],
    [["-p"], "there is no prompt", "minicode -p"],
    [[], "there is nothing to do", "minicode -p"],
    [["do", "it"], 'unknown command "do"', "minicode -p"],
    [["-p", "x", "--guided"], "--guided needs --mode edit", ""],
    [["-p", "x", "--profile", "opnai-compatible"], "opnai-compatible", "openai-compatible"],
    [["-p", "x", "--profile", "openai-compatible"], "no base URL", "MINICODE_OPENAI_BASE_URL"],
    [["--auto"], "--auto goes with minicode --demo", ""],
    [["verify", "nope"], "nope", ""],
  ])("%j exits 2 and says why", async (args, message, hint) => {
    const ended = await product().run(args);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).toContain(hint);
    expect(ended.stdout).toBe("");
    expect(ended.code).toBe(2);
  });

  it("offline: says what to do, keeps no record", async () => {
    const p = product();
    const ended = await p.run(["-p", "hello"]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("No model is connected");
    await expect(p.run(["verify"])).resolves.toMatchObject({ code: 2 });
  });

  it("--help and --version", async () => {
    expect((await product().run(["--help"])).stdout).toContain("--output-format");
    expect((await product().run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("stdout and stdin", () => {
  it("piped text is appended, and implies -p", async () => {
    const p = product();
    const path = script(p, "s", [{ when: { lastUserContains: ["from the pipe"] }, text: "heard" }]);
    const piped = await p.run(["--profile", "scripted", "--script", path], { input: "from the pipe" });
    expect(piped).toMatchObject({ code: 0, stdout: "heard\n" });
    const both = await p.run(["-p", "first", "--profile", "scripted", "--script", path], {
      input: "from the pipe",
    });
    expect(both).toMatchObject({ code: 0, stdout: "heard\n" });
  });

  it("a 1 MB answer arrives whole through a slow pipe", async () => {
    const p = product();
    const answer = "0123456789abcdef\n".repeat(61_681);
    const path = script(p, "s", [{ text: answer }]);
    const child = spawn(process.execPath, [binary, "-p", "x", "--profile", "scripted", "--script", path], {
      cwd: p.cwd,
      env: p.env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    let got = "";
    for await (const part of child.stdout) {
      got += part;
      if (got.length < 300_000) await sleep(20);
    }
    expect(got.length).toBe(answer.length);
    expect(got).toBe(answer);
  });

  it("json is one object, stream-json a line per event", async () => {
    const p = product();
    const path = script(p, "s", [{ text: "hi", usage: { input: 10, output: 2 } }]);
    const base = ["-p", "x", "--profile", "scripted", "--script", path, "--output-format"];
    const one = JSON.parse((await p.run([...base, "json"])).stdout);
    expect(one).toMatchObject({
      type: "result",
      result: "hi",
      is_error: false,
      num_steps: 1,
      usage: { input: 10, output: 2 },
    });
    const lines = (await p.run([...base, "stream-json"])).stdout
      .trimEnd()
      .split("\n")
      .map((l) => JSON.parse(l).type);
    expect(lines[0]).toBe("init");
    expect(lines).toContain("answer");
    expect(lines.at(-1)).toBe("task-ended");
  });

  it("propose mode prints a diff that git applies, and writes nothing", async () => {
    const p = product({ "a.txt": "one\ntwo\n" });
    const path = script(p, "s", [
      { calls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
      {
        calls: [
          {
            name: "apply_patch",
            arguments: { reason: "r", changes: [{ path: "a.txt", edits: [{ old: "two", new: "2" }] }] },
          },
        ],
      },
      { text: "proposed" },
    ]);
    const ended = await p.run(["-p", "x", "--mode", "propose", "--profile", "scripted", "--script", path]);
    expect(ended.stdout).toContain("--- a/a.txt\n+++ b/a.txt\n");
    expect(readFileSync(join(p.cwd, "a.txt"), "utf8")).toBe("one\ntwo\n");
    const git = spawn("git", ["apply"], { cwd: p.cwd, stdio: ["pipe", "ignore", "ignore"] });
    git.stdin.end(ended.stdout);
    await new Promise((resolve) => git.on("close", resolve));
    expect(readFileSync(join(p.cwd, "a.txt"), "utf8")).toBe("one\n2\n");
  });
});

describe("how it ends", () => {
  it("SIGINT ends with 130 and a recorded outcome", async () => {
    const p = product();
    const path = script(p, "s", [{ text: "slow", delayMs: 60_000 }]);
    const child = p.start([
      "-p",
      "x",
      "--profile",
      "scripted",
      "--script",
      path,
      "--output-format",
      "stream-json",
    ]);
    await new Promise<void>((resolve) => {
      child.stdout?.on("data", (text) => {
        if (String(text).includes("step-started")) resolve();
      });
    });
    child.kill("SIGINT");
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code).toBe(130);
    expect((await p.run(["verify"])).stdout).toContain("ok: the chain is whole");
  });

  it.each([
    ["steps used up is 53", ["--max-steps", "1"], [{ calls: [{ name: "list_dir", arguments: {} }] }], 53],
    [
      "a server error that may pass is 75",
      [],
      [{ error: { kind: "server", status: 503, retryAfterMs: 90_000 } }],
      75,
    ],
    ["a refused key is 1", [], [{ error: { kind: "auth", status: 401 } }], 1],
    [
      "nobody could approve is 3",
      ["--mode", "edit"],
      [
        {
          calls: [
            { name: "apply_patch", arguments: { reason: "r", changes: [{ path: "n.txt", content: "x" }] } },
          ],
        },
        { when: { toolOutcome: "denied" }, text: "could not" },
      ],
      3,
    ],
    [
      "changed without a check is 4",
      ["--mode", "edit", "--yes", "apply"],
      [
        {
          calls: [
            { name: "apply_patch", arguments: { reason: "r", changes: [{ path: "n.txt", content: "x" }] } },
          ],
        },
        { when: { toolOutcome: "ok" }, text: "made" },
      ],
      4,
    ],
  ])("%s", async (_name, flags, steps, code) => {
    const p = product();
    const path = script(p, "s", steps);
    const ended = await p.run(["-p", "x", "--profile", "scripted", "--script", path, ...flags]);
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code });
  });
});

it("SIGUSR1 opens no inspector: a child must not read our memory (TH68)", async () => {
  const p = product();
  const path = script(p, "slow", [{ text: "slow", delayMs: 60_000 }]);
  const play = ["-p", "x", "--profile", "scripted", "--script", path, "--output-format", "stream-json"];
  const child = p.start(play);
  let err = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  await new Promise<void>((resolve) => {
    child.stdout?.on("data", (text) => {
      if (String(text).includes("step-started")) resolve();
    });
  });
  child.kill("SIGUSR1");
  child.kill("SIGINT");
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(code).toBe(130);
  expect(err).not.toContain("Debugger listening");
});
