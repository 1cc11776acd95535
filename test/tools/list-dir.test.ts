import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listDirTool } from "../../src/tools/list-dir.ts";
import { tempFolder, write } from "../workspace/git-fixture.ts";
import { call } from "./call.ts";

describe("list_dir", () => {
  it("shows folders first, then files with size, links as links, and counts the rest", async () => {
    const root = tempFolder();
    write(root, {
      "src/a.ts": "a",
      "b.txt": "12345",
      "big.bin": "x".repeat(1234),
      ".env": "secret",
      ".env.example": "x",
      "private/x": "x",
      ".minicodeignore": "private/\n",
      ".gitignore": "dist/\n*.log\n",
      "dist/out.js": "x",
      "x.log": "x",
      "node_modules/m/index.js": "x",
      "größe.md": "",
    });
    symlinkSync("/etc/passwd", join(root, "link"));
    symlinkSync("src", join(root, "folder-link"));
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect((await call(listDirTool, root, {})).content).toBe(
      [
        "src/",
        ".env.example  1 B",
        ".gitignore  12 B",
        "b.txt  5 B",
        "big.bin  1.2 kB",
        "folder-link -> src  (link, not followed)",
        "größe.md  0 B",
        "link -> /etc/passwd  (link, not followed)",
        "pipe  (not a regular file)",
        "(ignored: dist/, node_modules/, x.log)",
        "(3 protected entries not shown)",
      ].join("\n"),
    );
  });

  it("lists an ignored folder that is named", async () => {
    const root = tempFolder();
    write(root, {
      ".gitignore": "dist/\n*.map\n",
      "dist/out.js": "x",
      "dist/out.map": "x",
      "node_modules/m/x.map": "",
    });
    expect((await call(listDirTool, root, { path: "dist" })).content).toBe("out.js  1 B\nout.map  1 B");
    expect((await call(listDirTool, root, { path: "node_modules/m" })).content).toBe("x.map  0 B");
  });

  it("says precisely when there is nothing", async () => {
    const root = tempFolder();
    mkdirSync(join(root, "empty"));
    expect((await call(listDirTool, root, { path: "empty" })).content).toBe("empty is empty.");
    write(root, { "keys/id_rsa": "k" });
    expect((await call(listDirTool, root, { path: "keys" })).content).toBe(
      "keys has nothing to show.\n(1 protected entry not shown)",
    );
  });

  it("stops at 200 entries and counts the rest", async () => {
    const root = tempFolder();
    for (let i = 0; i < 230; i++) writeFileSync(join(root, `f${i}`), "");
    const lines = (await call(listDirTool, root, {})).content.split("\n");
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toBe("(30 more entries; use find_files with a pattern)");
  });

  it("refuses what is no folder of the workspace", async () => {
    const root = tempFolder();
    write(root, { a: "a", ".git/config": "x" });
    symlinkSync("/etc", join(root, "etc"));
    const outcomes: Record<string, string> = {};
    for (const path of ["a", "nope", "..", "/etc", "etc", ".git", "~/x"]) {
      outcomes[path] = (await call(listDirTool, root, { path })).outcome;
    }
    expect(outcomes).toEqual({
      a: "error",
      nope: "error",
      "..": "blocked",
      "/etc": "blocked",
      etc: "blocked",
      ".git": "blocked",
      "~/x": "blocked",
    });
  });
});
