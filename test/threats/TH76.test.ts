// A program is over when it has ended, whoever still holds its pipe; what it left behind is told and ended.
import { describe, expect, it } from "vitest";
import { running, uniqueSeconds } from "../cases/support.ts";
import { call, testAgent } from "../helpers/agent.ts";

describe("TH76 a child that holds the pipe", () => {
  it.each([
    "sleep SECONDS & echo done",
    "sleep SECONDS >/dev/null 2>&1 & echo done",
    "(setsid sleep SECONDS &) ; echo done",
  ])(
    "%s comes back at once",
    // The sleeper sleeps far longer than the test may take.
    { timeout: 15_000 },
    async (command) => {
      const seconds = uniqueSeconds(600);
      const t = await testAgent({
        guided: false,
        steps: [
          call("run_shell", { command: command.replace("SECONDS", seconds), reason: "r" }),
          { text: "Done." },
        ],
      });
      await t.run("go");
      expect(t.results()[0]).toContain("done");
      expect(t.results()[0]).toContain("exit 0");
      expect(running(seconds)).toEqual([]);
    },
  );
});
