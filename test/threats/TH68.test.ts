// What MiniCode was started with and what it holds in memory is out of a program's reach: in the sandbox there is no such process;
// without one the panel says that there is none. test/e2e/print.e2e.ts proves that no signal opens the inspector.
// limit: without a sandbox a program can read the environment that MiniCode was started with.
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";
import { sandboxes } from "../helpers/sandboxes.ts";
import { panel } from "../view/helpers.ts";

const probe =
  "cat /proc/$PPID/environ /proc/1/environ | tr '\\0' '\\n' | grep -c CANARY-68; ls -d /proc/PID; kill -0 PID";

describe("TH68 the environment of the process that started it", () => {
  it.skipIf(!sandboxes.includes("require"))("is not there in the sandbox (needs bubblewrap)", async () => {
    const t = await testAgent({
      guided: false,
      sandbox: "require",
      steps: [
        call("run_shell", { command: probe.replaceAll("PID", String(process.pid)), reason: "r" }),
        { text: "Done." },
      ],
    });
    await t.run("go");
    const [result = ""] = t.results();
    expect(result).toMatch(/^0$/m);
    expect(result).toContain(`cannot access '/proc/${process.pid}'`);
    expect(result).toMatch(/No such process|Operation not permitted/);
  });

  it("without a sandbox every panel says so", async () => {
    const t = await testAgent({
      guided: false,
      answer: () => "reject",
      steps: [call("run_command", { argv: ["node", "-e", "1"], reason: "r" }), { text: "Done." }],
    });
    await t.run("go");
    const content = t.proposals("command")[0]?.content;
    expect(content && panel(content)).toContain("sandbox: none, it is switched off");
  });
});
