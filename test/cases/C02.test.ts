import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitTool } from "../../src/tools/git.ts";
import { call } from "../tools/call.ts";
import { git, repository, write } from "../workspace/git-fixture.ts";

const configs: Record<string, (root: string) => void> = {
  "diff.external": (root) => git(root, "config", "diff.external", "touch PWNED;true"),
  "core.fsmonitor": (root) => git(root, "config", "core.fsmonitor", "touch PWNED;false"),
  textconv(root) {
    write(root, { ".gitattributes": "* diff=x\n" });
    git(root, "config", "diff.x.textconv", "touch PWNED; cat");
  },
  "filter.clean"(root) {
    write(root, { ".gitattributes": "* filter=f\n" });
    git(root, "config", "filter.f.clean", "touch PWNED; cat");
  },
  "core.hooksPath"(root) {
    write(root, { "h/post-index-change": "#!/bin/sh\ntouch PWNED\n" });
    chmodSync(join(root, "h/post-index-change"), 0o755);
    git(root, "config", "core.hooksPath", "h");
  },
};

it.each(Object.entries(configs))(
  "C02: a repository's %s runs nothing, and its diff is still shown",
  async (_, set) => {
    const root = repository({ a: "one\n" });
    write(root, { a: "two\n" });
    set(root);
    expect((await call(gitTool, root, { action: "status" })).content).toMatch(/^ M a$/m);
    expect((await call(gitTool, root, { action: "diff" })).content).toContain("\n-one\n+two\n");
    expect((await call(gitTool, root, { action: "staged_diff" })).content).toBe("Nothing is staged.");
    expect(existsSync(join(root, "PWNED"))).toBe(false);
  },
);
