// After a cancel nothing that a program started is left, in the sandbox and without one.
// limit: without a sandbox a program that empties its environment and leaves its session is not found.
import { describe, expect, it } from "vitest";
import { running, uniqueSeconds } from "../cases/support.ts";
import { call, testAgent } from "../helpers/agent.ts";
import { sandboxes } from "../helpers/sandboxes.ts";

const payloads = [
  "setsid sleep SECONDS & sleep SECONDS",
  "(setsid sh -c 'sleep SECONDS & exec sleep SECONDS' &) ; sleep SECONDS",
  "trap '' TERM; sleep SECONDS & while true; do sleep SECONDS; done",
];

describe.each(sandboxes)("TH73 survivors of a cancel, sandbox %s", (sandbox) => {
  it.each(payloads)("%s", { timeout: 30_000 }, async (payload) => {
    const seconds = uniqueSeconds(600);
    const cancel = new AbortController();
    const t = await testAgent({
      guided: false,
      sandbox,
      steps: [
        call("run_shell", { command: payload.replaceAll("SECONDS", seconds), reason: "r" }),
        { text: "Done." },
      ],
    });
    const ended = t.run("go", cancel.signal);
    const sleepers = (): string[] => running(`sleep\0${seconds}`);
    while (sleepers().length < 2) await new Promise((done) => setImmediate(done));
    cancel.abort();
    expect(await ended).toMatchObject({ end: "cancelled" });
    expect(sleepers()).toEqual([]);
  });
});
