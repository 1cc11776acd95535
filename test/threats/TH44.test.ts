// A protected file has no other door: links are not followed at all, and its name counts however it is written.
// limit: a hard link to a protected file, or a copy of it, has a name of its own and can be read.
import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { classifyShell } from "../../src/policy/shell.ts";
import { traitsOnDisk } from "../../src/workspace/command-reach.ts";
import { openGate, refusal } from "./gate.ts";

describe("TH44 a protected file behind another name", () => {
  it("links are refused, also to a file in the workspace", async () => {
    const { folder, gate } = await openGate();
    folder.write(".env", "KEY=mc-secret\n");
    symlinkSync(".env", join(folder.ws, "x"));
    mkdirSync(join(folder.ws, "d"));
    symlinkSync("../.env", join(folder.ws, "d/y"));
    symlinkSync(".", join(folder.ws, "here"));
    for (const path of ["x", "d/y", "here/x"])
      expect(refusal(await gate.readFile(path))).toContain("is a symbolic link");
    expect(refusal(await gate.readFile("here/.env"))).toContain("is protected");
  });

  it.each([
    ".ENV",
    "．env",
    ".e\u200bnv",
    ".env ",
    ".env.",
    ".env::$DATA",
    "d/../.env",
    ".env/",
    "GIT~1/config",
    ".ｇit/config",
  ])("%j is the same name to some file system", async (path) => {
    const { gate } = await openGate();
    expect(refusal(await gate.readFile(path))).toMatch(/^blocked: .* is protected/);
  });

  it("a command that reads the link always asks", async () => {
    const { folder, gate } = await openGate();
    folder.write(".env", "KEY=mc-secret\n");
    symlinkSync(".env", join(folder.ws, "x"));
    expect(await traitsOnDisk(gate, classifyShell("cat x").use, ".")).toContainEqual({
      trait: "opaque",
      because: "x",
    });
  });

  it("a hard link is a file of its own: its name alone cannot tell", async () => {
    const { folder, gate } = await openGate();
    linkSync(folder.write(".env", "KEY=mc-secret\n"), join(folder.ws, "copy"));
    expect((await gate.readFile("copy")).ok).toBe(true);
  });
});
