// Neither the user's NODE_OPTIONS nor a repository's node-options preload anything into what npm runs.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { npmTest } from "./npm.ts";

describe("TH87 node-options", { timeout: 60_000 }, () => {
  it("of .npmrc and of the environment run nothing", async () => {
    vi.stubEnv("NODE_OPTIONS", "");
    const { t, result, command } = await npmTest({
      "package.json": '{"scripts":{"test":"node t.cjs"}}',
      "t.cjs": 'console.log("options:", process.env.NODE_OPTIONS || "none");',
      "evil.cjs": 'require("node:fs").writeFileSync("PWNED", "");',
      ".npmrc": "node-options=--require=./evil.cjs\n",
    });
    vi.unstubAllEnvs();
    expect(result).toContain("options: none");
    expect(existsSync(join(t.root, "PWNED"))).toBe(false);
    expect(command.inputs.map(({ path }) => path)).toContain(".npmrc");
    const content = t.proposals("command")[0]?.content;
    expect(content?.kind === "command" && content.environment).not.toContain("NODE_OPTIONS");
  });
});
