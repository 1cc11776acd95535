// What the sandbox leaves open and what it closes, probed from within (D4, TH68, TH77, TH80). Skipped only where there is no
// bubblewrap; CI installs it.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Confinement } from "../../src/protocol/proposal.ts";
import type { Result } from "../../src/protocol/refusal.ts";
import { bindCommand, runCommand } from "../../src/workspace/command.ts";
import { childEnvironment } from "../../src/workspace/environment.ts";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import type { ProcessEnd } from "../../src/workspace/process.ts";
import { onPath } from "../../src/workspace/program.ts";
import { confinementFor, probeSandbox, type Sandbox } from "../../src/workspace/sandbox.ts";
import { running, uniqueSeconds } from "../cases/support.ts";

// Not in /tmp, which is another one in the sandbox anyway.
const base = mkdtempSync("/var/tmp/minicode-sandbox-");
const home = join(base, "home");
const ws = join(base, "ws");
const own = join(base, "data", "minicode");
const canary = "CANARY-7731";

/** Where a canary lies that no program may find. Some are links, as people have them who keep such files elsewhere. */
const secrets = {
  folder: join(home, ".ssh", "id_ed25519"),
  linkedFolder: join(home, ".aws", "credentials"),
  file: join(home, ".git-credentials"),
  linkedFile: join(home, ".npmrc"),
  settings: join(home, ".m2", "settings.xml"),
  inConfig: join(base, "config", "gh", "hosts.yml"),
  named: join(base, "elsewhere", "kubeconfig"),
  ours: join(own, "sessions", "1", "record.jsonl"),
};

function put(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${canary}\n`);
}
mkdirSync(join(base, "dotfiles", "aws"), { recursive: true });
mkdirSync(home);
writeFileSync(join(base, "dotfiles", "npmrc"), "");
symlinkSync(join(base, "dotfiles", "aws"), join(home, ".aws"));
symlinkSync("../dotfiles/npmrc", join(home, ".npmrc"));
for (const path of Object.values(secrets)) put(path);
Object.assign(process.env, { HOME: home, XDG_CONFIG_HOME: join(base, "config"), KUBECONFIG: secrets.named });

const sandbox: Sandbox = await probeSandbox("auto", process.env["PATH"] ?? "", [own]);
const none = sandbox.kind === "none";
const installed = (await onPath("bwrap", process.env["PATH"] ?? "")) !== null;

const strict = { kind: "bubblewrap", network: false, git: "read-only" } as const;
const network = { ...strict, network: true };
const gitWrite = { ...strict, git: "writable" } as const;

interface Run {
  confinement?: Confinement;
  signal?: AbortSignal;
  root?: string;
}

async function tryInside(argv: readonly string[], run: Run = {}): Promise<Result<ProcessEnd>> {
  const gate = await openPathGate(run.root ?? ws);
  try {
    const env = childEnvironment(process.env, gate.root);
    const bound = await bindCommand(gate, { argv, cwd: ".", timeoutMs: 20_000, env });
    if (!bound.ok) return bound;
    const surroundings = { env, sandbox, confinement: run.confinement ?? strict };
    return await runCommand(gate, bound.value, surroundings, run.signal ?? new AbortController().signal);
  } finally {
    await gate.close();
  }
}

async function inside(script: string, run: Run = {}): Promise<ProcessEnd> {
  const ran = await tryInside(["/bin/bash", "-c", script], run);
  if (!ran.ok) throw new Error(ran.refusal.message);
  return ran.value;
}

async function said(script: string, run: Run = {}): Promise<string> {
  return (await inside(script, run)).output.toString().trim();
}

/** Whether a script reaches its end without an error. */
async function verdict(script: string, confinement: Confinement = strict): Promise<string> {
  return said(`(set -e; ${script}) >/dev/null 2>&1 && echo open || echo closed`, { confinement });
}

/** A Node one-liner that ends with 0 only when it can connect; `where` is an argument of net.connect. */
function connectTo(where: string): string {
  return `node -e 'require("net").connect(${where}).on("connect",()=>process.exit(0)).on("error",()=>process.exit(1))'`;
}

async function listen(where: string | number): Promise<Server> {
  const server = createServer((socket) => socket.end());
  server.listen(typeof where === "number" ? { port: where, host: "127.0.0.1" } : { path: where });
  await new Promise<void>((done) => server.once("listening", done));
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

let gate: PathGate;
/** A process outside of the sandbox that has a secret in its environment and would die of any signal. */
let victim: ChildProcess;
const victimSeconds = uniqueSeconds(3000);

beforeAll(async () => {
  mkdirSync(join(ws, ".git", "hooks"), { recursive: true });
  writeFileSync(join(ws, ".git", "config"), "[core]\n");
  writeFileSync(join(ws, ".minicodeignore"), "plans/\n");
  gate = await openPathGate(ws);
  victim = spawn("sleep", [victimSeconds], { env: { CANARY: canary, PATH: process.env["PATH"] } });
  await new Promise<void>((done) => victim.once("spawn", done));
});

afterAll(async () => {
  victim.kill("SIGKILL");
  await gate.close();
  rmSync(base, { recursive: true });
});

describe.skipIf(none)("in the sandbox", () => {
  it.each<["open" | "closed", string, string, Confinement?]>([
    ["open", "writing in the workspace", "echo x > made.txt; mkdir -p a/b; mv made.txt a/b/c"],
    [
      "open",
      "writing in /tmp, $TMPDIR, /run and /dev/shm",
      "for d in /tmp $TMPDIR /run /dev/shm; do echo x > $d/p; done",
    ],
    ["closed", "writing beside the workspace", "echo x > ../beside.txt"],
    ["closed", "writing in the home folder", "echo x > ~/new.txt"],
    ["closed", "writing in /etc", "echo x > /etc/minicode-probe"],
    ["closed", "writing in /var/tmp", "echo x > /var/tmp/minicode-probe"],
    ["closed", "writing a package cache without network", "mkdir -p ~/.npm; echo x > ~/.npm/probe"],
    ["closed", "writing git's settings", "echo x >> .git/config"],
    ["closed", "writing a git hook", "echo x > .git/hooks/pre-commit"],
    ["closed", "moving .git away", "mv .git old"],
    ["closed", "removing .git", "rm -rf .git"],
    ["closed", "removing .minicodeignore", "rm .minicodeignore"],
    ["closed", "writing .minicodeignore", "echo > .minicodeignore", gitWrite],
    ["open", "writing git's files with that trait", "echo x > .git/hooks/made; rm .git/hooks/made", gitWrite],
    ["closed", "the kernel's settings", "cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern"],
    ["closed", "mount", "mount -t tmpfs none /mnt"],
    ["closed", "mounting over again, writable", "mount -o remount,rw /"],
    ["closed", "chroot", "chroot / true"],
    ["closed", "namespaces of its own", "unshare -Ur true"],
    ["closed", "memory as a device", "head -c1 /dev/mem"],
    ["closed", "a new device", "mknod /tmp/d c 1 1; head -c1 /tmp/d"],
    ["closed", "the kernel's log", "dmesg"],
    ["closed", "another user's name", "su nobody -s /bin/true"],
    [
      "open",
      "loopback within",
      `node -e 'const s=require("net").createServer(c=>c.end()).listen(0,"127.0.0.1",()=>require("net").connect(s.address().port,"127.0.0.1").on("end",()=>process.exit(0)).resume())'`,
    ],
  ])("%s: %s", async (expected, _, script, confinement) => {
    expect(await verdict(script, confinement)).toBe(expected);
  });

  it("closed: the home folder's secrets and MiniCode's own files, wherever they lie and whatever links to them", async () => {
    const found = await said(`grep -rs ${canary} ${base}; find ${base} -type f -size +0`);
    expect(found.split("\n").filter((path) => !path.startsWith(ws))).toEqual([secrets.settings]);
    expect(readFileSync(secrets.file, "utf8")).toBe(`${canary}\n`);
  });

  it("open: what reads such a file finds one that it can read", async () => {
    expect(await said("cat ~/.npmrc ~/.git-credentials && cat ~/.m2/settings.xml")).toBe("<settings/>");
  });

  it("closed: secrets in a workspace that is the home folder itself, or that holds MiniCode's files", async () => {
    for (const root of [home, base]) {
      const read = await said(`cat ${Object.values(secrets).join(" ")} 2>/dev/null; echo end; ls -A`, {
        root,
      });
      expect(read).not.toContain(canary);
      expect(read).toContain("end");
    }
  });

  it("open: a workspace in a hidden folder, which alone is seen of it", async () => {
    const root = join(home, ".ssh", "project");
    mkdirSync(root);
    expect(await said("touch made; ls -A . ..", { root })).toBe(".:\nmade\n\n..:\nproject");
    rmSync(root, { recursive: true });
  });

  it("closed: the processes outside, their environment, memory and ears", async () => {
    const pid = victim.pid;
    const seen = await said(
      `cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'; ls -d /proc/[0-9]* | wc -l; ls /proc/${pid} 2>&1`,
    );
    expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toContain(canary);
    expect(seen).not.toContain(canary);
    expect(seen).not.toContain(victimSeconds);
    expect(seen).toContain("No such file");
    expect(Number(/^\d+$/m.exec(seen)?.[0])).toBeLessThan(12);
    await said(`kill -USR1 ${pid}; kill -KILL ${pid}; kill -USR1 -1; kill -KILL ${process.ppid} 1; true`);
    expect(running(victimSeconds)).toEqual([String(pid)]);
  });

  it("closed: every kind of thing that processes can share", async () => {
    const kinds = ["ipc", "mnt", "net", "pid", "user", "uts"];
    const theirs = (await said(`cd /proc/self/ns; for n in ${kinds.join(" ")}; do readlink $n; done`)).split(
      "\n",
    );
    const ours = kinds.map((kind) => readlinkSync(`/proc/self/ns/${kind}`));
    expect(theirs).toEqual(kinds.map((kind) => expect.stringContaining(`${kind}:[`)));
    expect(theirs.filter((namespace) => ours.includes(namespace))).toEqual([]);
  });

  it("closed: the network outside, this machine's own services too; open with that trait", async () => {
    const server = await listen(0);
    const connect = connectTo(`${portOf(server)},"127.0.0.1"`);
    expect(await verdict(connect)).toBe("closed");
    expect(await verdict(connect, network)).toBe("open");
    expect(await said("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '")).toBe("lo");
    server.close();
  });

  it("closed: abstract sockets, and sockets in /tmp and /run", async () => {
    const sockets = ["\0minicode-probe", `/tmp/minicode-probe-${process.pid}.sock`];
    if (process.getuid?.() === 0) sockets.push(`/run/minicode-probe-${process.pid}.sock`);
    for (const where of sockets) {
      const server = await listen(where);
      expect(await verdict(connectTo(JSON.stringify(where).replace("\\u0000", "\\0")))).toBe("closed");
      server.close();
    }
    expect(await said("ls -A /run")).toBe("");
  });

  it("open: a package manager's cache, with network, made where it is missing; programs of the user's PATH stay as they are", async () => {
    const cache = join(home, ".npm");
    expect(await verdict("echo npm; echo x > ~/.npm/made", network)).toBe("open");
    expect(readFileSync(join(cache, "made"), "utf8")).toBe("x\n");
    mkdirSync(join(home, ".bun", "install", "cache"), { recursive: true });
    expect(await verdict("echo x > ~/.bun/install/cache/made", network)).toBe("open");
    expect(await verdict("echo x > ~/.bun/made", network)).toBe("closed");
    expect(existsSync(join(home, ".gradle"))).toBe(false);
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
    const [one, two] = [uniqueSeconds(300), uniqueSeconds(300)];
    const end = await inside(`sleep ${one} & setsid env -i sleep ${two} & echo started`);
    expect(end.output.toString().trim()).toBe("started");
    expect(end.leftBehind).toBe(1);
    expect([...running(one), ...running(two)]).toEqual([]);
    expect(await inside(`setsid env -i sleep ${two} >/dev/null 2>&1 & true`)).toMatchObject({
      exit: 0,
      leftBehind: 1,
    });
    expect(await inside("true")).toMatchObject({ exit: 0, leftBehind: 0 });
  });

  it("a link that is planted inside is not followed by MiniCode (CVE-2026-39861)", async () => {
    await said("ln -sf /etc/passwd planted.txt");
    expect((await gate.readFile("planted.txt")).ok).toBe(false);
  });

  it("exit codes come out as they are, also a signal's; a program that cannot start was not started", async () => {
    expect(await inside("exit 7")).toMatchObject({ exit: 7, signal: null });
    expect(await inside("kill -SEGV $$")).toMatchObject({ exit: 139, signal: null });
    writeFileSync(join(ws, "broken"), "#!/nowhere/interpreter\n", { mode: 0o755 });
    const broken = await tryInside([join(ws, "broken")]);
    expect(broken).toMatchObject({
      ok: true,
      value: { exit: null, spawnError: expect.stringMatching(/^bwrap: /) },
    });
  });

  it("a program is told the name it was called by, and holds nothing of ours", async () => {
    expect(await said("exec -a other bash -c 'echo $0'")).toBe("other");
    const name = await tryInside(["bash", "-c", "tr '\\0' ' ' < /proc/$$/cmdline"]);
    expect(name.ok && name.value.output.toString()).toMatch(/^bash -c/);
    const descriptors = (await said("ls -l /proc/self/fd")).match(/^.* [3-9] -> .*$/gm) ?? [];
    expect(descriptors.filter((line) => !line.includes("/proc/"))).toEqual([]);
  });
});

describe.skipIf(none)("git in the sandbox", () => {
  const git = (cwd: string, ...args: string[]): void => {
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@x", ...args], { cwd, stdio: "ignore" });
  };
  const commit = "git -c user.name=n -c user.email=e@x commit -qm more --allow-empty";

  it.each(["a linked worktree", "a sub-folder of the repository"])(
    "commits from %s where it may",
    async (where) => {
      const top = mkdtempSync(join(base, "repository-"));
      git(top, "init", "-q");
      git(top, "commit", "-qm", "first", "--allow-empty");
      const root = where === "a linked worktree" ? `${top}-linked` : join(top, "sub");
      if (where === "a linked worktree") git(top, "worktree", "add", "-q", root);
      else mkdirSync(root);
      expect(await said(`${commit} 2>&1`, { root })).toMatch(/Read-only file system/);
      expect(await inside(commit, { root, confinement: gitWrite })).toMatchObject({ exit: 0 });
    },
  );

  it("a .git file that claims another's folder opens nothing", async () => {
    const root = mkdtempSync(join(base, "claims-"));
    mkdirSync(join(base, "claimed"));
    writeFileSync(join(root, ".git"), `gitdir: ${join(base, "claimed")}\n`);
    expect(await said(`echo x > ${join(base, "claimed", "x")}`, { root, confinement: gitWrite })).toMatch(
      /Read-only/,
    );
  });
});

describe("what is shown", () => {
  it.skipIf(!installed)("there is a sandbox wherever bubblewrap is installed", () => {
    expect(sandbox).toMatchObject({ kind: "bubblewrap" });
  });

  it("follows the traits", () => {
    const some: Sandbox = { kind: "bubblewrap", program: "/usr/bin/bwrap", argv0: false, hidden: [] };
    expect(confinementFor(some, [{ trait: "network", because: "npm" }])).toEqual(network);
    expect(confinementFor(some, [{ trait: "git-write", because: "git" }])).toEqual(gitWrite);
    expect(confinementFor(some, [{ trait: "runs-project-code", because: "node" }])).toEqual(strict);
    expect(confinementFor({ kind: "none", why: "x" }, [])).toEqual({ kind: "none", why: "x" });
  });

  it("says why there is none", async () => {
    expect(await probeSandbox("off", "/usr/bin", [])).toEqual({ kind: "none", why: "it is switched off" });
    expect(await probeSandbox("auto", "/nowhere", [])).toEqual({
      kind: "none",
      why: "bubblewrap is not installed",
    });
    const folder = mkdtempSync(join(base, "bin-"));
    writeFileSync(
      join(folder, "bwrap"),
      '#!/bin/sh\n[ "$1" = --help ] && echo --disable-userns && exit\necho "bwrap: No permissions" >&2; exit 1\n',
      { mode: 0o755 },
    );
    expect(await probeSandbox("auto", folder, [])).toEqual({
      kind: "none",
      why: "bubblewrap does not work here (bwrap: No permissions)",
    });
  });
});
