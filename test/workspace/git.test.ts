import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGit } from "../../src/workspace/git.ts";
import { openPathGate } from "../../src/workspace/path-gate.ts";
import {
  answers,
  git,
  hashOf,
  never,
  ourGit,
  plainAnswers,
  repository,
  tempFolder,
  write,
} from "./git-fixture.ts";

/** Repositories whose config runs nothing: the answers must be those of plain git. */
const benign: Record<string, () => string> = {
  "edits, renames, deletions, modes, odd names": () => {
    const root = repository({
      "a.txt": "one\ntwo\n",
      "gone.txt": "x\n",
      "old name.txt": "a\nb\nc\nd\ne\n",
      "run.sh": "echo\n",
      "größe.txt": "ß\n",
      'tab\tquote".txt': "q\n",
      "line\nbreak.txt": "l\n",
      "bin.dat": Uint8Array.of(0, 1, 2, 255),
      "no-newline": "end",
      "deep/er/file.ts": "1\n",
    });
    write(root, {
      "a.txt": "one\n2\n",
      "größe.txt": "s\n",
      'tab\tquote".txt': "r\n",
      "line\nbreak.txt": "m\n",
      "bin.dat": Uint8Array.of(0, 9),
      "no-newline": "END",
      "new/file.txt": "new\n",
      "added.txt": "added\n",
      "diff --git a/x b/x": "odd\n",
    });
    git(root, "add", "added.txt", "diff --git a/x b/x");
    git(root, "mv", "old name.txt", "deep/new name.txt");
    rmSync(join(root, "gone.txt"));
    chmodSync(join(root, "run.sh"), 0o755);
    return root;
  },
  "ignore rules and info/exclude": () => {
    const root = repository({ ".gitignore": "*.log\n", "sub/.gitignore": "!keep.log\n", a: "a\n" });
    write(root, { "x.log": "x", "sub/keep.log": "k", "mine/notes": "n", b: "b" });
    write(root, { ".git/info/exclude": "mine/\n" });
    return root;
  },
  "no commits yet": () => {
    const root = tempFolder();
    git(root, "init", "-q");
    write(root, { a: "a\n", b: "b\n" });
    git(root, "add", "a");
    return root;
  },
  "detached HEAD and packed refs": () => {
    const root = repository({ a: "a\n" });
    git(root, "pack-refs", "--all");
    git(root, "gc", "-q");
    git(root, "checkout", "-q", "--detach");
    write(root, { a: "b\n" });
    return root;
  },
  "packed branch with a slash": () => {
    const root = repository({ a: "a\n" });
    git(root, "checkout", "-q", "-b", "feature/x");
    git(root, "pack-refs", "--all");
    write(root, { a: "b\n" });
    return root;
  },
  "merge conflict": () => {
    const root = repository({ a: "base\n", b: "base\n" });
    git(root, "checkout", "-q", "-b", "side");
    write(root, { a: "side\n" });
    git(root, "rm", "-q", "b");
    git(root, "commit", "-qam", "side");
    git(root, "checkout", "-q", "main");
    write(root, { a: "main\n", b: "main\n" });
    git(root, "commit", "-qam", "main");
    expect(() => git(root, "merge", "-q", "side")).toThrow();
    return root;
  },
  sha256: () => {
    const root = repository({ a: "a\n" }, "--object-format=sha256");
    write(root, { a: "b\n" });
    return root;
  },
  "split index": () => {
    const root = repository({ a: "a\n", b: "b\n" });
    git(root, "update-index", "--split-index");
    write(root, { a: "aa\n", c: "c\n" });
    git(root, "add", "c");
    return root;
  },
  "sparse checkout with a sparse index": () => {
    const root = repository({ "in/a": "a\n", "out/b": "b\n", top: "t\n" });
    git(root, "sparse-checkout", "set", "--sparse-index", "in");
    write(root, { "in/a": "aa\n", "in/new": "n\n" });
    return root;
  },
  "line endings by attribute and by config": () => {
    const root = repository({ ".gitattributes": "*.crlf text eol=crlf\n", a: "a\nb\n", "x.crlf": "x\r\n" });
    git(root, "config", "core.autocrlf", "input");
    write(root, { a: "a\r\nb\r\n", "x.crlf": "y\r\n" });
    return root;
  },
  "links and types": () => {
    const root = repository({ a: "a\n", b: "b\n", "dir/c": "c\n" });
    rmSync(join(root, "a"));
    symlinkSync("/etc/passwd", join(root, "a"));
    renameSync(join(root, "dir"), join(root, "moved"));
    symlinkSync("moved", join(root, "dir"));
    git(root, "add", "a");
    return root;
  },
  "intent to add, file mode ignored": () => {
    const root = repository({ a: "a\n" });
    git(root, "config", "core.fileMode", "no");
    chmodSync(join(root, "a"), 0o755);
    write(root, { b: "b\n" });
    git(root, "add", "-N", "b");
    return root;
  },
  "a folder inside the repository": () => {
    const root = repository({ "pkg/a": "a\n", "pkg/b": "1\n2\n3\n4\n5\n", "other/c": "c\n" });
    write(root, { "pkg/a": "aa\n", "other/c": "cc\n", "pkg/new": "n\n", "other/new": "n\n" });
    git(root, "mv", "pkg/b", "pkg/moved");
    git(root, "mv", "other/c", "pkg/came");
    return join(root, "pkg");
  },
};

describe("git equals plain git", () => {
  it.each(Object.entries(benign))("%s", async (_, make) => {
    const root = make();
    expect(await answers(root)).toEqual(plainAnswers(root));
  });
});

describe("git", () => {
  it("leaves the repository as it was, to the last time stamp, and no shadow behind", async () => {
    const root = benign["edits, renames, deletions, modes, odd names"]?.() ?? "";
    const before = hashOf(join(root, ".git"));
    const temp = tempFolder();
    process.env["TMPDIR"] = temp;
    try {
      await answers(root);
      await (await ourGit(root)).trackedFiles(never);
    } finally {
      delete process.env["TMPDIR"];
    }
    expect(hashOf(join(root, ".git"))).toBe(before);
    expect(readdirSync(temp)).toEqual([]);
  });

  it("sees an edit of the same size in the second of the last add, also when that is over", async () => {
    const root = repository({ a: "0\n" });
    const second = (name: string): number => Math.floor(lstatSync(join(root, name)).ctimeMs / 1000);
    do {
      write(root, { a: "1\n" });
      git(root, "add", "a");
      write(root, { a: "2\n" });
    } while (second("a") !== second(".git/index"));
    await expect.poll(() => Math.floor(Date.now() / 1000), { timeout: 5000 }).toBeGreaterThan(second("a"));
    expect((await answers(root)).status).toEqual(["MM a"]);
  });

  it("names the branch, or why there is none", async () => {
    const root = repository({ a: "a\n" });
    expect(await (await ourGit(root)).branch()).toBe("main");
    git(root, "checkout", "-q", "-b", "feature/größe");
    expect(await (await ourGit(root)).branch()).toBe("feature/größe");
    git(root, "checkout", "-q", "--orphan", "empty");
    expect(await (await ourGit(root)).branch()).toBe("empty (no commits yet)");
    git(root, "checkout", "-q", "--detach", "main");
    expect(await (await ourGit(root)).branch()).toMatch(/^detached at [0-9a-f]{8}$/);
    write(root, { ".git/HEAD": "nonsense\n" });
    expect(await (await ourGit(root)).branch()).toBeNull();
  });

  it("is null outside a repository, and does not take an empty .git folder for one", async () => {
    const root = tempFolder();
    const gate = await openPathGate(root);
    expect(await openGit(gate)).toBeNull();
    mkdirSync(join(root, ".git"));
    expect(await openGit(gate)).toBeNull();
    await gate.close();
  });

  it("works in a linked worktree and in a submodule", async () => {
    const main = repository({ a: "a\n" });
    const linked = join(tempFolder(), "linked");
    git(main, "worktree", "add", "-q", linked, "-b", "side");
    write(linked, { a: "b\n" });
    expect(await answers(linked)).toEqual(plainAnswers(linked));
    expect(await (await ourGit(linked)).branch()).toBe("side");

    git(main, "submodule", "--quiet", "add", repository({ inner: "1\n" }), "sub");
    const sub = join(main, "sub");
    write(sub, { inner: "2\n" });
    expect(await answers(sub)).toEqual(plainAnswers(sub));
  });

  it("names a folder of untracked files that the workspace lies in", async () => {
    const root = repository({ a: "a\n" });
    write(root, { "new/deep/x": "x" });
    expect((await answers(join(root, "new/deep"))).status).toEqual(["?? ./"]);
  });

  it("leaves protected and hidden files out and says so (K01)", async () => {
    const root = repository({
      ".env": "API_KEY=mc-secret-7731\n",
      "private/x": "hidden-1\n",
      a: "a\n",
      ".env.example": "K=\n",
    });
    write(root, {
      ".minicodeignore": "private/\n",
      ".env": "API_KEY=mc-secret-7732\n",
      "private/x": "hidden-2\n",
      a: "b\n",
      ".env.example": "KEY=\n",
    });
    const { status, diff } = await answers(root);
    expect(status).toEqual([" M .env.example", " M a"]);
    expect(diff).not.toMatch(/773|hidden/);
    expect(diff).toContain("(diff left out, protected: .env)\n");
    expect(diff).toContain("(diff left out, protected: private/x)\n");
    expect(diff).toContain("+b\n");
    expect(diff).toContain("+KEY=\n");

    git(root, "mv", ".env", "open.txt");
    const staged = await answers(root);
    expect(staged.staged).not.toMatch(/773/);
    const result = await (await ourGit(root)).status(never);
    expect(result.ok && result.value.leftOut).toBe(3);
  });

  it("cuts a huge diff and says so", async () => {
    const root = repository({ a: "" });
    write(root, { a: "line\n".repeat(1_000_000) });
    const diff = await (await ourGit(root)).diff("worktree", never);
    expect(diff.ok && diff.value.cut).toBe(true);
    expect(diff.ok && diff.value.parts[0]?.text.length).toBeLessThan(4.3 * 1024 * 1024);
  });

  it("lists the tracked files of the workspace without submodules", async () => {
    const root = repository({ "pkg/a": "a\n", "pkg/.env": "s\n", b: "b\n" });
    git(root, "submodule", "--quiet", "add", repository({ c: "c\n" }), "pkg/sub");
    expect(await (await ourGit(join(root, "pkg"))).trackedFiles(never)).toEqual({
      ok: true,
      value: [".env", "a"],
    });
  });

  it("is cancelled by its signal", async () => {
    const root = repository({ a: "a\n" });
    const status = await (await ourGit(root)).status(AbortSignal.abort());
    expect(status).toMatchObject({ ok: false, refusal: { outcome: "cancelled" } });
  });

  it("uses no git from inside the workspace", async () => {
    const root = repository({ a: "a\n" });
    writeFileSync(join(root, "git"), `#!/bin/sh\ntouch '${join(root, "PWNED")}'\n`);
    chmodSync(join(root, "git"), 0o755);
    const path = process.env["PATH"];
    try {
      process.env["PATH"] = `${root}:.:${path}`;
      expect((await answers(root)).status).toEqual(["?? git"]);
      process.env["PATH"] = root;
      expect((await answers(root)).status).toContain("git is not installed");
    } finally {
      process.env["PATH"] = path;
    }
  });
});

describe("the owner of the repository", () => {
  it.skipIf(process.getuid?.() !== 0)("does not matter: nothing of it is believed", async () => {
    const root = repository({ a: "a\n" });
    execFileSync("chown", ["-R", "65534:65534", root]);
    write(root, { a: "b\n" });
    expect(() => git(root, "status")).toThrow(/dubious ownership/);
    expect((await answers(root)).status).toEqual([" M a"]);
  });
});
