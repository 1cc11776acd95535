// A name never means a file that the workspace brought.
// limit: programs that a program starts by name are found on the same PATH, without folders of the workspace.
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bindCommand } from "../../src/workspace/command.ts";
import { childEnvironment } from "../../src/workspace/environment.ts";
import { call, testAgent } from "../helpers/agent.ts";
import { bench } from "../tools/context.ts";
import { alwaysAsks } from "./shell.ts";

const planted = "#!/bin/sh\ntouch PWNED\n";

describe("TH15 a planted program shadows a known one", () => {
  it.each(["PATH=. ls", "env PATH=. ls", "export PATH=.; ls"])("%s always asks", (text) => {
    expect(alwaysAsks(text)).toBe(true);
  });

  it("folders of the workspace are left out of PATH, and the program bound is the system's", async () => {
    const b = await bench({ "node_modules/.bin/ls": planted, ls: planted });
    for (const name of ["node_modules/.bin/ls", "ls"]) chmodSync(join(b.root, name), 0o755);
    const PATH = [".", "", b.root, join(b.root, "node_modules/.bin"), process.env["PATH"]].join(":");
    const env = childEnvironment({ ...process.env, PATH }, b.root);
    const bound = await bindCommand(b.context.gate, { argv: ["ls"], cwd: ".", timeoutMs: 5_000, env });
    if (!bound.ok) throw new Error(bound.refusal.message);
    expect(bound.value.program).toMatch(/^\/(?:usr\/)?bin\//);
  });

  it("run through a whole agent, nothing planted starts", async () => {
    const before = process.env["PATH"];
    const t = await testAgent({
      guided: false,
      files: { "node_modules/.bin/ls": planted, ls: planted },
      steps: [
        call("run_command", { argv: ["ls"], reason: "r" }),
        call("run_shell", { command: "ls", reason: "r" }),
        { text: "Done." },
      ],
    });
    process.env["PATH"] = `.:${t.root}:${before}`;
    for (const name of ["node_modules/.bin/ls", "ls"]) chmodSync(join(t.root, name), 0o755);
    try {
      await t.run("go");
    } finally {
      process.env["PATH"] = before;
    }
    expect(t.results().join()).toContain("node_modules");
    expect(existsSync(join(t.root, "PWNED"))).toBe(false);
  });
});
