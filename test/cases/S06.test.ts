import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { ToolMessage } from "../../src/protocol/message.ts";
import type { TestAgent } from "../helpers/agent.ts";
import { goesOn, openCase, outputs } from "./support.ts";

const files = { a: "text of a\n" };
const both = {
  calls: [
    { name: "run_command", arguments: { argv: ["bash", "-c", "echo up; sleep 60"], reason: "r" }, id: "c1" },
    { name: "read_file", arguments: { path: "a" }, id: "c2" },
  ],
};

/** The two results in the request after the user said hi: directly after their calls, before the user's message. */
async function afterHi(t: TestAgent): Promise<ToolMessage[]> {
  await t.run("hi");
  const messages = (t.model.requests.at(-1)?.messages ?? []).filter(({ role }) => role !== "system");
  const roles = messages.map((m) => m.role);
  const at = roles.indexOf("assistant");
  expect(roles.slice(at, at + 3)).toEqual(["assistant", "tool", "tool"]);
  expect(messages.at(-1)).toEqual({ role: "user", text: "hi" });
  const results = messages.slice(at + 1, at + 3).flatMap((m) => (m.role === "tool" ? [m] : []));
  expect(results.map(({ callId }) => callId)).toEqual(["c1", "c2"]);
  return results;
}

function isUp(t: TestAgent): Promise<unknown> {
  return vi.waitUntil(() => outputs(t)[0] === "up\n", { timeout: 20_000, interval: 5 });
}

it("S06: a cancel during the first of two calls leaves both with their result", async () => {
  const t = await openCase({ files, guided: false, steps: [both] });
  const cancel = new AbortController();
  const ended = t.run("Go.", cancel.signal);
  await isUp(t);
  cancel.abort();
  expect(await ended).toEqual({ end: "cancelled", work: { state: "none" } });
  expect(await afterHi(t)).toMatchObject([
    { outcome: "cancelled", content: expect.stringMatching(/: cancelled after .* s\n.*\nup\n/) },
    { outcome: "cancelled", content: "Not run: the user cancelled the task." },
  ]);
  await goesOn(t);
});

it("S06: a cancel while the RUN question is open leaves both with their result", async () => {
  const cancel = new AbortController();
  const t = await openCase({
    files,
    guided: false,
    steps: [both],
    answer: () => {
      cancel.abort();
      return new Promise(() => {});
    },
  });
  expect(await t.run("Go.", cancel.signal)).toEqual({ end: "cancelled", work: { state: "none" } });
  expect(await afterHi(t)).toMatchObject([{ outcome: "cancelled" }, { outcome: "cancelled" }]);
  await goesOn(t);
});

it("S06: a no to RUN is its result, and the read still runs", async () => {
  const t = await openCase({ files, guided: false, steps: [both], answer: () => "reject" });
  expect(await t.run("Go.")).toEqual({ end: "answered", work: { state: "none" } });
  const messages = t.model.requests[1]?.messages ?? [];
  expect(messages.slice(-2)).toMatchObject([
    { callId: "c1", outcome: "rejected", content: expect.stringContaining("The user rejected this command") },
    { callId: "c2", outcome: "ok", content: expect.stringContaining("text of a") },
  ]);
  await goesOn(t);
});

it("S06: a session that was cut off during the first call is gone on with, both calls answered", async () => {
  const t = await openCase({ files, guided: false, steps: [both] });
  const cancel = new AbortController();
  const ended = t.run("Go.", cancel.signal);
  await isUp(t);
  // What a kill -9 would leave on disk at this very moment.
  const data = mkdtempSync(join(tmpdir(), "minicode-data-"));
  cpSync(join(t.data, "sessions"), join(data, "sessions"), { recursive: true });
  cancel.abort();
  await ended;

  const session = { kind: "resume", id: t.agent.session } as const;
  const resumed = await openCase({ root: t.root, data, session, guided: false, steps: [] });
  expect(resumed.agent.settled).toMatchObject([{ outcome: "cancelled" }]);
  const cutOff = "cancelled: MiniCode was stopped before this call ended";
  expect(await afterHi(resumed)).toMatchObject([
    { outcome: "cancelled", content: cutOff },
    { outcome: "cancelled", content: cutOff },
  ]);
  await goesOn(resumed);
});
