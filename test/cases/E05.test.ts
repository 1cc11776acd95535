import { expect, it } from "vitest";
import { call } from "../helpers/agent.ts";
import { type Case, expectRefused, runCase } from "./support.ts";

function edit(content: string, edit: { old: string; new: string; all?: boolean }): Promise<Case> {
  return runCase({
    files: { "f.txt": content },
    steps: [
      call("read_file", { path: "f.txt" }),
      call("apply_patch", { reason: "r", changes: [{ path: "f.txt", edits: [edit] }] }),
    ],
  });
}

it.each([
  ["(a) once", false],
  ["(b) everywhere", true],
])("E05: an empty old text %s is refused", async (_, all) => {
  const c = await edit("abc\n", { old: "", new: "X", all });
  expectRefused(c, "error");
  expect(c.ended[1]?.content).toContain("The old text is empty");
  expect(c.read("f.txt")).toBe("abc\n");
});

it("E05: (c) a text that is there twice is refused with the count", async () => {
  const c = await edit("n=1\nn=1\n", { old: "n=1", new: "n=2" });
  expectRefused(c, "error");
  expect(c.ended[1]?.content).toContain("occurs 2 times (lines 1, 2)");
  expect(c.read("f.txt")).toBe("n=1\nn=1\n");
});

it("E05: (d) an edit that changes nothing is refused as that, not as not found", async () => {
  const c = await edit("abc\n", { old: "abc", new: "abc" });
  expectRefused(c, "error");
  expect(c.ended[1]?.content).toContain("nothing would change");
  expect(c.ended[1]?.content).not.toContain("not in the file");
  expect(c.read("f.txt")).toBe("abc\n");
});
