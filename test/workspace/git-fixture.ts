// Real repositories in temp folders for the git tests, made with the machine's own git.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Git, openGit } from "../../src/workspace/git.ts";
import type { GitDiff } from "../../src/workspace/git-diff.ts";
import { openPathGate } from "../../src/workspace/path-gate.ts";

export const never = new AbortController().signal;

/** A fresh real folder, gone after the test. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "minicode-git-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the machine's git the plain way, as a user would. */
export function git(cwd: string, ...args: string[]): string {
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
    GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
  };
  const user = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"];
  return execFileSync("git", [...user, "-c", "init.defaultBranch=main", ...args], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

export function write(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** A repository on branch "main" with these files committed. */
export function repository(files: Readonly<Record<string, string | Uint8Array>>, ...init: string[]): string {
  const root = tempFolder();
  git(root, "init", "-q", ...init);
  write(root, files);
  git(root, "add", "-A");
  git(root, "commit", "-q", "--allow-empty", "-m", "first");
  return root;
}

/** An executable script that leaves `marker` behind. */
export function trap(path: string, marker: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\ntouch '${marker}'\n`);
  chmodSync(path, 0o755);
  return path;
}

/** One hash over names, kinds, modes, times and contents of everything below a folder. */
export function hashOf(folder: string): string {
  const hash = createHash("sha256");
  const visit = (path: string): void => {
    const stat = lstatSync(path, { bigint: true });
    hash.update(`${path}\0${stat.mode}\0${stat.mtimeNs}\0${stat.ino}\0`);
    if (stat.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else if (stat.isFile()) hash.update(readFileSync(path));
  };
  visit(folder);
  return hash.digest("hex");
}

/** Our git on a workspace; it must lie in a repository. */
export async function ourGit(root: string): Promise<Git> {
  const gate = await openPathGate(root);
  onTestFinished(() => gate.close());
  const ours = await openGit(gate);
  if (ours === null) throw new Error(`no repository around ${root}`);
  return ours;
}

/** All three answers in the shape of plain git's, or the refusals. */
export async function answers(
  root: string,
): Promise<{ status: string[] | string; diff: string; staged: string }> {
  const ours = await ourGit(root);
  const status = await ours.status(never);
  const [diff, staged] = [await ours.diff("worktree", never), await ours.diff("staged", never)];
  return {
    status: status.ok
      ? status.value.entries.map(
          ({ code, path, from }) => `${code} ${path}${from === undefined ? "" : ` < ${from}`}`,
        )
      : status.refusal.message,
    diff: diff.ok ? textOf(diff.value) : diff.refusal.message,
    staged: staged.ok ? textOf(staged.value) : staged.refusal.message,
  };
}

function textOf({ parts }: GitDiff): string {
  return parts.map(({ text }) => text).join("");
}

/** The same from plain git, with the older status format so that our parser is not its own judge. */
export function plainAnswers(root: string): { status: string[]; diff: string; staged: string } {
  const records = git(root, "status", "--porcelain=v1", "-z", "--ignore-submodules=all", "--", ".").split(
    "\0",
  );
  const prefix = git(root, "rev-parse", "--show-prefix").trim();
  const status: string[] = [];
  for (let i = 0; i < records.length; i++) {
    const record = records[i] ?? "";
    if (record === "") continue;
    const path = record.slice(3 + prefix.length);
    const from = /^[RC]|^.[RC]/.test(record) ? ` < ${(records[++i] ?? "").slice(prefix.length)}` : "";
    status.push(`${record.slice(0, 2)} ${path}${from}`);
  }
  const diff = ["-c", "core.quotePath=false", "diff", "--ignore-submodules=all", "--relative"];
  return { status, diff: git(root, ...diff, "--", "."), staged: git(root, ...diff, "--cached", "--", ".") };
}
