import { mkdtempSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { capture, type Program, stream } from "../../src/workspace/exec.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "minicode-exec-test-")));

function shell(script: string, more: Partial<Program> = {}): Program {
  const signal = new AbortController().signal;
  return { program: "/bin/sh", args: ["-c", script], cwd, env: {}, timeoutMs: 20_000, signal, ...more };
}

/** Processes of this group that still run; one that is dead and only not yet collected does not. */
function runningIn(group: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return pgrp === group.trim() && state !== "Z" && state !== "X";
    } catch {
      return false;
    }
  });
}

describe.skipIf(process.platform !== "linux")("exec", () => {
  it("gives output, exit code and the errors it wrote", async () => {
    const end = await capture(shell("echo out; echo err >&2; exit 3"), 100);
    expect(end).toEqual({ how: "exited", exit: 3, stderr: "err\n", stdout: Buffer.from("out\n") });
  });

  it("inherits no environment and no input", async () => {
    process.env["MC_CANARY"] = "1";
    const end = await capture(shell('echo "[$MC_CANARY]"; cat', { env: { A: "b" } }), 100);
    delete process.env["MC_CANARY"];
    expect(end.stdout.toString()).toBe("[]\n");
  });

  it("stops at the cap", async () => {
    const end = await capture(shell("yes"), 10_000);
    expect(end.how).toBe("enough");
    expect(end.stdout).toHaveLength(10_000);
  });

  it("ends the whole group at the time limit", async () => {
    const end = await capture(
      shell("echo $$; (trap '' TERM; sleep 300) & sleep 300", { timeoutMs: 300 }),
      100,
    );
    expect(end.how).toBe("timeout");
    await expect.poll(() => runningIn(end.stdout.toString())).toEqual([]);
  });

  it("ends the whole group when cancelled", async () => {
    const controller = new AbortController();
    let pid = "";
    const end = await stream(
      shell("echo $$; sleep 300 & sleep 300", { signal: controller.signal }),
      (chunk) => {
        pid += chunk.toString();
        controller.abort();
        return true;
      },
    );
    expect(end.how).toBe("cancelled");
    await expect.poll(() => runningIn(pid)).toEqual([]);
    expect((await capture(shell("echo no", { signal: controller.signal }), 10)).stdout).toHaveLength(0);
  });

  it("does not wait for a child that holds the pipe", async () => {
    const end = await capture(shell("echo $$; sleep 300 & exit 0"), 100);
    expect(end).toMatchObject({ how: "exited", exit: 0 });
    await expect.poll(() => runningIn(end.stdout.toString())).toEqual([]);
  });

  it("says when a program cannot be started", async () => {
    const end = await capture(shell("", { program: "/nonexistent/program" }), 10);
    expect(end).toMatchObject({ how: "failed", exit: null, stderr: expect.stringContaining("ENOENT") });
    expect(await capture(shell("\0"), 10)).toMatchObject({ how: "failed", exit: null });
    expect(await capture(shell("x".repeat(5_000_000)), 10)).toMatchObject({ how: "failed", exit: null });
  });
});
