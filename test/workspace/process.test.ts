// The process runner: what comes back, and that nothing stays. C04–C07, M02, K02, TH73–TH76.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { decodeOutput } from "../../src/workspace/output.ts";
import { type ProcessEnd, type ProcessOptions, runProcess } from "../../src/workspace/process.ts";

const fixtures = fileURLToPath(new URL("../fixtures/process", import.meta.url));
const env = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C.UTF-8" };

function run(script: string, options: Partial<ProcessOptions> = {}): Promise<ProcessEnd> {
  return runProcess({
    program: "/bin/bash",
    args: ["-c", script],
    cwd: tmpdir(),
    env,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...options,
  });
}

function text(end: ProcessEnd): string {
  return decodeOutput(end.output);
}

function tempDir(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "minicode-process-")));
}

/** A number of seconds that no other process sleeps for, to find it by. */
function unique(): string {
  return `300.${Math.floor(Math.random() * 1e9)}`;
}

function running(marker: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(marker);
    } catch {
      return false;
    }
  });
}

/** Waits until `condition` holds; the test's own limit ends it when it never does. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}

describe("what comes back", () => {
  test("exit code, output of both streams in order of arrival, duration", async () => {
    const end = await run("echo one; sleep 0.1; echo two >&2; sleep 0.1; echo three; exit 3");
    expect(end).toMatchObject({ exit: 3, signal: null, timedOut: false, cancelled: false, leftBehind: 0 });
    expect(text(end)).toBe("one\ntwo\nthree\n");
    expect(end.outputBytes).toBe(14);
    expect(end.ms).toBeGreaterThan(100);
    expect(end.spawnError).toBeUndefined();
  });

  test("a signal that ended the program", async () => {
    expect(await run("kill -KILL $$")).toMatchObject({ exit: null, signal: "SIGKILL", timedOut: false });
  });

  test("arguments reach the program as they are, and argv0 as asked", async () => {
    const args = ["-c", 'printf "<%s>" "$0" "$@"', "zero", "a b", "", "$(touch x)", "'\"`\n"];
    const end = await run("", { args });
    expect(text(end)).toBe("<zero><a b><><$(touch x)><'\"`\n>");
    const named = await run("", { args: ["-c", "tr '\\0' ' ' </proc/$$/cmdline"], argv0: "my shell" });
    expect(text(named)).toContain("my shell -c");
  });

  test("a folder held open by descriptor is the working folder, though it was renamed", async () => {
    const dir = tempDir();
    const handle = await open(dir, "r");
    execFileSync("mv", [dir, `${dir}-moved`]);
    const end = await run("pwd -P", { cwd: `/proc/self/fd/${handle.fd}/.` });
    await handle.close();
    expect(text(end)).toBe(`${dir}-moved\n`);
  });

  test.each([
    ["no such program", { program: "/nonexistent/program" }, /ENOENT/],
    ["not executable", { program: "/etc/passwd" }, /EACCES/],
    ["a NUL in an argument", { args: ["-c", "a\0b"] }, /null bytes/],
    ["arguments too long for the system", { args: ["-c", "x".repeat(3_000_000)] }, /E2BIG/],
  ])("%s is a field, not a rejection", async (_, options, message) => {
    const end = await run("", options);
    expect(end.spawnError).toMatch(message);
    expect(end).toMatchObject({ exit: null, timedOut: false, cancelled: false, leftBehind: 0 });
  });

  test("cancelled before it began: nothing is started", async () => {
    const file = join(tempDir(), "started");
    const end = await run(`touch ${file}`, { signal: AbortSignal.abort() });
    expect(end).toMatchObject({ cancelled: true, exit: null });
    expect(existsSync(file)).toBe(false);
  });
});

describe("C04 a background child holds the pipe", () => {
  test.each([
    ["(a)", "sleep SECONDS & echo done", "done\n"],
    ["(b)", "sleep SECONDS >/dev/null 2>&1 & echo done", "done\n"],
    ["(c)", "sleep SECONDS & true", ""],
  ])("%s returns with exit code 0 and ends it", async (_, script, output) => {
    const seconds = unique();
    const end = await run(script.replace("SECONDS", seconds));
    expect(end).toMatchObject({ exit: 0, timedOut: false, leftBehind: 1 });
    expect(text(end)).toBe(output);
    expect(end.ms).toBeLessThan(3000);
    expect(running(seconds)).toEqual([]);
  });
});

describe("C05, TH73 nothing survives", () => {
  const payloads: [string, string][] = [
    ["a background child", "(sleep SECONDS; touch late.txt) & wait"],
    ["another session", "setsid sleep SECONDS & sleep SECONDS"],
    ["a double fork into another session", `bash ${fixtures}/daemon.sh SECONDS; sleep SECONDS`],
    ["deaf to TERM", "trap '' TERM; sleep SECONDS & while true; do sleep SECONDS; done"],
    ["an emptied environment in the same session", "env -i bash -c 'set -m; sleep SECONDS & wait' & wait"],
    ["a chain of sessions", "setsid bash -c 'setsid sleep SECONDS & wait' & sleep SECONDS"],
  ];

  test.each(payloads)("cancel: %s", async (_, script) => {
    const seconds = unique();
    const cancel = new AbortController();
    const cwd = tempDir();
    const ended = run(script.replaceAll("SECONDS", seconds), { signal: cancel.signal, cwd });
    await until(() => running(`sleep\0${seconds}`).length + running(`deaf\0${seconds}`).length > 0);
    cancel.abort();
    expect(await ended).toMatchObject({ cancelled: true, timedOut: false });
    expect(running(seconds)).toEqual([]);
    expect(existsSync(join(cwd, "late.txt"))).toBe(false);
  });

  test.each(payloads.slice(0, 3))("timeout: %s", async (_, script) => {
    const seconds = unique();
    const end = await run(script.replaceAll("SECONDS", seconds), { timeoutMs: 500 });
    expect(end).toMatchObject({ cancelled: false, timedOut: true });
    expect(running(seconds)).toEqual([]);
  });

  test("normal end: a daemon is found, counted and ended", async () => {
    const seconds = unique();
    const end = await run(`bash ${fixtures}/daemon.sh ${seconds}; echo started`);
    expect(end).toMatchObject({ exit: 0, leftBehind: 1 });
    expect(running(seconds)).toEqual([]);
  });

  test("what a program writes while it is asked to end is kept", async () => {
    const end = await run("trap 'echo bye; exit 7' TERM; echo hi; while true; do sleep 0.05; done", {
      timeoutMs: 500,
    });
    expect(end).toMatchObject({ timedOut: true, exit: 7 });
    expect(text(end)).toMatch(/^hi\n(?:.*\n)*bye\n$/);
  });

  test("other people's processes live on", async () => {
    const seconds = unique();
    const keeper = execFileSync("/bin/bash", ["-c", `setsid sleep ${seconds} >/dev/null 2>&1 & echo $!`]);
    await run("sleep 300 & true");
    expect(running(seconds)).toHaveLength(1);
    process.kill(Number(keeper.toString()));
  });
});

describe("C06 standard input is empty", () => {
  test.each([
    ["(a)", "cat; echo rc=$?", "rc=0\n"],
    ["(b)", 'read x; echo "got=[$x] rc=$?"', "got=[] rc=1\n"],
    ["(c)", "[ -t 0 ] && echo tty || echo notty", "notty\n"],
    ["and there is no terminal to ask", "read x </dev/tty || echo none", "none\n"],
  ])("%s", async (_, script, output) => {
    const end = await run(script);
    expect(text(end).replace(/^.*\/dev\/tty.*\n/m, "")).toBe(output);
  });
});

describe("C07 bytes", () => {
  test("(a) a code point in two writes is shown whole, also when stderr comes between", async () => {
    const shown: string[] = [];
    const script = "printf '\\342'; sleep 0.2; printf 'E' >&2; sleep 0.2; printf '\\200\\224 end\\n'";
    const end = await run(script, { onOutput: (piece) => shown.push(piece) });
    expect(text(end)).toBe("E— end\n");
    expect(shown.join("")).toBe("E— end\n");
  });

  test("(b) an invalid byte, (c) no final newline, an unfinished code point at the end", async () => {
    expect(text(await run("printf 'a\\377b\\n'"))).toBe("a\uFFFDb\n");
    expect(text(await run("printf 'no-newline'"))).toBe("no-newline");
    expect(text(await run("printf 'x\\342\\200'"))).toBe("x\uFFFD");
  });

  test("(d) NUL is shown, never passed on", async () => {
    const shown: string[] = [];
    const end = await run("printf '\\0x\\n'", { onOutput: (piece) => shown.push(piece) });
    expect(text(end)).toBe("␀x\n");
    expect(shown.join("")).toBe("␀x\n");
  });
});

describe("M02, TH75 floods", () => {
  test("(a) 50 MB: exit code kept, start and end kept, the rest counted", async () => {
    const end = await run("yes 1234567 | head -c 50000000; echo the end");
    expect(end.exit).toBe(0);
    expect(end.outputBytes).toBe(50_000_008);
    expect(end.output.length).toBeLessThan(8.1 * 1024 * 1024);
    expect(text(end)).toMatch(/^1234567\n/);
    expect(text(end)).toMatch(/\n\[… \d+ bytes left out …\]\n/);
    expect(text(end)).toMatch(/the end\n$/);
  });

  test("(b) an endless flood ends at its limit, and the live view is spared", async () => {
    const shown: number[] = [];
    const end = await run("yes", { timeoutMs: 1000, onOutput: (piece) => shown.push(piece.length) });
    expect(end).toMatchObject({ timedOut: true });
    expect(end.outputBytes).toBeGreaterThan(10_000_000);
    expect(shown.reduce((sum, length) => sum + length, 0)).toBeLessThan(end.outputBytes / 5);
  });

  test("(c) zeros", async () => {
    const end = await run("head -c 2000000 /dev/zero");
    expect(end.exit).toBe(0);
    expect(text(end)).not.toContain("\0");
  });
});

describe("K02, TH67 the environment", () => {
  test("is what was given and the tag", async () => {
    const end = await run("", { program: "/usr/bin/env", args: [], env: { PATH: "/usr/bin", A: "1" } });
    expect(text(end).replace(/[0-9a-f]{32}/, "TAG")).toBe("PATH=/usr/bin\nA=1\nMINICODE_TAG=TAG\n");
  });
});

describe("in a process of its own", () => {
  const bundle = join(tempDir(), "process.mjs");
  beforeAll(() => {
    buildSync({
      entryPoints: [fileURLToPath(new URL("../../src/workspace/process.ts", import.meta.url))],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: bundle,
    });
  });

  function host(name: string, ...args: string[]): string[] {
    const main = join(tempDir(), "host.mjs");
    writeFileSync(main, readFileSync(join(fixtures, name), "utf8"));
    return [process.execPath, main, bundle, ...args];
  }

  test("M02 memory stays bounded under a flood", async () => {
    const [program = "", ...args] = host("flood-host.mjs");
    const grown = Number(text(await run("", { program, args })));
    expect(grown).toBeGreaterThan(0);
    expect(grown).toBeLessThan(100 * 1024 * 1024);
  });

  test("TH74 when MiniCode is killed, what it runs is killed", async () => {
    const seconds = unique();
    const script = `setsid sleep ${seconds} & bash ${fixtures}/daemon.sh ${seconds}; sleep ${seconds}`;
    const [program = "", ...args] = host("killed-host.mjs", script, seconds);
    expect(await run("", { program, args })).toMatchObject({ signal: "SIGKILL" });
    await until(() => running(seconds).length === 0);
  });
});
