// No action takes anything from git's variables in the user's environment.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { tempFolder, trap } from "../workspace/git-fixture.ts";
import { allAnswers, expectAnswers, hostile } from "../workspace/git-vectors.ts";

it("TH35: inherited GIT_* is ignored by every action", async () => {
  const { root, marker } = hostile(() => {});
  const script = trap(join(tempFolder(), "trap"), marker);
  const trace = join(tempFolder(), "trace");
  const environment = {
    GIT_TRACE: trace,
    GIT_TRACE2_EVENT: trace,
    GIT_EXTERNAL_DIFF: script,
    GIT_PAGER: script,
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${script}'`,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: script,
    GIT_DIR: "/nonexistent",
    GIT_INDEX_FILE: "/nonexistent",
    GIT_EXEC_PATH: "/nonexistent",
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    expectAnswers(await allAnswers(root));
  } finally {
    vi.unstubAllEnvs();
  }
  expect(existsSync(marker)).toBe(false);
  expect(existsSync(trace)).toBe(false);
});
