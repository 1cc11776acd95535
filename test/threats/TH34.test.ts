// A pipe where git keeps a file never makes an action wait.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../workspace/git-fixture.ts";
import { allAnswers } from "../workspace/git-vectors.ts";

function withPipe(name: string): string {
  const root = repository({ a: "a\n" });
  if (name === "packed-refs") rmSync(join(root, ".git/refs/heads/main"));
  rmSync(join(root, ".git", name), { force: true });
  execFileSync("mkfifo", [join(root, ".git", name)]);
  return root;
}

describe("TH34: a file that never ends", () => {
  it.each(["HEAD", "index", "config", "packed-refs", "refs/heads/main", "info/exclude", "shallow"])(
    "%s, for every action",
    async (name) => {
      for (const answer of (await allAnswers(withPipe(name))).values())
        expect(answer).toContain(`${name} is not a regular file`);
    },
  );

  it.each(["refs/tags/v1", "refs/stash", "ORIG_HEAD"])("%s, for what reads branches", async (name) => {
    const answers = await allAnswers(withPipe(name));
    for (const action of ["log", "show", "blame a", "branches"])
      expect(answers.get(action)).toContain(`${name} is not a regular file`);
  });
});
