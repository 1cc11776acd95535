import { describe, expect, it } from "vitest";
import { call } from "../helpers/agent.ts";
import { sandboxes } from "../helpers/sandboxes.ts";
import { outputs, runCase } from "./support.ts";

// That keys stay in the editor is for the screen's tests; a program gets an empty input of its own, so it cannot take them.
describe.each(sandboxes)("with sandbox %s", (sandbox) => {
  it.each([
    ["(a)", "cat; echo rc=$?", "rc=0\n"],
    ["(b)", 'read x; echo "got=[$x] rc=$?"', "got=[] rc=1\n"],
    ["(c)", "[ -t 0 ] && echo tty || echo notty", "notty\n"],
  ])(
    "C06: %s a program that reads its input finds it empty, and no terminal",
    async (_, script, printed) => {
      const c = await runCase({
        guided: false,
        sandbox,
        steps: [call("run_command", { argv: ["bash", "-c", script], reason: "r" })],
      });
      expect(outputs(c)).toEqual([printed]);
      expect(c.ended).toMatchObject([
        { outcome: "ok", content: expect.stringContaining(`\n${printed.trim()}`) },
      ]);
    },
    10_000,
  );
});
