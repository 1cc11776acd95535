import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Settings } from "../../src/config/settings.ts";
import type { Step } from "../../src/model/scripted.ts";
import { call, project, type TestAgent } from "../helpers/agent.ts";
import { sandboxes } from "../helpers/sandboxes.ts";
import { endedCalls, goesOn, openCase, outputs, running, uniqueSeconds } from "./support.ts";

describe.each(sandboxes)("with sandbox %s", (sandbox) => {
  /** The grandchild would touch late.txt; its command line carries the marker, and so do the shells around it. */
  function open(sleep: string, step: Step, settings: Settings = {}): Promise<TestAgent> {
    const script = `(sleep ${sleep}; touch late.txt) & echo started; wait # ${sleep}\n`;
    return openCase({
      files: project({
        "late.sh": script,
        "package.json": '{"name":"p","scripts":{"test":"bash late.sh"}}',
      }),
      guided: false,
      sandbox,
      settings,
      steps: [step],
    });
  }

  function command(sleep: string): Step {
    const script = `(sleep ${sleep}; touch late.txt) & echo started; wait`;
    return call("run_command", { argv: ["bash", "-c", script], reason: "r" });
  }

  /** Nobody is left who could still touch it: no need to wait and see. */
  function expectNothingLeft(t: TestAgent, sleep: string): void {
    expect(running(sleep)).toEqual([]);
    expect(existsSync(join(t.root, "late.txt"))).toBe(false);
  }

  it.each([
    ["a command", command],
    ["the test tool", () => call("run_check", {})],
  ])("C05: a cancel ends %s with its grandchildren", async (_, step) => {
    const sleep = uniqueSeconds(20);
    const t = await open(sleep, step(sleep));
    const cancel = new AbortController();
    const ended = t.run("Go.", cancel.signal);
    // The grandchild's name is there only once it has left the shell that it was forked from.
    const began = () => outputs(t)[0]?.includes("started") && running(sleep).length > 0;
    await vi.waitUntil(began, { timeout: 20_000, interval: 5 });
    cancel.abort();
    expect(await ended).toMatchObject({ end: "cancelled" });
    expectNothingLeft(t, sleep);
    expect(endedCalls(t)).toMatchObject([
      { outcome: "cancelled", content: expect.stringContaining("cancelled") },
    ]);
    await goesOn(t);
  });

  it("C05: the time limit ends a command with its grandchildren", async () => {
    const sleep = uniqueSeconds(20);
    const t = await open(sleep, command(sleep), { commandTimeoutSeconds: 1 });
    await t.run("Go.");
    expectNothingLeft(t, sleep);
    expect(outputs(t)[0]).toBe("started\n");
    expect(endedCalls(t)).toMatchObject([
      { outcome: "timeout", content: expect.stringContaining("stopped at the time limit, after 1.") },
    ]);
    await goesOn(t);
  });

  it("C05: the time limit ends the test tool with its grandchildren", async () => {
    const sleep = uniqueSeconds(20);
    // Named in the settings, for npm alone can take longer than the limit.
    const required = [["bash", "late.sh", sleep]];
    const t = await open(sleep, call("run_check", {}), { checks: { required, timeoutSeconds: 1 } });
    await t.run("Go.");
    expectNothingLeft(t, sleep);
    expect(outputs(t)[0]).toBe("started\n");
    expect(endedCalls(t)).toMatchObject([
      { outcome: "timeout", content: expect.stringContaining("ran out of time: stopped at the time limit") },
    ]);
    expect(t.events).toContainEqual({
      type: "fact",
      fact: expect.objectContaining({ type: "check", result: "timed_out" }),
    });
    await goesOn(t);
  });
});
