// A check says that it runs the project's code; configuration that is code is bound, so that a change of it is asked again.
// limit: only configuration files with known names are bound, not everything that they load.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";
import { panel } from "../view/helpers.ts";

const projects: [string, Record<string, string>][] = [
  ["vitest.config.js", { "package.json": '{"scripts":{"test":"vitest run"}}', "vitest.config.js": "1\n" }],
  [".mocharc.cjs", { "package.json": '{"scripts":{"test":"mocha"}}', ".mocharc.cjs": "1\n" }],
  [
    "conftest.py",
    { "pyproject.toml": "[tool.pytest.ini_options]\n", "conftest.py": "1\n", "test_a.py": "1\n" },
  ],
  ["build.rs", { "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\n', "build.rs": "1\n" }],
];

describe("TH90 configuration is code", { timeout: 60_000 }, () => {
  it.each(projects)("%s is bound to the check, and changing it stops the run", async (config, files) => {
    const t = await testAgent({
      guided: false,
      files,
      answer: () => {
        writeFileSync(join(t.root, config), "changed\n");
        return "approve";
      },
      steps: [call("run_check", { reason: "r" }), { text: "Done." }],
    });
    await t.run("go");
    const content = t.proposals("command")[0]?.content;
    // Without the project's tools on this machine there is no check to propose.
    if (content === undefined) {
      expect(t.results()[0]).toMatch(/not installed|is not on PATH|There is no|not found/);
      return;
    }
    expect(panel(content)).toContain("run this project's code");
    expect(panel(content)).toContain(config);
    expect(t.results()[0]).toContain(`${config} changed since it was shown`);
  });
});
