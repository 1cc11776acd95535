import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../workspace/git-fixture.ts";
import { expectRefused, runCase, sentText } from "./support.ts";

it("P01: a folder beside the workspace whose name begins like it is outside, however it is named", async () => {
  const base = tempFolder();
  const root = join(base, "repo");
  const secret = join(base, "repo-evil", "s.txt");
  mkdirSync(join(root, "src"), { recursive: true });
  mkdirSync(join(base, "repo-evil"));
  writeFileSync(secret, "SIB-4410\n");

  const paths = ["../repo-evil/s.txt", secret, "src/../../repo-evil/s.txt"];
  const c = await runCase({
    root,
    // A step for each path: after a refused patch the further patches of a step are skipped.
    steps: paths.map((path) => ({
      calls: [
        { name: "read_file", arguments: { path } },
        // The pattern finds the text without naming it, so that only a hit could bring it into a request.
        { name: "search_text", arguments: { pattern: "SIB-\\d+", path } },
        {
          name: "apply_patch",
          arguments: { reason: "r", changes: [{ path, edits: [{ old: "SIB", new: "X" }] }] },
        },
      ],
    })),
  });
  expect(c.ended).toHaveLength(9);
  for (const { outcome, content } of c.ended) {
    expect(outcome).toBe("blocked");
    expect(content).toContain(`${realpathSync(secret)} is outside the workspace`);
  }
  expectRefused(c, "blocked");
  expect(sentText(c)).not.toContain("SIB-4410");
  expect(readFileSync(secret, "utf8")).toBe("SIB-4410\n");
});
