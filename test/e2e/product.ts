// Starts the built product as a user would: its own process, its own data folder. Used by the e2e tests.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const binary = fileURLToPath(new URL("../../bin/minicode.mjs", import.meta.url));

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Product {
  cwd: string;
  data: string;
  env: NodeJS.ProcessEnv;
  run(args: readonly string[], options?: { input?: string; extra?: NodeJS.ProcessEnv }): Promise<Ended>;
  start(args: readonly string[], stdio?: "pipe" | "ignore"): ChildProcess;
}

/** A product with a workspace of these files, which its user trusts, and homes of its own. */
export function product(files: Record<string, string> = {}): Product {
  const p = untrustedProduct(files);
  const path = realpathSync(p.cwd);
  const { dev, ino } = statSync(path, { bigint: true });
  const state = join(dirname(p.data), "state", "minicode");
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, "trust.json"), JSON.stringify({ folders: [{ path, id: `${dev}:${ino}` }] }));
  return p;
}

/** The same with a workspace that its user has not seen before. */
export function untrustedProduct(files: Record<string, string> = {}): Product {
  const cwd = mkdtempSync(join(tmpdir(), "minicode-e2e-"));
  const home = mkdtempSync(join(tmpdir(), "minicode-home-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
  const data = join(home, "data");
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    XDG_DATA_HOME: data,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
  };
  return {
    cwd,
    data,
    env,
    start: (args) =>
      spawn(process.execPath, [binary, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] }),
    run: (args, { input, extra } = {}) =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [binary, ...args], {
          cwd,
          env: { ...env, ...extra },
          stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
        });
        let stdout = "";
        let stderr = "";
        child.stdout?.setEncoding("utf8").on("data", (text) => {
          stdout += text;
        });
        child.stderr?.setEncoding("utf8").on("data", (text) => {
          stderr += text;
        });
        child.stdin?.end(input);
        child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
      }),
  };
}

/** Writes a script for the scripted model beside the workspace and gives its path. */
export function script(p: Product, name: string, steps: readonly object[]): string {
  const path = join(dirname(p.data), `${name}.json`);
  writeFileSync(path, JSON.stringify({ name, steps }));
  return path;
}
