import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type GitHistory, gitHistory } from "../../src/workspace/git-history.ts";
import { parseBlame, parseNameStatus, splitDiff } from "../../src/workspace/git-output.ts";
import { openPathGate } from "../../src/workspace/path-gate.ts";
import { git, hashOf, never, repository, tempFolder, write } from "./git-fixture.ts";

async function history(root: string): Promise<GitHistory> {
  const gate = await openPathGate(root);
  onTestFinished(() => gate.close());
  return gitHistory(gate);
}

function commit(root: string, message: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  write(root, files);
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", message);
  return git(root, "rev-parse", "HEAD").trim();
}

/** Edits, a rename, a deletion, odd names, a merge, a tag. */
function story(): string {
  const root = repository({ a: "1\n2\n3\n", "old name": "x\n".repeat(9), gone: "g\n", "dir/größe": "ß\n" });
  commit(root, "second\n\nwith a body", {
    a: "1\ntwo\n3\n",
    "dir/größe": "s\n",
    'q"\t': "odd\n",
    crlf: "x\r\ny\r\n",
  });
  git(root, "mv", "old name", "dir/new name");
  rmSync(join(root, "gone"));
  commit(root, "third: move", {});
  git(root, "tag", "v1");
  git(root, "checkout", "-q", "-b", "side/x", "HEAD~1");
  commit(root, "on the side", { side: "s\n" });
  git(root, "checkout", "-q", "main");
  git(root, "merge", "-q", "--no-ff", "-m", "Merge side", "side/x");
  commit(root, "last", { a: "1\ntwo\n3\n4\n" });
  return root;
}

/** Our log, show, blame and files for every commit, in the shape of plain git's. */
async function ours(root: string, files: string[]): Promise<unknown> {
  const past = await history(root);
  const log = await past.log({ limit: 50 }, never);
  if (!log.ok) return log.refusal.message;
  const shows = [];
  for (const { id } of log.value.commits) {
    const shown = await past.show(id, never);
    shows.push(
      shown.ok
        ? {
            message: shown.value.message.trim(),
            files: shown.value.files.map(({ code, path, from }) =>
              [code, from, path].filter(Boolean).join(" "),
            ),
            diff: shown.value.diff.parts.map(({ text }) => text).join(""),
          }
        : shown.refusal.message,
    );
  }
  const blames = [];
  for (const path of files) {
    const file = await past.fileAt("HEAD", path, never);
    if (!file.ok) throw new Error(file.refusal.message);
    const contents = file.value.bytes;
    const end = contents.toString().split("\n").length - 1;
    const lines = await past.blame({ path, ref: "HEAD", contents, start: 1, end }, never);
    blames.push([
      contents.toString(),
      lines.ok
        ? lines.value.map(({ commit, line, text }) => `${commit?.id} ${line} ${text}`)
        : lines.refusal.message,
    ]);
  }
  return {
    log: log.value.commits.map(({ id, author, message }) => `${id} ${author} ${message}`),
    shows,
    blames,
  };
}

/** The same from plain git, by other commands and formats where there are any. */
function plain(root: string, files: string[]): unknown {
  const top = git(root, "rev-parse", "--show-prefix").trim() === "";
  const lines = (text: string): string[] => text.split("\n").filter(Boolean);
  const log = lines(git(root, "log", "--format=%H %an %s", ...(top ? [] : ["--", "."])));
  const diff = ["-c", "core.quotePath=false", "show", "--format=", "--relative", "-m", "--first-parent"];
  return {
    log,
    shows: log
      .map((line) => line.slice(0, line.indexOf(" ")))
      .map((id) => ({
        message: git(root, "show", "--no-patch", "--format=%B", id).trim(),
        files: nameStatus(git(root, ...diff, "--name-status", "-z", id, "--", ".")),
        diff: git(root, ...diff, "--no-color", id, "--", "."),
      })),
    blames: files.map((path) => [
      git(root, "show", `HEAD:./${path}`),
      lines(git(root, "blame", "-s", "-l", "--root", "HEAD", "--", path)).map((line) =>
        line.replace(/^(\w+) (?:.*? )?\s*(\d+)\) /, "$1 $2 "),
      ),
    ]),
  };
}

function nameStatus(output: string): string[] {
  return [...output.matchAll(/(?:([RC])\d+\0([^\0]+)\0([^\0]+)|([AMDT])\0([^\0]+))\0/g)].map((found) =>
    found.slice(1).filter(Boolean).join(" "),
  );
}

describe("history equals plain git", () => {
  const files = ["a", "dir/new name", "dir/größe", 'q"\t', "crlf", "side"];

  it("at the top", async () => {
    const root = story();
    expect(await ours(root, files)).toEqual(plain(root, files));
  });

  it("packed, detached and with a stash", async () => {
    const root = story();
    git(root, "gc", "-q");
    git(root, "checkout", "-q", "--detach", "v1");
    write(root, { a: "stash me\n" });
    git(root, "stash", "-q");
    expect(await ours(root, ["a"])).toEqual(plain(root, ["a"]));
    const past = await history(root);
    for (const ref of ["v1", "main", "side/x", "stash", "main^^2", "HEAD^", "refs/heads/main", "main@{0}"]) {
      const found = await past.show(ref, never);
      if (ref.includes("@{")) expect(found).toMatchObject({ ok: false });
      else expect([ref, found.ok && found.value.id]).toEqual([ref, git(root, "rev-parse", ref).trim()]);
    }
  });

  it("in a folder inside: only what is in it, by paths from it", async () => {
    const root = story();
    const inside = join(root, "dir");
    const answer = await ours(inside, ["new name", "größe"]);
    expect(answer).toEqual(plain(inside, ["new name", "größe"]));
    expect(JSON.stringify(answer)).not.toMatch(/dir\/|crlf/);
  });

  it("in a linked worktree", async () => {
    const linked = join(tempFolder(), "linked");
    git(story(), "worktree", "add", "-q", linked, "-b", "other", "HEAD~1");
    expect(await ours(linked, files)).toEqual(plain(linked, files));
  });

  it("with sha256", async () => {
    const root = repository({ a: "1\n" }, "--object-format=sha256");
    commit(root, "second", { a: "2\n" });
    expect(await ours(root, ["a"])).toEqual(plain(root, ["a"]));
  });
});

describe("history", () => {
  it("leaves .git as it was and no shadow behind", async () => {
    const root = story();
    const before = hashOf(join(root, ".git"));
    const temp = tempFolder();
    process.env["TMPDIR"] = temp;
    try {
      await ours(root, ["a"]);
      await (await history(root)).blame({ path: "a", contents: Buffer.from("1\n"), start: 1, end: 1 }, never);
      await (await history(root)).branches(10, never);
    } finally {
      delete process.env["TMPDIR"];
    }
    expect(hashOf(join(root, ".git"))).toBe(before);
    expect(readdirSync(temp)).toEqual([]);
  });

  it("takes log by path and number, and says that there is more", async () => {
    const root = story();
    const past = await history(root);
    const log = await past.log({ path: "a", limit: 2 }, never);
    expect(log).toMatchObject({
      ok: true,
      value: { more: true, commits: [{ message: "last" }, { message: "second" }] },
    });
    expect(await past.log({ path: "gone", limit: 5 }, never)).toMatchObject({
      value: { more: false, commits: [{ message: "third: move" }, { message: "first" }] },
    });
    expect(await past.log({ path: "never", limit: 5 }, never)).toMatchObject({ value: { commits: [] } });
  });

  it("lists branches, the latest first, with those of remotes", async () => {
    const other = story();
    const root = join(tempFolder(), "clone");
    git(other, "clone", "-q", other, root);
    const listed = await (await history(root)).branches(10, never);
    expect(listed.ok && listed.value.branches.map(({ name, current }) => [name, current])).toEqual(
      expect.arrayContaining([
        ["main", true],
        ["remotes/origin/HEAD", false],
        ["remotes/origin/main", false],
        ["remotes/origin/side/x", false],
      ]),
    );
    expect(await (await history(root)).branches(1, never)).toMatchObject({ value: { more: true } });
  });

  it("takes branch names as people write them", async () => {
    const root = repository({ a: "1\n" });
    const past = await history(root);
    for (const name of ["fix/größe", "修正", "feature#12", "deps+c=1,x%", "wow!", "a@b"]) {
      git(root, "branch", name);
      const shown = await past.show(name, never);
      expect([name, shown.ok && shown.value.id]).toEqual([name, git(root, "rev-parse", name).trim()]);
    }
    for (const name of ["-x", "--output=x", "a b", "a:b", ":/x", "a\n", ""]) {
      expect(await past.show(name, never)).toMatchObject({ ok: false, refusal: { outcome: "invalid" } });
    }
  });

  it("says that there are no commits yet", async () => {
    const root = tempFolder();
    git(root, "init", "-q");
    write(root, { a: "a\n" });
    const past = await history(root);
    for (const answer of [
      await past.log({ limit: 1 }, never),
      await past.show("HEAD", never),
      await past.blame({ path: "a", contents: Buffer.from("a\n"), start: 1, end: 1 }, never),
    ])
      expect(answer).toMatchObject({ refusal: { message: "There are no commits on this branch yet." } });
    expect(await past.branches(5, never)).toEqual({ ok: true, value: { branches: [], more: false } });
  });

  it("stops where a shallow clone does, and says so", async () => {
    const root = join(tempFolder(), "clone");
    git("/", "clone", "-q", "--depth=2", `file://${story()}`, root);
    const past = await history(root);
    const log = await past.log({ limit: 50 }, never);
    const count = git(root, "rev-list", "--count", "HEAD").trim();
    expect(log.ok && [log.value.commits.length, log.value.shallow]).toEqual([Number(count), true]);
    expect(await past.show("HEAD", never)).toMatchObject({
      ok: true,
      value: { files: [{ code: "M", path: "a" }] },
    });
    expect(await past.show("HEAD~9", never)).toMatchObject({
      refusal: { message: "There is no commit HEAD~9. This is a shallow clone: older commits are missing." },
    });
  });

  it("knows the other side of a merge that is not finished", async () => {
    const root = story();
    git(root, "checkout", "-q", "-b", "theirs", "HEAD~1");
    const theirs = commit(root, "theirs", { a: "1\ntwo\n3\ntheirs\n" });
    git(root, "checkout", "-q", "main");
    expect(() => git(root, "merge", "-q", "theirs")).toThrow();
    const past = await history(root);
    expect(await past.show("MERGE_HEAD", never)).toMatchObject({ value: { id: theirs } });
  });

  it("refuses what is no commit, no file or not there", async () => {
    const root = story();
    symlinkSync("a", join(root, "link"));
    commit(root, "link", {});
    const past = await history(root);
    const blob = git(root, "rev-parse", "HEAD:a").trim();
    for (const ref of ["nope", blob, "HEAD~99", "HEAD^9", "main..v1"])
      expect(await past.show(ref, never)).toMatchObject({
        refusal: { message: `There is no commit ${ref}. The action branches lists what there is.` },
      });
    expect(await past.fileAt("HEAD", "dir", never)).toMatchObject({
      refusal: { message: /a folder in commit/ },
    });
    expect(await past.fileAt("HEAD", "link", never)).toMatchObject({
      refusal: { message: /a symbolic link/ },
    });
    expect(await past.fileAt("HEAD", "gone", never)).toMatchObject({
      refusal: { message: /There is no gone in/ },
    });
    expect((await past.fileAt("HEAD~5", "gone", never)).ok).toBe(true);
  });

  it("is cancelled by its signal", async () => {
    const past = await history(story());
    expect(await past.log({ limit: 5 }, AbortSignal.abort())).toMatchObject({
      refusal: { outcome: "cancelled" },
    });
  });
});

describe("git's output", () => {
  it("a CR or another line end in a file does not begin a new part of a diff", () => {
    const part = (name: string, line: string): string =>
      `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n+${line}\n`;
    for (const end of ["\r", "\u2028", "\u2029", "\v"]) {
      const secret = part(".env", `x${end}diff --git a/open b/open${end}@@ -1 +1 @@${end}+secret`);
      const parts = splitDiff(secret + part("b", "x"));
      expect(parts.map(({ paths }) => paths)).toEqual([[".env"], ["b"]]);
    }
  });

  it("name-status with renames, and nothing", () => {
    expect(parseNameStatus("")).toEqual([]);
    expect(parseNameStatus("M\0a b\0R087\0old\0new\0D\0x\ny\0")).toEqual([
      { code: "M", path: "a b" },
      { code: "R", path: "new", from: "old" },
      { code: "D", path: "x\ny" },
    ]);
  });

  it("blame whose lines and messages look like its own headings", () => {
    const id = "a".repeat(40);
    const other = "b".repeat(40);
    const output = `${id} 1 1 2\nauthor A\nauthor-time 0\nsummary ${other} 1 9 1\nfilename x\n\t${other} 1 7 1\n${id} 2 2\n\tauthor Eve\n`;
    const commit = { id, author: "A", date: "1970-01-01", subject: `${other} 1 9 1` };
    expect(parseBlame(output)).toEqual([
      { commit, line: 1, text: `${other} 1 7 1` },
      { commit, line: 2, text: "author Eve" },
    ]);
  });
});
