// Nothing that a repository says becomes part of a command line.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitTool } from "../../src/tools/git.ts";
import { call } from "../tools/call.ts";
import { git, hashOf, repository, write } from "../workspace/git-fixture.ts";
import { allAnswers } from "../workspace/git-vectors.ts";

it("TH37: config values, names, branches and messages are never run", async () => {
  const touch = "$(touch PWNED)";
  const branch = "x;touch$IFS,PWNED";
  const root = repository({ a: "one\n", [touch]: "one\n" });
  for (const key of ["user.email", "user.name", "core.editor", "core.pager", "alias.log", "alias.show"])
    git(root, "config", key, `"; touch PWNED; #`);
  git(root, "config", "branch.main.description", touch);
  git(root, "branch", branch);
  write(root, { a: "two\n", [touch]: "two\n" });
  git(root, "-c", `user.name=${touch}`, "commit", "-q", "-a", "-m", `\`touch PWNED\` ${touch}`);
  write(root, { a: "three\n", [touch]: "three\n" });
  const before = hashOf(join(root, ".git"));
  const answers = await allAnswers(root);
  for (const action of ["diff", "log", "show", "blame"])
    expect(
      (await call(gitTool, root, { action, ...(action === "show" ? {} : { path: touch }) })).outcome,
    ).toBe("ok");
  expect(answers.get("log")).toContain(`${touch}: \`touch PWNED\` ${touch}`);
  expect(answers.get("branches")).toContain(branch);
  expect(answers.get("status")).toContain(` M ${touch}`);
  expect(existsSync(join(root, "PWNED"))).toBe(false);
  expect(hashOf(join(root, ".git"))).toBe(before);
});
