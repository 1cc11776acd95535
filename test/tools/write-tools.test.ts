import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFileTool } from "../../src/tools/read-file.ts";
import { replaceInFileTool } from "../../src/tools/replace-in-file.ts";
import { writeFileTool } from "../../src/tools/write-file.ts";
import { bench } from "./context.ts";

describe("replace_in_file", () => {
  const three = "a = 1\nb = 1\nc = 1\n";

  it("replaces one occurrence of a file that was read", async () => {
    const b = await bench({ "x.txt": "one\r\ntwo\r\n" });
    await b.answer(readFileTool, { path: "x.txt" });
    await b.apply(replaceInFileTool, { path: "x.txt", old: "two\n", new: "2\n", reason: "r" });
    expect(readFileSync(join(b.root, "x.txt"), "utf8")).toBe("one\r\n2\r\n");
  });

  it("replaces exactly as many as expected, or all, and says how many there are", async () => {
    const b = await bench({ "x.txt": three });
    await b.answer(readFileTool, { path: "x.txt" });
    const wanted = { path: "x.txt", old: "= 1", new: "= 2", reason: "r" };
    expect((await b.answer(replaceInFileTool, wanted)).content).toContain(
      "The old text occurs 3 times (lines 1, 2, 3).",
    );
    const two = await b.answer(replaceInFileTool, { ...wanted, expected: 2 });
    expect(two).toMatchObject({ outcome: "error" });
    expect(two.content).toContain("occurs 3 times (lines 1, 2, 3), not 2 times");
    const once = await b.answer(replaceInFileTool, { ...wanted, old: "a = 1", expected: 2 });
    expect(once.content).toContain("occurs once (line 1), not 2 times");
    await b.apply(replaceInFileTool, { ...wanted, expected: 3 });
    expect(readFileSync(join(b.root, "x.txt"), "utf8")).toBe(three.replaceAll("1", "2"));
    await b.apply(replaceInFileTool, { ...wanted, old: "= 2", new: "= 3", all: true });
    expect(readFileSync(join(b.root, "x.txt"), "utf8")).toBe(three.replaceAll("1", "3"));
  });

  it("never takes places that overlap for as many as expected", async () => {
    const b = await bench({ "x.txt": "aaa\n" });
    await b.answer(readFileTool, { path: "x.txt" });
    const tried = await b.answer(replaceInFileTool, {
      path: "x.txt",
      old: "aa",
      new: "b",
      expected: 2,
      reason: "r",
    });
    expect(tried.outcome).toBe("error");
    expect(readFileSync(join(b.root, "x.txt"), "utf8")).toBe("aaa\n");
  });

  it("shows a file that was not read, or that changed since, instead of touching it", async () => {
    const b = await bench({ "x.txt": three });
    const blind = await b.answer(replaceInFileTool, { path: "x.txt", old: "a", new: "b", reason: "r" });
    expect(blind.content).toContain("you have not read this file as it is now");
    expect(blind.content).toContain("1\ta = 1");
    writeFileSync(join(b.root, "x.txt"), "other\n");
    const stale = await b.answer(replaceInFileTool, { path: "x.txt", old: "a", new: "b", reason: "r" });
    expect(stale.content).toContain("1\tother");
  });

  it("refuses what is not there and what is protected", async () => {
    const b = await bench({ ".env": "KEY=1\n" });
    const edit = { old: "a", new: "b", reason: "r" };
    expect((await b.answer(replaceInFileTool, { path: "no.txt", ...edit })).content).toContain(
      "no such file",
    );
    expect((await b.answer(replaceInFileTool, { path: ".env", ...edit })).outcome).toBe("blocked");
  });
});

describe("write_file", () => {
  it("writes a new file with its folders", async () => {
    const b = await bench();
    await b.apply(writeFileTool, { path: "deep/er/a.txt", content: "new\n", reason: "r" });
    expect(readFileSync(join(b.root, "deep/er/a.txt"), "utf8")).toBe("new\n");
    expect(statSync(join(b.root, "deep/er/a.txt")).mode & 0o777).toBe(0o644);
  });

  it("overwrites only when told to, and only what was read as it is now, keeping its mode", async () => {
    const b = await bench({ "run.sh": "old\n" });
    const { chmodSync } = await import("node:fs");
    chmodSync(join(b.root, "run.sh"), 0o755);
    const wanted = { path: "run.sh", content: "new\n", reason: "r" };
    expect((await b.answer(writeFileTool, wanted)).content).toContain("exists already. Set overwrite: true");
    const blind = await b.answer(writeFileTool, { ...wanted, overwrite: true });
    expect(blind.content).toContain("you have not read this file as it is now");
    // What the refusal showed counts as read.
    await b.apply(writeFileTool, { ...wanted, overwrite: true });
    expect(readFileSync(join(b.root, "run.sh"), "utf8")).toBe("new\n");
    expect(statSync(join(b.root, "run.sh")).mode & 0o777).toBe(0o755);
  });

  it("refuses half characters and protected names, also ones that do not exist", async () => {
    const b = await bench();
    const half = await b.answer(writeFileTool, { path: "a.txt", content: "\ud83d", reason: "r" });
    expect(half.content).toContain("half of a surrogate pair");
    const hidden = await b.answer(writeFileTool, { path: ".npmrc", content: "x", reason: "r" });
    expect(hidden.outcome).toBe("blocked");
    expect(existsSync(join(b.root, ".npmrc"))).toBe(false);
  });
});
