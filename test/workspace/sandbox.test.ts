// What the sandbox leaves open and what it closes, probed from within (D4). Skipped only where there is no bubblewrap.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Confinement } from "../../src/protocol/proposal.ts";
import { bindCommand, runCommand } from "../../src/workspace/command.ts";
import { childEnvironment } from "../../src/workspace/environment.ts";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import type { ProcessEnd } from "../../src/workspace/process.ts";
import { confinementFor, probeSandbox, type Sandbox } from "../../src/workspace/sandbox.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";

const sandbox: Sandbox = await probeSandbox("auto", process.env["PATH"] ?? "", [
  join(homedir(), ".minicode-own"),
]);

let folder: TestFolder;
let gate: PathGate;
let env: Record<string, string>;
const strict: Confinement = { kind: "bubblewrap", network: false, git: "read-only" };

beforeAll(async () => {
  folder = testFolder();
  mkdirSync(join(folder.ws, ".git"));
  writeFileSync(join(folder.ws, ".git", "config"), "[core]\n");
  folder.write("inside.txt", "inside\n");
  gate = await openPathGate(folder.ws);
  env = childEnvironment(process.env, gate.root);
});
afterAll(async () => {
  await gate.close();
  folder.remove();
});

async function inside(
  script: string,
  confinement: Confinement = strict,
  signal?: AbortSignal,
): Promise<ProcessEnd> {
  const argv = ["/bin/bash", "-c", script];
  const bound = await bindCommand(gate, { argv, cwd: ".", timeoutMs: 20_000, env });
  if (!bound.ok) throw new Error(bound.refusal.message);
  const ran = await runCommand(
    gate,
    bound.value,
    { env, sandbox, confinement },
    signal ?? new AbortController().signal,
  );
  if (!ran.ok) throw new Error(ran.refusal.message);
  return ran.value;
}
const said = async (script: string, confinement?: Confinement): Promise<string> =>
  (await inside(script, confinement)).output.toString().trim();

describe.skipIf(sandbox.kind === "none")("in the sandbox", () => {
  it("open: the workspace can be written", async () => {
    expect(await said("echo new > made.txt && cat made.txt")).toBe("new");
    expect(readFileSync(join(folder.ws, "made.txt"), "utf8")).toBe("new\n");
  });

  it("closed: nothing else can", async () => {
    expect(await said("for f in /etc/p /usr/p /var/tmp/p; do echo x > $f; done 2>&1; echo done")).toMatch(
      /Read-only[\s\S]*Read-only[\s\S]*Read-only[\s\S]*done/,
    );
  });

  it("closed: .git, its parent by renaming, and its hooks", async () => {
    const tried = await said(
      "echo x >> .git/config; mkdir -p .git/hooks; mv .git old; rm -rf .git; ls -d .git; cat .git/config",
    );
    expect(tried).toMatch(/Read-only file system/);
    expect(tried).toMatch(/Device or resource busy/);
    expect(tried.endsWith(".git\n[core]")).toBe(true);
  });

  it("open: .git, for a command that is approved to write it", async () => {
    await said("echo '[x]' >> .git/config", { ...strict, git: "writable" });
    expect(readFileSync(join(folder.ws, ".git", "config"), "utf8")).toContain("[x]");
  });

  it("closed: secrets of the home folder, and MiniCode's own files", async () => {
    const own = join(homedir(), ".minicode-own");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "session"), "mine");
    try {
      expect(
        await said(`ls -A ${own}; for f in .ssh .aws .gnupg; do ls -A ~/$f 2>/dev/null; done; echo end`),
      ).toBe("end");
    } finally {
      rmSync(own, { recursive: true });
    }
  });

  it("closed: the environment and memory of MiniCode", async () => {
    const text = await said(
      `cat /proc/$PPID/environ 2>/dev/null | tr '\\0' '\\n' | grep -c CANARY; ls /proc | grep -c '^[0-9]'; kill -0 ${process.pid} 2>&1`,
    );
    const [canaries, processes = "99"] = text.split("\n");
    expect(canaries).toBe("0");
    expect(Number(processes)).toBeLessThan(12);
    expect(text).toContain("No such process");
  });

  it("closed: signals to what is outside", async () => {
    expect(await said("kill -USR1 -1 2>&1; kill -9 1 2>&1; echo still here")).toContain("still here");
    process.kill(process.pid, 0);
  });

  it("closed: the network outside, open: loopback within", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const probe = `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>&1; cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '`;
    expect(await said(probe)).toMatch(/refused[\s\S]*\nlo$/);
    // With the network trait it is the machine's own.
    expect(
      await said(`(exec 3<>/dev/tcp/127.0.0.1/${port}) && echo reached`, { ...strict, network: true }),
    ).toBe("reached");
    const node = `node -e 'const s=require("net").createServer(c=>c.end("hi")).listen(0,"127.0.0.1",()=>require("net").connect(s.address().port,"127.0.0.1").on("data",d=>{console.log(String(d));process.exit()}))'`;
    expect(await said(node)).toBe("hi");
    server.close();
  });

  it("closed: sockets in /run, abstract sockets", async () => {
    const server = createServer().listen("\0minicode-probe");
    await new Promise((done) => server.once("listening", done));
    const connect = `node -e 'require("net").connect("\\0minicode-probe").on("connect",()=>console.log("reached")).on("error",e=>console.log(e.code))'`;
    expect(await said(connect)).toBe("ECONNREFUSED");
    expect(await said("ls -A /run")).toBe("");
    server.close();
  });

  it.each([
    ["mount", "mount -t tmpfs none /mnt"],
    ["chroot", "chroot / true"],
    ["a namespace of its own", "unshare -Ur true"],
    ["a device", "{ mknod /tmp/d c 1 1 && head -c1 /tmp/d; }"],
    ["tracing what is outside", `test -r /proc/${process.pid}/mem`],
  ])("closed: %s", async (_, command) => {
    expect(await said(`${command} >/dev/null 2>&1 && echo open || echo closed`)).toBe("closed");
  });

  it("private: /tmp, both ways", async () => {
    const name = `/tmp/minicode-probe-${process.pid}`;
    writeFileSync(name, "outside");
    expect(await said(`cat ${name} 2>/dev/null; echo mine > ${name}-in; cat ${name}-in; echo $TMPDIR`)).toBe(
      "mine\n/tmp",
    );
    rmSync(name);
    expect(existsSync(`${name}-in`)).toBe(false);
  });

  it("nothing survives: background processes are told and ended, also those that left session and environment", async () => {
    const end = await inside("sleep 4711 & setsid env -i sleep 4712 & echo started");
    expect(end.output.toString().trim()).toBe("started");
    expect(end.leftBehind).toBeGreaterThan(0);
    const running = spawnSync("pgrep", ["-f", "sleep 471[12]"], {
      encoding: "utf8",
    });
    expect(running.stdout).toBe("");
  });

  it("a cancel ends all of it", async () => {
    const cancel = new AbortController();
    const running = inside("echo go; setsid env -i sleep 4713 & sleep 4713", strict, cancel.signal);
    while (spawnSync("pgrep", ["-f", "sleep 4713"]).status !== 0)
      await new Promise((done) => setImmediate(done));
    cancel.abort();
    expect((await running).cancelled).toBe(true);
    expect(spawnSync("pgrep", ["-f", "sleep 4713"], { encoding: "utf8" }).stdout).toBe("");
  });

  it("a link that is planted inside is not followed by MiniCode (CVE-2026-39861)", async () => {
    await said("ln -sf /etc/passwd planted.txt");
    const read = await gate.readFile("planted.txt");
    expect(read.ok).toBe(false);
  });

  it("exit codes come out as they are", async () => {
    expect((await inside("exit 7")).exit).toBe(7);
    expect((await inside("kill -SEGV $$")).exit).toBe(139);
  });

  it("a program is told the name it was called by", async () => {
    folder.write("named.sh", "#!/bin/sh\n");
    expect(await said("exec -a other bash -c 'echo $0'")).toBe("other");
  });
});

describe("what is shown", () => {
  it("follows the traits", () => {
    const some: Sandbox = { kind: "bubblewrap", program: "/usr/bin/bwrap", argv0: false, hidden: [] };
    expect(confinementFor(some, [{ trait: "network", because: "npm" }])).toEqual({
      ...strict,
      network: true,
    });
    expect(confinementFor(some, [{ trait: "git-write", because: "git" }])).toEqual({
      ...strict,
      git: "writable",
    });
    expect(confinementFor(some, [{ trait: "runs-project-code", because: "node" }])).toEqual(strict);
    expect(confinementFor({ kind: "none", why: "x" }, [])).toEqual({ kind: "none", why: "x" });
  });

  it("says why there is none", async () => {
    expect(await probeSandbox("off", "/usr/bin", [])).toEqual({ kind: "none", why: "it is switched off" });
    expect(await probeSandbox("auto", "/nowhere", [])).toEqual({
      kind: "none",
      why: "bubblewrap is not installed",
    });
  });
});
