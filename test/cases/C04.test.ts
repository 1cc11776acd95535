import { describe, expect, it } from "vitest";
import { call } from "../helpers/agent.ts";
import { sandboxes } from "../helpers/sandboxes.ts";
import { outputs, runCase, running, uniqueSeconds } from "./support.ts";

const sleep = uniqueSeconds(30);

// Each would take 30 seconds if the child in the background were waited for: the test's own limit is the bound.
describe.each(sandboxes)("with sandbox %s", (sandbox) => {
  it.each([
    ["(a) that holds the output", `sleep ${sleep} & echo done`, "done\n"],
    ["(b) that holds nothing", `sleep ${sleep} >/dev/null 2>&1 & echo $!`, /^\d+\n$/],
    ["(c) and nothing printed", `sleep ${sleep} & true`, ""],
  ])(
    "C04: a background process %s does not hold the command, is ended and told",
    async (_, script, printed) => {
      const c = await runCase({
        guided: false,
        sandbox,
        steps: [
          call("run_command", { argv: ["bash", "-c", script], reason: "r" }),
          call("run_command", { argv: ["echo", "next"], reason: "r" }),
        ],
      });
      const [first, next] = c.ended;
      expect(first?.outcome).toBe("ok");
      expect(first?.content).toMatch(
        /: exit 0, .*; 1 background process\(es\) were left and have been ended\n/,
      );
      expect(outputs(c)[0]).toEqual(typeof printed === "string" ? printed : expect.stringMatching(printed));
      expect(running(sleep)).toEqual([]);
      expect(next).toMatchObject({ outcome: "ok", content: expect.stringMatching(/exit 0, .*\n.*\nnext\n/) });
    },
    15_000,
  );
});
