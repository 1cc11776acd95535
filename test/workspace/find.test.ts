import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findFiles } from "../../src/workspace/find.ts";
import { gitignoreOf } from "../../src/workspace/gitignore.ts";
import { openPathGate } from "../../src/workspace/path-gate.ts";
import { git, never, repository, tempFolder, write } from "./git-fixture.ts";

async function find(root: string, pattern?: string, folder = "."): Promise<string[] | string> {
  const gate = await openPathGate(root);
  const found = await findFiles(gate, folder, pattern, never);
  await gate.close();
  return found.ok ? found.value.paths : found.refusal.message;
}

const files = [
  "README.md",
  "src/a.ts",
  "src/a.test.ts",
  "src/ui/b.tsx",
  "src/ui/[id].ts",
  "lib/ui/c.js",
  "!odd.ts",
];

describe("patterns", () => {
  it.each<[string, string[]]>([
    ["*.ts", ["!odd.ts", "src/a.test.ts", "src/a.ts", "src/ui/[id].ts"]],
    ["**/*.ts", ["!odd.ts", "src/a.test.ts", "src/a.ts", "src/ui/[id].ts"]],
    ["src/*.ts", ["src/a.test.ts", "src/a.ts"]],
    ["./src/*.ts", ["src/a.test.ts", "src/a.ts"]],
    ["/src/*.ts", ["src/a.test.ts", "src/a.ts"]],
    ["src/**/*.{ts,tsx}", ["src/a.test.ts", "src/a.ts", "src/ui/[id].ts", "src/ui/b.tsx"]],
    ["a.ts", ["src/a.ts"]],
    ["readme*", ["README.md"]],
    ["ui", ["lib/ui/c.js", "src/ui/[id].ts", "src/ui/b.tsx"]],
    ["ui/", ["lib/ui/c.js", "src/ui/[id].ts", "src/ui/b.tsx"]],
    ["src/ui", ["src/ui/[id].ts", "src/ui/b.tsx"]],
    ["src/ui/*", ["src/ui/[id].ts", "src/ui/b.tsx"]],
    ["ui/*", []],
    ["!odd.ts", ["!odd.ts"]],
    ["*/a.ts", ["src/a.ts"]],
    ["?.ts", ["src/a.ts"]],
    ["--pre=./evil.sh", []],
    ["../*", []],
  ])("%s", async (pattern, expected) => {
    const root = tempFolder();
    write(root, Object.fromEntries(files.map((path) => [path, ""])));
    expect(await find(root, pattern)).toEqual(expected);
  });

  it("counts from the folder that is named, and may be absolute", async () => {
    const root = tempFolder();
    write(root, Object.fromEntries(files.map((path) => [path, ""])));
    expect(await find(root, "ui/*.js", "lib")).toEqual(["lib/ui/c.js"]);
    expect(await find(root, `${root}/src/*.ts`)).toEqual(["src/a.test.ts", "src/a.ts"]);
  });
});

describe("what is left out", () => {
  it("ignored, protected and hidden files, .git, node_modules and links; with or without a repository", async () => {
    for (const root of [tempFolder(), repository({})]) {
      write(root, {
        ".gitignore": "dist/\n*.log\n/only-here.txt\n",
        "pkg/.gitignore": "!keep.log\n/gen\n",
        ".minicodeignore": "secret-plans/\n",
        "a.ts": "",
        ".hidden/b": "",
        ".env": "",
        "x.log": "",
        "pkg/keep.log": "",
        "pkg/gen/x": "",
        "pkg/sub/gen/x": "",
        "pkg/only-here.txt": "",
        "only-here.txt": "",
        "dist/a.ts": "",
        "pkg/dist/b.ts": "",
        "secret-plans/x": "",
        "node_modules/m/a.ts": "",
        "pkg/node_modules/m/a.ts": "",
      });
      symlinkSync("/etc", join(root, "etc"));
      const left = [
        ".gitignore",
        ".hidden/b",
        "a.ts",
        "pkg/.gitignore",
        "pkg/keep.log",
        "pkg/only-here.txt",
        "pkg/sub/gen/x",
      ];
      expect(await find(root)).toEqual(left);
      expect(await find(root, "*")).toEqual(left);
      expect(await find(root, "*", "pkg")).toEqual(left.filter((path) => path.startsWith("pkg/")));
      expect(await find(root, "*.log")).toEqual(["pkg/keep.log"]);
      expect(await find(root, "*", "dist")).toEqual(["dist/a.ts"]);
      expect(await find(root, "*", "pkg/node_modules")).toEqual(["pkg/node_modules/m/a.ts"]);
      expect(await find(root, "*", "etc")).toContain("symbolic link");
      expect(await find(root, "*", "secret-plans")).toContain("hidden by .minicodeignore");
    }
  });

  it("a .gitignore above the workspace hides nothing", async () => {
    const home = tempFolder();
    write(home, { ".gitignore": "*\n", "project/a.ts": "", "project/src/b.ts": "" });
    expect(await find(join(home, "project"))).toEqual(["a.ts", "src/b.ts"]);
    expect(await find(join(home, "project"), "*", "src")).toEqual(["src/b.ts"]);
  });

  it("pipes and a .gitignore that is a folder or a link", async () => {
    const root = tempFolder();
    write(root, { "a/x": "", "b/y": "" });
    mkdirSync(join(root, "a/.gitignore"));
    symlinkSync("/etc/passwd", join(root, "b/.gitignore"));
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(await find(root)).toEqual(["a/x", "b/y"]);
  });
});

describe("gitignoreOf", () => {
  it("agrees with git check-ignore", async () => {
    const paths = [
      "a.log",
      "keep.log",
      "build/x",
      "sub/build/x",
      "sub/a.tmp",
      "sub/keep/b.tmp",
      "doc/x.txt",
      "doc/in/x.txt",
    ];
    const root = repository({
      ".gitignore": "*.log\n!keep.log\n/build\n*.tmp\ndoc/*.txt\n",
      "sub/.gitignore": "keep/\n!a.tmp\n",
      "sub/keep/.gitignore": "!b.tmp\n",
    });
    write(root, Object.fromEntries(paths.map((path) => [path, ""])));
    const gate = await openPathGate(root);
    const gitignore = gitignoreOf(gate);
    const ours = [];
    for (const path of paths) if (await gitignore.ignores(path, false)) ours.push(path);
    await gate.close();
    expect(ours).toEqual(
      git(root, "check-ignore", "--no-index", ...paths)
        .trim()
        .split("\n"),
    );
  });
});
