// Runs the program test/fixtures/patch/apply.ts on one patch, alone or under strace.
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import type { PatchContent } from "../../src/protocol/proposal.ts";
import { bundle } from "./bundle.ts";

const endSchema = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    refusal: z.object({ outcome: z.string(), message: z.string() }),
    left: z.array(z.string()),
  }),
  z.object({ outcome: z.string() }),
]);

type Child = ChildProcessByStdio<Writable, Readable, null>;

interface PatchJob {
  action: "apply" | "settle";
  ws: string;
  blobFolder: string;
  content: PatchContent;
  /** User id to become. */
  user?: number;
}

export interface PatchChild {
  /** Waits until its input is closed, prints "begin", then the result as JSON. */
  start(job: PatchJob): Child;
  /** Runs it to its end under `strace -e inject=<fault>`, with one pool thread, so that the n-th system call is always the same. */
  startWithFault(job: PatchJob, fault: string): Child;
  /** Runs it where there is no /proc, so that nothing can be opened through descriptors. */
  startWithoutProc(job: PatchJob): Child;
}

/** `folder` takes the bundled program. */
export async function patchChild(folder: string): Promise<PatchChild> {
  const program = join(folder, "apply.mjs");
  const contentFile = join(folder, "content.json");
  await bundle(join(import.meta.dirname, "../fixtures/patch/apply.ts"), program);
  function argumentsOf({ action, ws, blobFolder, content, user }: PatchJob): string[] {
    writeFileSync(contentFile, JSON.stringify(content));
    return [program, action, ws, blobFolder, contentFile, ...(user === undefined ? [] : [String(user)])];
  }
  return {
    start: (job) => spawn(process.execPath, argumentsOf(job), { stdio: ["pipe", "pipe", "inherit"] }),
    startWithFault(job, fault) {
      const trace = `trace=${fault.split(":")[0]}`;
      // No --seccomp-bpf: with it strace 6.1 ignores `when=` for signals.
      const strace = ["-f", "-qq", "-o", "/dev/null", "-e", trace, "-e", `inject=${fault}`];
      return spawn("strace", [...strace, process.execPath, ...argumentsOf(job)], {
        stdio: ["pipe", "pipe", "inherit"],
        env: { ...process.env, UV_THREADPOOL_SIZE: "1" },
      });
    },
    startWithoutProc: (job) =>
      spawn("unshare", [...hideProc, process.execPath, ...argumentsOf(job)], {
        stdio: ["pipe", "pipe", "inherit"],
      }),
  };
}

const hideProc = ["-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"];

/** Whether a process can be started without /proc here. */
export function canHideProc(): boolean {
  return spawnSync("unshare", [...hideProc, "true"]).status === 0;
}

/** Lets the child begin; what it printed at its end, or null when it did not come so far. */
export async function endOf(child: Child): Promise<z.infer<typeof endSchema> | null> {
  child.stdin.end();
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await once(child, "close");
  const line = output.split("\n")[1];
  return line ? endSchema.parse(JSON.parse(line)) : null;
}

/** Whether strace can trace here; containers often forbid it. */
export function canTrace(): boolean {
  return spawnSync("strace", ["-f", "-qq", "-o", "/dev/null", "true"]).status === 0;
}
