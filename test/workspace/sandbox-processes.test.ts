// In the sandbox, too, nothing survives a cancel, a time limit or MiniCode's own end (C05, TH73, TH74).
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, describe, expect, it, vi } from "vitest";
import { type ProcessEnd, runProcess } from "../../src/workspace/process.ts";
import { probeSandbox, wrapped } from "../../src/workspace/sandbox.ts";
import { running, uniqueSeconds } from "../cases/support.ts";

const fixtures = fileURLToPath(new URL("../fixtures/process", import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), "minicode-confined-")));
copyFileSync(join(fixtures, "daemon.sh"), join(root, "daemon.sh"));
afterAll(() => rmSync(root, { recursive: true }));

const sandbox = await probeSandbox("auto", process.env["PATH"] ?? "", []);

/** bubblewrap's words for a script in the sandbox; nothing is hidden, so it needs nothing at other descriptors. */
function words(script: string): { program: string; args: string[] } {
  if (sandbox.kind === "none") throw new Error(sandbox.why);
  const argv = ["/bin/bash", "-c", script];
  const { args } = wrapped(
    { ...sandbox, hidden: [] },
    { kind: "bubblewrap", network: false, git: "read-only" },
    { root, cwd: root, program: "/bin/bash", argv, gitFolder: null },
  );
  return { program: sandbox.program, args };
}

function run(script: string, timeoutMs: number, signal = new AbortController().signal): Promise<ProcessEnd> {
  const env = { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" };
  return runProcess({ ...words(script), cwd: root, env, timeoutMs, signal, confined: true });
}

const payloads: [string, string][] = [
  ["a background child", "(sleep SECONDS; touch late.txt) & wait"],
  ["another session", "setsid sleep SECONDS & sleep SECONDS"],
  ["a double fork into another session", "bash daemon.sh SECONDS; sleep SECONDS"],
  ["deaf to TERM", "trap '' TERM; sleep SECONDS & while true; do sleep SECONDS; done"],
  ["an emptied environment in another session", "setsid env -i sleep SECONDS & wait"],
  ["a chain of sessions", "setsid bash -c 'setsid sleep SECONDS & wait' & sleep SECONDS"],
];

describe.skipIf(sandbox.kind === "none")("in the sandbox", () => {
  it.each(payloads)("a cancel ends %s", async (_, script) => {
    const seconds = uniqueSeconds(300);
    const cancel = new AbortController();
    const ended = run(script.replaceAll("SECONDS", seconds), 20_000, cancel.signal);
    const started = (): boolean =>
      running(`sleep\0${seconds}`).length + running(`deaf\0${seconds}`).length > 0;
    await vi.waitUntil(started, { timeout: 20_000, interval: 5 });
    cancel.abort();
    expect(await ended).toMatchObject({ cancelled: true, timedOut: false });
    expect(running(seconds)).toEqual([]);
    expect(existsSync(join(root, "late.txt"))).toBe(false);
  });

  it.each(payloads.slice(0, 3))("the time limit ends %s", async (_, script) => {
    const seconds = uniqueSeconds(300);
    expect(await run(script.replaceAll("SECONDS", seconds), 500)).toMatchObject({ timedOut: true });
    expect(running(seconds)).toEqual([]);
  });

  it("what a program writes while it is asked to end is kept", async () => {
    const end = await run("trap 'echo bye; exit 7' TERM; echo hi; while true; do sleep 0.05; done", 500);
    expect(end.timedOut).toBe(true);
    expect(end.output.toString()).toMatch(/^hi\n(?:.*\n)*bye\n$/);
  });

  it("TH74: when MiniCode is killed, what it runs is killed", async () => {
    const seconds = uniqueSeconds(300);
    const folder = join(root, "host");
    mkdirSync(folder);
    const bundle = join(folder, "process.mjs");
    buildSync({
      ...{ entryPoints: [fileURLToPath(new URL("../../src/workspace/process.ts", import.meta.url))] },
      ...{ bundle: true, platform: "node", format: "esm", outfile: bundle },
    });
    const host = join(folder, "host.mjs");
    copyFileSync(join(fixtures, "killed-host.mjs"), host);
    const { program, args } = words(
      `setsid env -i sleep ${seconds} & bash daemon.sh ${seconds}; sleep ${seconds}`,
    );
    const quoted = [program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    const killed = await runProcess({
      ...{ program: process.execPath, args: [host, bundle, `exec ${quoted}`, seconds] },
      ...{ cwd: folder, env: {}, timeoutMs: 20_000, signal: new AbortController().signal },
    });
    expect(killed).toMatchObject({ signal: "SIGKILL" });
    await vi.waitUntil(() => running(seconds).length === 0, { timeout: 20_000, interval: 5 });
  });
});
