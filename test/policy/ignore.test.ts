import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IgnoreRules, parseIgnore } from "../../src/policy/ignore.ts";

function rulesOf(text: string | Uint8Array): IgnoreRules {
  const parsed = parseIgnore(typeof text === "string" ? Buffer.from(text) : text);
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}

describe("parseIgnore", () => {
  it("knows the .gitignore grammar", () => {
    const rules = rulesOf("# secret things\n*.log\n/top\nbuild/\n**/deep/x\n!keep.log\n\\#odd\nprivate/**\n");
    for (const path of ["a.log", "src/a.log", "top", "build/x", "a/b/deep/x", "#odd", "private/a/b"]) {
      expect([path, rules.ignores(path, false)]).toEqual([path, true]);
    }
    for (const path of ["keep.log", "src/top", "build", "deep/y", "src/a.ts", "."]) {
      expect([path, rules.ignores(path, false)]).toEqual([path, false]);
    }
    expect(rules.ignores("build", true)).toBe(true);
  });

  it("hides what lies below a hidden folder, also against a later exception", () => {
    expect(rulesOf("private\n!private/open.txt\n").ignores("private/open.txt", false)).toBe(true);
  });

  it("never hides the root", () => {
    expect(rulesOf("*\n").ignores(".", true)).toBe(false);
  });

  it.each(["", "\n\n", "# only\n#comments\n", "  \n", "\ufeff"])("%j holds no rule", (text) => {
    expect(rulesOf(text).ignores("a", false)).toBe(false);
  });

  it("reads past a byte order mark and carriage returns", () => {
    expect(rulesOf("\ufeffa.txt\r\nb.txt\r\n").ignores("a.txt", false)).toBe(true);
  });

  it.each([
    ["is not valid UTF-8", Buffer.from([0x61, 0xff, 0x0a])],
    ["has a NUL byte in it", Buffer.from("a\0b\n")],
    ["is larger than 64 KiB", Buffer.alloc(64 * 1024 + 1, "a")],
  ])("a file that %s is refused", (fault, bytes) => {
    expect(parseIgnore(bytes)).toEqual({ ok: false, refusal: { outcome: "blocked", message: fault } });
  });

  it("takes exactly 64 KiB", () => {
    expect(parseIgnore(Buffer.alloc(64 * 1024, "a\n")).ok).toBe(true);
  });
});

describe("against git check-ignore", () => {
  let repo = "";
  beforeAll(() => {
    repo = mkdtempSync(join(tmpdir(), "minicode-ignore-"));
    spawnSync("git", ["init", "-q", repo]);
  });
  afterAll(() => rmSync(repo, { recursive: true, force: true }));

  it("agrees on files", () => {
    const name = fc.constantFrom("a", "b", "ab", "a.log", "build", "x y", "[c]");
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    const glob = fc.constantFrom(
      "*",
      "**",
      "a*",
      "*.log",
      "?",
      "[ab]",
      "a",
      "build",
      "\\[c\\]",
      "[!a]",
      "ab",
    );
    const rule = fc
      .tuple(
        fc.constantFrom("", "!", "/", "!/"),
        fc.array(glob, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("", "/"),
      )
      .map(([start, parts, end]) => start + parts.join("/") + end);
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 4 }),
        fc.array(path, { minLength: 4, maxLength: 8 }),
        (lines, wanted) => {
          // A path that is a folder of another one would be a folder on disk.
          const paths = [...new Set(wanted)].filter(
            (p) => !wanted.some((other) => other.startsWith(`${p}/`)),
          );
          writeFileSync(join(repo, ".gitignore"), `${lines.join("\n")}\n`);
          for (const p of paths) {
            mkdirSync(join(repo, dirname(p)), { recursive: true });
            writeFileSync(join(repo, p), "");
          }
          const git = spawnSync("git", ["check-ignore", "--no-index", "-z", "--stdin"], {
            cwd: repo,
            input: paths.join("\0"),
            encoding: "utf8",
          });
          for (const p of paths) rmSync(join(repo, p.split("/")[0] ?? p), { recursive: true, force: true });
          const rules = rulesOf(`${lines.join("\n")}\n`);
          const ours = paths.filter((p) => rules.ignores(p, false));
          expect({ lines, hidden: ours.sort() }).toEqual({
            lines,
            hidden: git.stdout.split("\0").filter(Boolean).sort(),
          });
        },
      ),
      { numRuns: 100, seed: 7 },
    );
  });
});
