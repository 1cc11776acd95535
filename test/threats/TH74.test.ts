// When MiniCode itself is killed, what it was running dies with it.
// limit: without a sandbox a program that empties its environment and leaves its session outlives it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { running, uniqueSeconds } from "../cases/support.ts";
import { bundle } from "../helpers/bundle.ts";
import { sandboxes } from "../helpers/sandboxes.ts";
import { tempFolder } from "../workspace/git-fixture.ts";

/** A process that runs a command line as MiniCode does. */
const host = `
import { bindCommand, runCommand } from "SRC/workspace/command.ts";
import { childEnvironment } from "SRC/workspace/environment.ts";
import { openPathGate } from "SRC/workspace/path-gate.ts";
import { confinementFor, probeSandbox } from "SRC/workspace/sandbox.ts";
const [wanted, root, line] = process.argv.slice(2);
const gate = await openPathGate(root);
const env = childEnvironment(process.env, gate.root);
const sandbox = await probeSandbox(wanted, env.PATH, []);
const bound = await bindCommand(gate, { argv: ["/bin/bash", "-c", line], cwd: ".", timeoutMs: 600_000, env });
if (!bound.ok) throw new Error(bound.refusal.message);
const confinement = confinementFor(sandbox, []);
await runCommand(gate, bound.value, { env, sandbox, confinement }, new AbortController().signal);
`;

describe.each(sandboxes)("TH74 MiniCode killed with -9, sandbox %s", (sandbox) => {
  it("leaves none of the processes of a command", { timeout: 30_000 }, async () => {
    const folder = tempFolder();
    const seconds = uniqueSeconds(600);
    const entry = join(folder, "host.ts");
    writeFileSync(entry, host.replaceAll("SRC", join(import.meta.dirname, "../../src")));
    await bundle(entry, join(folder, "host.mjs"));
    const line = `setsid sleep ${seconds} & sleep ${seconds} & sleep ${seconds}`;
    const child = spawn(process.execPath, [join(folder, "host.mjs"), sandbox, folder, line], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    const sleepers = (): string[] => running(`sleep\0${seconds}`);
    while (sleepers().length < 3) await new Promise((done) => setImmediate(done));
    child.kill("SIGKILL");
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    // The test's own time limit ends this where they never die.
    while (sleepers().length > 0) await new Promise((done) => setImmediate(done));
  });
});
