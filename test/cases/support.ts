// One case from end to end: a whole agent, the model's scripted calls, and then one more user message. Used by the case tests.
import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { toOpenAiMessages } from "../../src/model/openai-messages.ts";
import type { CallOutcome } from "../../src/protocol/message.ts";
import type { TaskOutcome } from "../../src/protocol/outcome.ts";
import { type TestAgent, type TestAgentOptions, testAgent } from "../helpers/agent.ts";
import { hashOf } from "../workspace/git-fixture.ts";

interface Ended {
  name: string;
  outcome: CallOutcome;
  content: string;
}

export interface Case extends TestAgent {
  /** How the task ended. */
  outcome: TaskOutcome;
  /** How each of its calls ended, in call order. */
  ended: Ended[];
  /** Nothing below the workspace, `.git` included, has another name, kind, mode, time or content than before the task. */
  untouched: boolean;
}

/** The agent of a case: after the case's own steps the model answers everything with "Done." */
export function openCase(options: TestAgentOptions): Promise<TestAgent> {
  return testAgent({ ...options, steps: [...options.steps, { text: "Done.", repeat: true }] });
}

/** Runs one task, then proves what holds for every case: each call was answered once, and the session goes on. */
export async function runCase(options: TestAgentOptions): Promise<Case> {
  const t = await openCase(options);
  const before = hashOf(t.root);
  const outcome = await t.run("Go.");
  const untouched = hashOf(t.root) === before;
  const ended = endedCalls(t);
  await goesOn(t);
  return { ...t, outcome, ended, untouched };
}

/** The next user message works, and in its request every call of the conversation has its one result directly after it. */
export async function goesOn(t: TestAgent): Promise<void> {
  expect(await t.run("Are you there?")).toMatchObject({ end: "answered" });
  expect(t.events.findLast((event) => event.type === "answer")).toEqual({ type: "answer", text: "Done." });
  const started = t.events.flatMap((event) => (event.type === "call-started" ? [event.call.id] : []));
  const ended = t.events.flatMap((event) => (event.type === "call-ended" ? [event.callId] : []));
  expect(new Set(ended).size).toBe(ended.length);
  expect(ended).toEqual(expect.arrayContaining(started));
  expect(callIds(t).slice(-ended.length || Number.POSITIVE_INFINITY)).toEqual(ended);
  expectPairs(t);
}

/** In every request so far, ours and as a server gets it. */
function expectPairs(t: TestAgent): void {
  for (const { messages } of t.model.requests) {
    expect(messages.filter(({ role }) => role === "tool")).toHaveLength(
      messages.flatMap((message) => (message.role === "assistant" ? message.calls : [])).length,
    );
    for (const [at, message] of messages.entries()) {
      if (message.role !== "assistant") continue;
      const after = messages.slice(at + 1, at + 1 + message.calls.length);
      expect(after.map((next) => (next.role === "tool" ? next.callId : next.role))).toEqual(
        message.calls.map(({ id }) => id),
      );
    }
    const sent = toOpenAiMessages(messages);
    const called = sent.flatMap((m) =>
      m.role === "assistant" ? (m.tool_calls ?? []).map(({ id }) => id) : [],
    );
    expect(sent.flatMap((m) => (m.role === "tool" ? [m.tool_call_id] : []))).toEqual(called);
  }
}

/** Ids of all calls in the last request, in order. */
function callIds(t: TestAgent): string[] {
  const messages = t.model.requests.at(-1)?.messages ?? [];
  return messages.flatMap((message) =>
    message.role === "assistant" ? message.calls.map(({ id }) => id) : [],
  );
}

export function endedCalls(t: TestAgent): Ended[] {
  return t.events.flatMap((event) => {
    if (event.type !== "call-ended") return [];
    const { name, outcome, content } = event;
    return [{ name, outcome, content }];
  });
}

/** "Refused" in the sense of the cases: an error result, no approval question, nothing changed. */
export function expectRefused(c: Case, outcome: CallOutcome): void {
  const last = c.ended.at(-1);
  expect(last?.outcome).toBe(outcome);
  expect(c.proposals()).toEqual([]);
  expect(c.untouched).toBe(true);
}

/** Everything that was sent to the model, as text. */
export function sentText(t: TestAgent): string {
  return JSON.stringify(t.model.requests);
}

/** What the programs of each approved command printed, as a screen gets it. */
export function outputs(t: TestAgent): string[] {
  return t
    .proposals("command")
    .map(({ seq }) =>
      t.events.map((event) => (event.type === "output" && event.seq === seq ? event.text : "")).join(""),
    );
}

/** A number of seconds that no other process sleeps for, to find its sleeper by. */
export function uniqueSeconds(whole: number): string {
  return `${whole}.${String(Math.floor(Math.random() * 1e9)).padStart(9, "0")}1`;
}

/** Processes with this text in their command line; the dead that nobody has waited for have none. */
export function running(marker: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(marker);
    } catch {
      return false;
    }
  });
}

/** HOME for this test alone. */
export function withHome(folder: string): void {
  const before = process.env["HOME"];
  process.env["HOME"] = folder;
  onTestFinished(() => {
    process.env["HOME"] = before;
  });
}
