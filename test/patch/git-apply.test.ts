import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { unifiedDiff } from "../../src/patch/diff.ts";
import type { PatchFile } from "../../src/protocol/proposal.ts";
import { patchFile } from "./patch-file.ts";
import { anyText } from "./texts.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A new repository with these files, and what real `git apply` makes of it. */
function repository(files: Record<string, string | Uint8Array>): {
  path(name: string): string;
  apply(patch: string): void;
} {
  const root = mkdtempSync(join(tmpdir(), "minicode-patch-"));
  folders.push(root);
  execFileSync("git", ["init", "-q", root]);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const apply = (patch: string): void => {
    execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: root, input: patch, stdio: "pipe" });
  };
  return { path: (name) => join(root, name), apply };
}

test("git apply turns any texts into exactly the after-bytes", () => {
  const side = fc.option(anyText, { freq: 8 });
  const pair = fc.tuple(side, side).filter(([before, after]) => before !== null || after !== null);
  fc.assert(
    fc.property(fc.array(pair, { minLength: 25, maxLength: 25 }), (pairs) => {
      const changed = pairs.filter(([before, after]) => before !== after);
      const files = changed.map(([before, after], i) => patchFile(`f${i}`, before, after));
      const olds = changed.flatMap(([before], i) => (before === null ? [] : [[`f${i}`, before]]));
      const repo = repository(Object.fromEntries(olds));
      repo.apply(unifiedDiff(files));
      const now = changed.map((_, i) =>
        existsSync(repo.path(`f${i}`)) ? readFileSync(repo.path(`f${i}`), "utf8") : null,
      );
      expect(now).toEqual(changed.map(([, after]) => after));
    }),
    { numRuns: 20, seed: 13, endOnFailure: true },
  );
});

test("names that git quotes", () => {
  const names = [
    "plain",
    "with blank",
    'quo"te',
    "tab\there",
    "line\nbreak",
    "back\\slash",
    "中文/é.txt",
    "-n",
    "\x01\x7f",
    " x ",
  ];
  const repo = repository(Object.fromEntries(names.map((name) => [name, "old\n"])));
  repo.apply(unifiedDiff(names.map((name) => patchFile(name, "old\n", "new\n"))));
  expect(names.map((name) => readFileSync(repo.path(name), "utf8"))).toEqual(names.map(() => "new\n"));
  repo.apply(unifiedDiff(names.map((name) => patchFile(`d/${name}`, "new\n", "new\n", { from: name }))));
  expect(names.map((name) => [existsSync(repo.path(name)), existsSync(repo.path(`d/${name}`))])).toEqual(
    names.map(() => [false, true]),
  );
});

test("the text is what git diff writes", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  const files: PatchFile[] = [
    patchFile("a file", before, "1\n2\n3\n4\nfive\n6\n7\n8\n9"),
    patchFile("gone", "bye\n", null),
    patchFile("made", null, "x\n"),
    patchFile("moved", before, before.replace("1\n", ""), { from: "was" }),
  ];
  const repo = repository({ "a file": before, gone: "bye\n", was: before });
  const git = (...args: string[]): string =>
    execFileSync("git", args, {
      cwd: dirname(repo.path("x")),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  git("add", "-A");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "t");
  repo.apply(unifiedDiff(files));
  git("add", "-A");
  const theirs = git("diff", "--cached", "-M").replace(/^(index|similarity index) .*\n/gm, "");
  expect(unifiedDiff(files)).toBe(theirs);
});

test("modes, and empty files made and deleted", () => {
  const repo = repository({ empty: "" });
  repo.apply(
    unifiedDiff([
      patchFile("run.sh", null, "#!/bin/sh\n", { mode: 0o755 }),
      patchFile("new empty", null, ""),
      patchFile("empty", "", null),
    ]),
  );
  expect(statSync(repo.path("run.sh")).mode & 0o777).toBe(0o755);
  expect(readFileSync(repo.path("new empty"), "utf8")).toBe("");
  expect(existsSync(repo.path("empty"))).toBe(false);
});

test("a rename with an edit", () => {
  const repo = repository({ "a/old name": "1\n2\n" });
  repo.apply(unifiedDiff([patchFile("b/new", "1\n2\n", "1\nTWO\n", { from: "a/old name" })]));
  expect(existsSync(repo.path("a/old name"))).toBe(false);
  expect(readFileSync(repo.path("b/new"), "utf8")).toBe("1\nTWO\n");
});

test("bytes that are no text are named, and git refuses the patch as a whole", () => {
  const [before, after] = [Uint8Array.from([0xe9, 0x0a]), Uint8Array.from([0xe8, 0x0a])];
  const files = [patchFile("made", null, "x\n"), patchFile("latin", before, after)];
  expect(unifiedDiff(files)).toContain("Binary files a/latin and b/latin differ\n");
  const repo = repository({ latin: before });
  expect(() => repo.apply(unifiedDiff(files))).toThrow(/binary/);
  expect(existsSync(repo.path("made"))).toBe(false);
});

test("no files make no patch", () => {
  expect(unifiedDiff([])).toBe("");
});
