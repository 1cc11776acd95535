// Finds and ends everything that one program started, also what left its process group (D5). Used by process.ts.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { win32 } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** The environment variable by which a program's descendants are recognised. */
export const tagName = "MINICODE_TAG";

const politeMs = 300;
const sweepRounds = 5;

interface ProcessTree {
  /**
   * What is still running, as targets for `kill`: process ids on Linux; elsewhere the negated group, if anything is left
   * in it. What cleared its environment *and* left the session is not found. Windows cannot tell: always empty.
   */
  survivors(): number[];
  /** Asks the group to end; ends everything after 300 ms. Resolves when nothing is left that can be found. */
  end(): Promise<void>;
}

/** `leader` is the pid of the program, which leads its own group and session; `tag` is the value of its `tagName`. */
export function processTree(leader: number, tag: string): ProcessTree {
  if (process.platform === "win32") return { survivors: () => [], end: () => taskkill(leader) };

  function survivors(): number[] {
    const found = process.platform === "linux" ? scan(leader, `${tagName}=${tag}`) : null;
    return found ?? (signal(-leader, 0) ? [-leader] : []);
  }

  async function end(): Promise<void> {
    if (survivors().length === 0) return;
    // Who left the group, or is in a sandbox, is asked alone.
    for (const target of [-leader, ...survivors()]) signal(target, "SIGTERM");
    const deadline = performance.now() + politeMs;
    while (performance.now() < deadline && survivors().length > 0) await delay(20);
    for (let round = 0; round < sweepRounds; round++) {
      const left = survivors();
      if (left.length === 0) return;
      // The group first and at once: whoever is just forking in it cannot slip away between two single signals.
      for (const target of [-leader, ...left]) signal(target, "SIGKILL");
      await delay(10);
    }
  }

  return { survivors, end };
}

/** Whether there was someone to signal. */
function signal(target: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, name);
  } catch {
    return false;
  }
}

/** Null where there is no /proc to look into. */
function scan(session: number, tag: string): number[] | null {
  try {
    const names = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && belongs(name, session, tag));
    return names.map(Number);
  } catch {
    return null;
  }
}

function belongs(pid: string, session: number, tag: string): boolean {
  try {
    if (readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(tag)) return true;
  } catch {
    // Gone, or another user's: its session is still readable.
  }
  try {
    // "pid (name) state ppid pgrp session …"; the name may hold blanks and brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] !== "Z" && fields[3] === String(session);
  } catch {
    return false;
  }
}

function taskkill(pid: number): Promise<void> {
  const program = win32.join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", "taskkill.exe");
  return new Promise((resolve) => {
    const child = spawn(program, ["/PID", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
}
