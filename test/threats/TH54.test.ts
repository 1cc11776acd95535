// The search program gets no settings but ours.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { findFilesTool } from "../../src/tools/find-files.ts";
import { searchTextTool } from "../../src/tools/search-text.ts";
import { call } from "../tools/call.ts";
import { tempFolder, trap, write } from "../workspace/git-fixture.ts";

describe("TH54 settings of the search program", () => {
  it("neither RIPGREP_CONFIG_PATH nor .ripgreprc nor a pattern runs a program", async () => {
    const root = tempFolder();
    const marker = join(root, "MARKER");
    const script = trap(join(root, "x"), marker);
    write(root, { a: "needle\n", ".ripgreprc": `--pre=${script}\n` });
    const config = join(tempFolder(), "rc");
    writeFileSync(config, `--pre=${script}\n--search-zip\n--follow\n`);
    vi.stubEnv("RIPGREP_CONFIG_PATH", config);
    try {
      const found = await call(searchTextTool, root, { pattern: "needle" });
      expect(found.content).toContain("a:1: needle");
      for (const word of [`--pre=${script}`, "--follow", "-f.env"]) {
        await call(searchTextTool, root, { pattern: word });
        await call(searchTextTool, root, { pattern: "needle", glob: word });
        await call(findFilesTool, root, { pattern: word });
      }
    } finally {
      vi.unstubAllEnvs();
    }
    expect(existsSync(marker)).toBe(false);
  });
});
