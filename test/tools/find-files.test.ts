import { describe, expect, it } from "vitest";
import { findFilesTool } from "../../src/tools/find-files.ts";
import { tempFolder, write } from "../workspace/git-fixture.ts";
import { call } from "./call.ts";

describe("find_files", () => {
  it("lists the matching paths and nothing else", async () => {
    const root = tempFolder();
    write(root, { "src/a.ts": "", "src/deep/b.ts": "", "c.js": "" });
    expect((await call(findFilesTool, root, { pattern: "*.ts" })).content).toBe("src/a.ts\nsrc/deep/b.ts");
    expect((await call(findFilesTool, root, { pattern: "*.ts", path: "src/deep" })).content).toBe(
      "src/deep/b.ts",
    );
  });

  it("counts what is beyond 200", async () => {
    const root = tempFolder();
    write(root, Object.fromEntries(Array.from({ length: 230 }, (_, i) => [`f${i}.txt`, ""])));
    const lines = (await call(findFilesTool, root, { pattern: "*.txt" })).content.split("\n");
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toBe("(30 more; narrow the pattern or the path)");
  });

  it("says among how many files there was none", async () => {
    const root = tempFolder();
    write(root, { "src/a.ts": "", "b.ts": "", ".env": "" });
    expect(await call(findFilesTool, root, { pattern: "*.py" })).toMatchObject({
      outcome: "ok",
      content:
        "No files: none of 2 files in . matches *.py. (Ignored and protected files and node_modules do not count.)",
    });
  });

  it("refuses a broken pattern, a file as folder, and places outside", async () => {
    const root = tempFolder();
    write(root, { a: "" });
    expect(await call(findFilesTool, root, { pattern: "a{b" })).toMatchObject({
      outcome: "invalid",
      content: expect.stringContaining("unclosed alternate group"),
    });
    expect(await call(findFilesTool, root, { pattern: "*", path: "a" })).toMatchObject({ outcome: "error" });
    expect(await call(findFilesTool, root, { pattern: "*", path: "../x" })).toMatchObject({
      outcome: "blocked",
    });
  });
});
