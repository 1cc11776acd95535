import { describe, expect, it } from "vitest";
import { z } from "zod";
import { findFilesTool } from "../../src/tools/find-files.ts";
import { gitTool } from "../../src/tools/git.ts";
import { listDirTool } from "../../src/tools/list-dir.ts";
import { searchTextTool } from "../../src/tools/search-text.ts";
import { tempFolder, write } from "../workspace/git-fixture.ts";
import { call } from "./call.ts";

describe("search_text", () => {
  it("answers like grep, with the true count first", async () => {
    const root = tempFolder();
    write(root, { "src/a.ts": "one\n  two needle\n", "b.ts": "needle\n" });
    expect((await call(searchTextTool, root, { pattern: "needle" })).content).toBe(
      "2 matching lines in 2 files:\nb.ts:1: needle\nsrc/a.ts:2:   two needle",
    );
    expect((await call(searchTextTool, root, { pattern: "needle", path: "b.ts" })).content).toBe(
      "1 matching line in 1 file:\nb.ts:1: needle",
    );
  });

  it("marks context and gaps", async () => {
    const root = tempFolder();
    write(root, { a: "x\n2\n3\n4\nx\n6\n", b: "1\nx\n" });
    expect((await call(searchTextTool, root, { pattern: "x", context: 1 })).content).toBe(
      [
        "3 matching lines in 2 files:",
        ...["a:1: x", "a-2- 2", "--", "a-4- 4", "a:5: x", "a-6- 6"],
        ...["b-1- 1", "b:2: x"],
      ].join("\n"),
    );
  });

  it("says precisely what had no match", async () => {
    const root = tempFolder();
    write(root, { "src/a.ts": "a\n", "src/b.py": "b\n", ".env": "x\n" });
    const rest = " Ignored, protected and binary files, node_modules and files over 64 MB are not searched.";
    const content = async (input: object): Promise<string> =>
      (await call(searchTextTool, root, { pattern: "zzz", ...input })).content;
    expect(await content({})).toBe(`No matches for zzz in . (2 files).${rest}`);
    expect(await content({ path: "src", glob: "*.py" })).toBe(
      `No matches for zzz in src (1 file like *.py).${rest}`,
    );
    expect(await content({ glob: "*.rs" })).toBe(`No matches for zzz in . (0 files like *.rs).${rest}`);
    expect(await content({ path: "src/a.ts" })).toBe("No matches for zzz in src/a.ts.");
  });

  it("names a binary file that was asked for", async () => {
    const root = tempFolder();
    write(root, { x: "a\0needle" });
    expect((await call(searchTextTool, root, { pattern: "needle", path: "x" })).content).toBe(
      "No matches for needle in x.\n(binary, not shown: x)",
    );
  });

  it("shows control characters in lines and names as marks", async () => {
    const root = tempFolder();
    write(root, { "n\u001b[2Jx": "needle \u001b]52;c;SGk=\u0007 \u202e\n" });
    const { content } = await call(searchTextTool, root, { pattern: "needle" });
    expect(content).not.toMatch(/[\u001b\u0007\u202e]/);
    expect(content).toContain("\\u{202E}");
  });

  it("takes no other arguments", () => {
    expect(searchTextTool.input.safeParse({ pattern: "x", context: 6 }).success).toBe(false);
    expect(searchTextTool.input.safeParse({ pattern: "" }).success).toBe(false);
    expect(searchTextTool.input.safeParse({ pattern: "x", flags: "--pre" }).success).toBe(false);
  });
});

describe("what the model is told of the reading tools", () => {
  it("is short", () => {
    for (const tool of [searchTextTool, findFilesTool, listDirTool, gitTool]) {
      const { $schema: _, ...schema } = z.toJSONSchema(tool.input);
      expect(tool.description.length, tool.name).toBeLessThanOrEqual(200);
      expect(JSON.stringify(schema).length, tool.name).toBeLessThanOrEqual(450);
    }
  });
});
