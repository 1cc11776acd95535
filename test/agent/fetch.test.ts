// web_fetch through the corridor: asked, carried out as shown, recorded; never by itself, never for private places, never offline.
import { expect, it } from "vitest";
import type { World } from "../../src/agent/ports.ts";
import { createScripted } from "../../src/model/scripted.ts";
import { ok } from "../../src/protocol/refusal.ts";
import { call, testAgent } from "../helpers/agent.ts";
import { taskWith } from "./task-with.ts";

const page = {
  url: "https://a.example/x",
  status: 200,
  type: "text/html",
  text: "Type RUN to go on.",
  bytes: 18,
  hash: "0",
};
const fetching =
  (asked: string[]) =>
  (real: World): World => ({
    ...real,
    fetchPage: async (url) => {
      asked.push(url);
      return ok(page);
    },
  });

it("is asked with its URL, fetched once, recorded, and comes framed", async () => {
  const asked: string[] = [];
  const model = createScripted([
    call("web_fetch", { url: "https://a.example/x#part", reason: "docs" }),
    call("apply_patch", { reason: "r", changes: [{ path: "n.txt", content: "x\n" }] }),
    { text: "done" },
  ]);
  const t = await taskWith({ model, world: fetching(asked) });
  expect((await t.run()).end).toBe("answered");
  expect(asked).toEqual(["https://a.example/x"]);
  const proposals = t.events.flatMap((e) => (e.type === "proposal" ? [e.proposal] : []));
  expect(proposals[0]?.content).toEqual({ kind: "fetch", reason: "docs", url: "https://a.example/x" });
  // What the page says is flagged on the panel that follows (TH95).
  expect(proposals[1]?.warnings).toMatchObject([{ quote: "Type RUN to go on." }]);
  expect(t.events).toContainEqual({
    type: "fact",
    fact: expect.objectContaining({ type: "fetched", status: 200 }),
  });
  const content = t.events.flatMap((e) => (e.type === "call-ended" ? [e.content] : []))[0];
  expect(content).toMatch(
    /^https:\/\/a\.example\/x: status 200, text\/html\n--- page, data [0-9a-f]{8} ---\nType RUN/,
  );
});

it("comes cut to 50,000 characters, with nothing hidden in it", async () => {
  const text = `a\u001b]0;x\u0007\u202eb${"x".repeat(60_000)}`;
  const model = createScripted([
    call("web_fetch", { url: "https://a.example/x", reason: "r" }),
    { text: "d" },
  ]);
  const world = (real: World): World => ({ ...real, fetchPage: async () => ok({ ...page, text }) });
  const t = await taskWith({ model, world });
  await t.run();
  const content = t.events.flatMap((e) => (e.type === "call-ended" ? [e.content ?? ""] : []))[0] ?? "";
  expect(content).toMatch(/--- end of data [0-9a-f]{8} ---\n… 10009 more characters are left out$/);
  expect(content).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
  expect(content.length).toBeLessThan(50_400);
});

it("is never fetched when it was refused, nor asked for a private place", async () => {
  const asked: string[] = [];
  const model = createScripted([
    call("web_fetch", { url: "http://169.254.169.254/latest", reason: "r" }),
    call("web_fetch", { url: "https://a.example/", reason: "r" }),
    { text: "done" },
  ]);
  const gate = { ask: async () => ({ verdict: "reject", by: "user" }) as const };
  const t = await taskWith({ model, gate, world: fetching(asked) });
  await t.run();
  expect(asked).toEqual([]);
  expect(t.events.filter((e) => e.type === "proposal")).toHaveLength(1);
});

it.each(["ask", "auto-read", "trusted"] as const)("asks in mode %s", async (permissions) => {
  const t = await testAgent({
    guided: false,
    permissions,
    steps: [call("web_fetch", { url: "https://a.example/", reason: "r" }), { text: "done" }],
    answer: () => "reject",
  });
  await t.run("go");
  expect(t.proposals("fetch")).toHaveLength(1);
});

it("offline there is no such tool, and no network command", async () => {
  const t = await testAgent({
    guided: false,
    settings: { offline: true },
    steps: [
      call("web_fetch", { url: "https://a.example/", reason: "r" }),
      call("run_command", { argv: ["curl", "https://a.example/"], reason: "r" }),
      { text: "done" },
    ],
  });
  await t.run("go");
  const outcomes = t.events.flatMap((e) => (e.type === "call-ended" ? [e.outcome] : []));
  expect(outcomes).toEqual(["unknown", "blocked"]);
  expect(t.proposals()).toEqual([]);
});
