// A ref or a path never becomes an option, and a path never leads out.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { gitTool } from "../../src/tools/git.ts";
import { call } from "../tools/call.ts";
import { git, repository, tempFolder, trap, write } from "../workspace/git-fixture.ts";

const badRefs = [
  ...[
    "--output=pwn",
    "-O./x",
    "--no-index",
    "--contents=/etc/hostname",
    "-",
    "--",
    "@",
    "",
    " HEAD",
    "HEAD ",
  ],
  ...["HEAD --output=pwn", "HEAD\n--output=pwn", "HEAD\0x", ":/x", ":a", "HEAD:.env", "^HEAD", "HEAD?"],
  ...["$(touch pwn)", "main;x", "a".repeat(202), "größe x", "*", "[a]"],
];
const badPaths = ["/etc/passwd", "../x", "a/../../x", "~/.ssh/id_rsa", ".git/config", ".env", "", "a\0b"];

/** PATH with nothing but a git that leaves a mark: proof that git was not even started. */
async function startsGit(root: string, input: object): Promise<{ started: boolean; outcome: string }> {
  const marker = join(tempFolder(), "STARTED");
  const bin = tempFolder();
  trap(join(bin, "git"), marker);
  vi.stubEnv("PATH", `${bin}:/bin:/usr/bin`);
  try {
    const { outcome } = await call(gitTool, root, input);
    return { started: existsSync(marker), outcome };
  } finally {
    vi.unstubAllEnvs();
  }
}

describe("TH38: what is no ref and what is outside never reaches git", () => {
  it.each(badRefs)("ref %j", async (ref) => {
    const root = repository({ a: "a\n" });
    for (const input of [
      { action: "log" },
      { action: "show" },
      { action: "show", path: "a" },
      { action: "blame", path: "a" },
    ])
      expect(await startsGit(root, { ...input, ref })).toEqual({ started: false, outcome: "invalid" });
  });

  it.each(badPaths)("path %j", async (path) => {
    const root = repository({ a: "a\n" });
    for (const action of ["diff", "staged_diff", "log", "show", "blame"]) {
      const { started, outcome } = await startsGit(root, { action, path });
      expect([started, outcome]).toEqual([false, expect.stringMatching(/^(?:invalid|blocked)$/)]);
    }
  });

  it("a field that the action has no use for", async () => {
    const root = repository({ a: "a\n" });
    for (const input of [
      { action: "status", path: "a" },
      { action: "branches", ref: "main" },
      { action: "diff", ref: "HEAD" },
      { action: "log", start: 1 },
      { action: "show", start: 1 },
      { action: "blame" },
      { action: "blame", path: "a", limit: 2 },
      { action: "blame", path: "a", start: 3, end: 2 },
    ])
      expect(await startsGit(root, input)).toEqual({ started: false, outcome: "invalid" });
  });

  it("and a good ref does, so the proof is one", async () => {
    expect((await startsGit(repository({ a: "a\n" }), { action: "log", ref: "main" })).started).toBe(true);
  });
});

it("TH38: files that are named like options, magic or globs are files", async () => {
  const names = ["--output=pwn", "-O", "--no-index", ":(top)a", ":!a", "*", "--", "[a]"];
  const root = repository({ a: "other\n", ...Object.fromEntries(names.map((name) => [name, `${name}\n`])) });
  write(root, Object.fromEntries(names.map((name) => [name, `${name}\nnew\n`])));
  const before = readdirSync(root).sort();
  for (const path of names) {
    const [diff, log, show, blame] = [
      (await call(gitTool, root, { action: "diff", path })).content,
      (await call(gitTool, root, { action: "log", path })).content,
      (await call(gitTool, root, { action: "show", path, ref: "HEAD" })).content,
      (await call(gitTool, root, { action: "blame", path })).content,
    ];
    expect(diff).toContain(`\n ${path}\n+new\n`);
    expect(diff.match(/^diff --git/gm)).toHaveLength(1);
    expect(log).toMatch(/: first/);
    expect(show).toMatch(/ · 1 line\n1\t/);
    expect(show).toContain(path);
    expect(blame).toMatch(/1\t[\s\S]*not committed\n2\tnew$/);
  }
  expect(readdirSync(root).sort()).toEqual(before);
});

it("TH38: replace refs and grafts do not change what a commit is", async () => {
  const root = repository({ a: "one\n" });
  write(root, { a: "two\n" });
  git(root, "commit", "-q", "-am", "second");
  const [second = "", first = ""] = git(root, "log", "--format=%H").trim().split("\n");
  git(root, "replace", second, first);
  expect((await call(gitTool, root, { action: "show" })).content).toContain("second");
  rmSync(join(root, ".git/refs/replace"), { recursive: true });
  write(root, { ".git/info/grafts": `${second}\n` });
  expect((await call(gitTool, root, { action: "log" })).content).toContain("first");
});
