import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sha256 } from "../../src/util/hash.ts";
import { call } from "../helpers/agent.ts";
import { expectRefused, runCase } from "./support.ts";

const before = '// – keep “this”   \nconst name = "Alice";\nx = 1;  \n';

// Of the two right answers we chose A: curly quotes never match straight ones; the message shows the line as it is.
it("E09: an old text with curly quotes is refused, and no other line is touched", async () => {
  expect(Buffer.byteLength(before)).toBe(57);
  const c = await runCase({
    files: { "f.js": before },
    steps: [
      call("read_file", { path: "f.js" }),
      call("apply_patch", {
        reason: "r",
        changes: [{ path: "f.js", edits: [{ old: "const name = “Alice”;", new: 'const name = "Bob";' }] }],
      }),
    ],
  });
  expectRefused(c, "error");
  expect(c.ended[1]?.content).toContain("Only look-alike characters differ");
  expect(c.ended[1]?.content).toContain('2|const name = "Alice";');
  const bytes = readFileSync(join(c.root, "f.js"));
  expect(bytes).toHaveLength(57);
  expect(sha256(bytes)).toMatch(/^9aecfd6d03ff49b2/);
});

it("E09: with the line as it is, line 2 alone changes", async () => {
  const c = await runCase({
    files: { "f.js": before },
    steps: [
      call("read_file", { path: "f.js" }),
      call("apply_patch", {
        reason: "r",
        changes: [{ path: "f.js", edits: [{ old: 'const name = "Alice";', new: 'const name = "Bob";' }] }],
      }),
    ],
  });
  const bytes = readFileSync(join(c.root, "f.js"));
  expect(bytes).toHaveLength(55);
  expect(sha256(bytes)).toMatch(/^e182414c1b5ccd40/);
});
