import { execFileSync } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call } from "../helpers/agent.ts";
import { git, repository } from "../workspace/git-fixture.ts";
import { runCase } from "./support.ts";

function script(): { root: string; path: string } {
  const root = repository({});
  const path = join(root, "run.sh");
  execFileSync("/bin/sh", ["-c", `printf '#!/bin/sh\\necho one\\n' >"$0"`, path]);
  chmodSync(path, 0o755);
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "script");
  return { root, path };
}

const rewritten = "#!/bin/sh\necho two\n";

it.each([
  ["edited", [{ path: "run.sh", edits: [{ old: "one", new: "two" }] }]],
  [
    "rewritten whole",
    [
      { path: "run.sh", delete: true },
      { path: "run.sh", content: rewritten },
    ],
  ],
])("E08: a script that is %s stays executable", async (_, changes) => {
  const { root, path } = script();
  const c = await runCase({
    root,
    steps: [
      call("read_file", { path: "run.sh" }),
      call("apply_patch", { reason: "r", changes }),
      call("run_command", { argv: ["./run.sh"], reason: "see it" }),
    ],
  });
  expect(c.ended.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok"]);
  expect(statSync(path).mode & 0o7777).toBe(0o755);
  expect(c.ended[2]?.content).toMatch(/exit 0, .*\n.*\ntwo\n/);
  expect(execFileSync(path, { encoding: "utf8" })).toBe("two\n");
  expect(c.read("run.sh")).toBe(rewritten);
  expect(git(root, "diff")).toContain("-echo one\n+echo two\n");
  expect(git(root, "diff")).not.toContain("old mode");
});
