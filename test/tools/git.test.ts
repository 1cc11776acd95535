import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { gitTool } from "../../src/tools/git.ts";
import { git, repository, tempFolder, write } from "../workspace/git-fixture.ts";
import { call } from "./call.ts";

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

  it("K01: secrets come neither from status nor from diffs", async () => {
    const root = repository({ ".env": "API_KEY=mc-secret-7731\n", a: "a\n" });
    write(root, { ".env": "API_KEY=mc-secret-7732\n", a: "b\n" });
    for (const action of ["status", "diff"]) {
      expect((await call(gitTool, root, { action })).content).not.toContain("mc-secret");
    }
    git(root, "add", "-A");
    const { content } = await call(gitTool, root, { action: "staged_diff" });
    expect(content).not.toContain("mc-secret");
    expect(content).toContain("(diff left out, protected: .env)");
    expect(content).toContain("+b");
  });

  it("is closed while .minicodeignore is broken", async () => {
    const root = repository({ a: "a\n" });
    write(root, { ".minicodeignore": Uint8Array.of(0xff), a: "b\n" });
    expect(await call(gitTool, root, { action: "diff" })).toMatchObject({
      outcome: "blocked",
      content: expect.stringContaining(".minicodeignore is not valid UTF-8"),
    });
  });

  it("takes nothing but its three actions", () => {
    expect(gitTool.input.safeParse({ action: "log" }).success).toBe(false);
    expect(gitTool.input.safeParse({ action: "status", path: "--output=x" }).success).toBe(false);
    expect(JSON.stringify(z.toJSONSchema(gitTool.input)).length).toBeLessThan(350);
  });
});
