import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findFilesTool } from "../../src/tools/find-files.ts";
import { searchTextTool } from "../../src/tools/search-text.ts";
import { call } from "../tools/call.ts";
import { tempFolder, trap, write } from "../workspace/git-fixture.ts";

it("F01: a pattern, path or glob that starts with a dash is never a flag", async () => {
  const root = tempFolder();
  write(root, { "x.txt": "usage: app --help\nvalue -77\na->b\n", "-n": "needle\n" });
  const marker = join(root, "PWNED");
  trap(join(root, "evil.sh"), marker);
  const content = async (input: object): Promise<string> => (await call(searchTextTool, root, input)).content;

  expect(await content({ pattern: "--help" })).toContain("\nx.txt:1: usage: app --help");
  expect(await content({ pattern: "-77" })).toContain("\nx.txt:2: value -77");
  expect(await content({ pattern: "->" })).toContain("\nx.txt:3: a->b");
  expect(await content({ pattern: "--pre=./evil.sh" })).toMatch(/^No matches/);
  expect(await content({ pattern: "needle", path: "-n" })).toContain("\n-n:1: needle");
  expect(await content({ pattern: "needle", path: "--files" })).toContain("There is no such file: --files");
  expect(await content({ pattern: "needle", glob: "--pre=./evil.sh" })).toMatch(/^No matches/);
  expect((await call(findFilesTool, root, { pattern: "--pre=./evil.sh" })).content).toMatch(/^No files/);
  expect((await call(findFilesTool, root, { pattern: "-n" })).content).toBe("-n");
  expect(existsSync(marker)).toBe(false);
});
