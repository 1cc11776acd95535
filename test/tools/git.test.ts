import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { gitTool } from "../../src/tools/git.ts";
import { git, repository, tempFolder, write } from "../workspace/git-fixture.ts";
import { call } from "./call.ts";
import { bench } from "./context.ts";

describe("git tool", () => {
  it("shows status as git status --short does", async () => {
    const root = repository({ a: "a\n", "old name": "1\n2\n3\n" });
    expect(await call(gitTool, root, { action: "status" })).toEqual({
      outcome: "ok",
      content: "On branch main\nNothing changed: the working tree is clean.",
      facts: [],
    });
    write(root, { a: "b\n", "new/x": "x\n", ".env": "secret\n" });
    git(root, "mv", "old name", "new name");
    expect((await call(gitTool, root, { action: "status" })).content).toBe(
      "On branch main\n M a\nR  old name -> new name\n?? new/\n(1 protected path left out)",
    );
    git(root, "checkout", "-q", "--detach");
    expect((await call(gitTool, root, { action: "status" })).content).toMatch(
      /^On no branch, detached at [0-9a-f]{8}\n/,
    );
  });

  it("shows diffs, and says when there is none", async () => {
    const root = repository({ a: "a\n" });
    expect((await call(gitTool, root, { action: "diff" })).content).toBe(
      "No unstaged changes in tracked files.",
    );
    expect((await call(gitTool, root, { action: "staged_diff" })).content).toBe("Nothing is staged.");
    write(root, { a: "b\n" });
    const plain = git(root, "diff");
    expect((await call(gitTool, root, { action: "diff" })).content).toBe(plain);
    git(root, "add", "a");
    expect((await call(gitTool, root, { action: "staged_diff" })).content).toBe(plain);
  });

  it("counts what is beyond 300 entries", async () => {
    const root = repository({});
    write(root, Object.fromEntries(Array.from({ length: 305 }, (_, i) => [`f${i}`, ""])));
    expect((await call(gitTool, root, { action: "status" })).content).toContain("\n(5 more changed paths)");
  });

  it("shows control characters in names as marks", async () => {
    const root = repository({});
    write(root, { "x\u001b]0;pwn\u0007y": "", "a\nb": "" });
    const { content } = await call(gitTool, root, { action: "status" });
    expect(content).not.toMatch(/[\u001b\u0007]/);
    expect(content.split("\n")).toHaveLength(3);
  });

  it("says plainly that there is no repository, or why it does not read it", async () => {
    expect(await call(gitTool, tempFolder(), { action: "status" })).toMatchObject({
      outcome: "error",
      content: "This folder is not in a git repository.",
    });
    const root = repository({ a: "a\n" });
    write(root, { ".git/objects/info/alternates": "/elsewhere\n" });
    expect(await call(gitTool, root, { action: "diff" })).toMatchObject({
      outcome: "error",
      content: expect.stringContaining("alternates takes objects from another repository"),
    });
    rmSync(join(root, ".git/objects/info/alternates"));
    expect((await call(gitTool, root, { action: "diff" })).outcome).toBe("ok");
  });

  it("K01: secrets come by no action, from the tree or from history, and templates do", async () => {
    const root = repository({ ".env": "API_KEY=mc-secret-7731\n", ".env.example": "API_KEY=\n", a: "a\n" });
    write(root, { ".env": "API_KEY=mc-secret-7732\n", ".env.example": "API_KEY=x\n", a: "b\n" });
    const all = [
      ...["status", "diff", "staged_diff", "log", "show", "branches"].map((action) => ({ action })),
      ...["diff", "staged_diff", "log", "show", "blame"].map((action) => ({ action, path: ".env" })),
      ...["show", "blame"].map((action) => ({ action, path: "./.ENV", ref: "HEAD" })),
    ];
    const contents = async (): Promise<Map<string, string>> => {
      const said = new Map<string, string>();
      for (const input of all) said.set(JSON.stringify(input), (await call(gitTool, root, input)).content);
      return said;
    };
    const before = await contents();
    git(root, "add", "-A");
    const staged = await contents();
    git(root, "commit", "-q", "-m", "second");
    const after = await contents();
    for (const said of [before, staged, after])
      for (const [input, content] of said) {
        expect([input, content]).toEqual([input, expect.not.stringContaining("mc-secret")]);
        if (input.includes(".env") || input.includes(".ENV"))
          expect(content).toMatch(/is protected \(\.env\)/);
      }
    const note = "(diff left out, protected: .env)";
    const show = '{"action":"show"}';
    expect(before.get('{"action":"diff"}')).toContain(note);
    expect(staged.get('{"action":"staged_diff"}')).toContain(note);
    for (const said of [before.get(show), after.get(show)]) {
      expect(said).toContain("(1 protected path left out)");
      expect(said).toContain(note);
      expect(said).toContain("diff --git a/.env.example b/.env.example");
    }
    expect(after.get(show)).toContain("-a\n+b\n");
    for (const action of ["show", "blame"])
      expect((await call(gitTool, root, { action, path: ".env.example" })).content).toContain("1\tAPI_KEY=x");
  });

  it("leaves out a rename when one side is protected or hidden, also when only the other is asked for", async () => {
    const secret = "mc-secret-7733\n".repeat(5);
    const root = repository({
      ".env": secret,
      "open.txt": `open ${secret}`,
      "hide/x": `h ${secret}`,
      a: "a\n",
    });
    write(root, { ".minicodeignore": "hide/\n" });
    git(root, "mv", ".env", "shown.txt");
    git(root, "mv", "open.txt", "key.pem");
    git(root, "mv", "hide/x", "x");
    for (const input of [{ action: "staged_diff" }, { action: "staged_diff", path: "shown.txt" }]) {
      const { content } = await call(gitTool, root, input);
      expect(content).not.toContain("mc-secret");
      expect(content).toContain("(diff left out, protected: .env)");
    }
    git(root, "commit", "-q", "-m", "moved");
    const { content } = await call(gitTool, root, { action: "show" });
    expect(content).not.toContain("mc-secret");
    expect(content).not.toMatch(/^[RAD] /m);
    expect(content).toContain("(3 protected paths left out)");
  });

  it("shows diffs of one path", async () => {
    const root = repository({ a: "a\n", "dir/b": "b\n", "dir/c": "c\n" });
    write(root, { a: "1\n", "dir/b": "2\n", "dir/c": "3\n" });
    const files = async (path: string): Promise<string[]> => {
      const { content } = await call(gitTool, root, { action: "diff", path });
      return [...content.matchAll(/^diff --git a\/(\S+)/gm)].map(([, name]) => name ?? "");
    };
    expect(await files("dir")).toEqual(["dir/b", "dir/c"]);
    expect(await files("dir/b")).toEqual(["dir/b"]);
    expect(await call(gitTool, root, { action: "diff", path: "dir/never" })).toMatchObject({
      outcome: "ok",
      content: "No unstaged changes in tracked files in dir/never.",
    });
  });

  it("shows the log, and how to go on", async () => {
    const root = repository({ a: "0\n" });
    for (let i = 1; i <= 4; i++) {
      write(root, { a: `${i}\n` });
      git(root, "commit", "-q", "-am", `change ${i}\n\nbody`);
    }
    git(root, "tag", "v1", "HEAD~2");
    const { content } = await call(gitTool, root, { action: "log", limit: 3 });
    expect(content.replaceAll(/[0-9a-f]{10}/g, "ID")).toBe(
      [
        "ID 2026-01-01 T: change 4 (HEAD -> main)",
        "ID 2026-01-01 T: change 3",
        "ID 2026-01-01 T: change 2 (tag: v1)",
        "(older commits: log with ref ID~1)",
      ].join("\n"),
    );
    const [, ref] = /ref (\S+)\)/.exec(content) ?? [];
    expect((await call(gitTool, root, { action: "log", ref })).content).toMatch(/: change 1\n.*: first$/);
    expect((await call(gitTool, root, { action: "log", path: "b" })).content).toBe("No commits of b found.");
  });

  it("shows a commit, a merge against its first parent, and a file as it was by lines", async () => {
    const root = repository({ a: "one\ntwo\nthree\n" });
    git(root, "checkout", "-q", "-b", "side");
    write(root, { b: "b\n" });
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "add b");
    git(root, "checkout", "-q", "main");
    git(root, "merge", "-q", "--no-ff", "-m", "Merge side", "side");
    const merge = (await call(gitTool, root, { action: "show" })).content;
    expect(merge.replaceAll(/[0-9a-f]{10,40}/g, "ID")).toMatch(
      /^commit ID \(HEAD -> main\)\nT, \S+\nMerge of ID and ID; what follows is against the first\.\n\nMerge side\n\nA b\n\ndiff --git a\/b b\/b\n/,
    );
    const old = await call(gitTool, root, { action: "show", ref: "side~1", path: "a", start: 2, end: 3 });
    expect(old).toMatchObject({ outcome: "ok", facts: [] });
    expect(old.content).toMatch(/^a in [0-9a-f]{10} · 3 lines\n2\ttwo\n3\tthree$/);
    expect(await call(gitTool, root, { action: "show", path: "a", start: 9 })).toMatchObject({
      outcome: "error",
      content: expect.stringMatching(/has 3 lines; there is no line 9\.$/),
    });
  });

  it("shows who changed which line, uncommitted ones too", async () => {
    const root = repository({ a: "one\ntwo\n", bin: Uint8Array.of(0, 1), none: "" });
    write(root, { a: "one\nnew\ntwo\n" });
    const id = git(root, "rev-parse", "HEAD").slice(0, 10);
    const heading = `${id} 2026-01-01 T: first`;
    expect((await call(gitTool, root, { action: "blame", path: "a" })).content).toBe(
      `a · 3 lines\n${heading}\n1\tone\nnot committed\n2\tnew\n${heading}\n3\ttwo`,
    );
    expect((await call(gitTool, root, { action: "blame", path: "a", start: 2, end: 2 })).content).toBe(
      "a · 3 lines\nnot committed\n2\tnew",
    );
    expect((await call(gitTool, root, { action: "blame", path: "a", ref: "main", end: 1 })).content).toBe(
      `a · 2 lines\n${heading}\n1\tone`,
    );
    expect((await call(gitTool, root, { action: "blame", path: "none" })).content).toBe("none · empty");
    expect((await call(gitTool, root, { action: "blame", path: "bin" })).content).toBe(
      "bin is binary (2 bytes); it is not shown.",
    );
    write(root, { untracked: "u\n" });
    expect(await call(gitTool, root, { action: "blame", path: "untracked" })).toMatchObject({
      outcome: "error",
      content: expect.stringContaining("no such path 'untracked' in HEAD"),
    });
    expect((await call(gitTool, root, { action: "blame", path: "gone" })).content).toMatch(
      /^There is no such file: gone\./,
    );
  });

  it("bounds every answer and says how to see more", async () => {
    const long = "0123456789\n".repeat(3_000);
    const root = repository({ long, wide: `${"w".repeat(5_000)}\n` });
    write(root, {
      long: long.replaceAll("0", "x"),
      wide: "w\n",
      "a.txt": long,
      "b.txt": long,
      "c.txt": long,
    });
    git(root, "add", "-A");
    const staged = (await call(gitTool, root, { action: "staged_diff" })).content;
    expect(staged.length).toBeLessThan(50_000);
    expect(staged).toMatch(
      /\n\(Left out for length: b\.txt, c\.txt, long, wide\. Name one as path to see it\.\)\n$/,
    );
    const one = (await call(gitTool, root, { action: "staged_diff", path: "long" })).content;
    expect(one.length).toBeLessThan(50_000);
    expect(one).toMatch(/\n[-+][\dx]+\n… \(the rest of this file is left out\)\n$/);
    git(root, "commit", "-q", "-m", "much");
    const show = (await call(gitTool, root, { action: "show" })).content;
    expect(show.length).toBeLessThan(55_000);
    expect(show).toContain("show with path gives a file as it was then.");
    for (const action of ["show", "blame"]) {
      const { content } = await call(gitTool, root, { action, path: "long" });
      expect(content).toMatch(/\n1000\tx123456789\n… 2000 more lines; go on with start 1001$/);
      expect((await call(gitTool, root, { action, path: "wide", ref: "HEAD~1" })).content).toContain(
        "… (line cut, 5000 characters)",
      );
    }
  });

  it("names its path for the user's rules, and says in a label what it does", async () => {
    const { prepare } = await bench({ a: "a\n" });
    for (const [input, paths, label] of [
      [{ action: "status" }, [], "git status"],
      [{ action: "staged_diff" }, [], "git diff --staged"],
      [{ action: "log", path: "./a" }, ["a"], "git log ./a"],
      [{ action: "show", ref: "HEAD~1", path: "a" }, ["a"], "git show HEAD~1:a"],
      [{ action: "show" }, [], "git show HEAD"],
      [{ action: "blame", path: "a", start: 3 }, ["a"], "git blame a:3-"],
    ] as const) {
      expect(await prepare(gitTool, input)).toMatchObject({ kind: "read", paths });
      expect(gitTool.label(input)).toBe(label);
    }
  });

  it("is closed while .minicodeignore is broken", async () => {
    const root = repository({ a: "a\n" });
    write(root, { ".minicodeignore": Uint8Array.of(0xff), a: "b\n" });
    expect(await call(gitTool, root, { action: "diff" })).toMatchObject({
      outcome: "blocked",
      content: expect.stringContaining(".minicodeignore is not valid UTF-8"),
    });
  });

  it("takes no other action and no other field", () => {
    expect(gitTool.input.safeParse({ action: "grep" }).success).toBe(false);
    expect(gitTool.input.safeParse({ action: "status", options: "--output=x" }).success).toBe(false);
    expect(JSON.stringify(z.toJSONSchema(gitTool.input)).length).toBeLessThan(750);
  });
});
