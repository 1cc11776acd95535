import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toOpenAiMessages } from "../../src/model/openai-messages.ts";
import type { ToolMessage } from "../../src/protocol/message.ts";
import { type TaskWith, taskWith } from "../agent/task-with.ts";
import { event, streamHead } from "../helpers/raw-server.ts";
import { callDelta, delta, modelAt, serve } from "../model/ask.ts";

const cutCalls = {
  "a patch": ["apply_patch", '{"reason":"r","changes":[{"path":"big.txt","content":"hello wor'],
  "a patch that a repair would make whole": [
    "apply_patch",
    '{"reason":"r","changes":[{"path":"big.txt","content":"hello"}]}',
  ],
  "a command": ["run_command", '{"argv":["touch","big.txt"'],
  "a list": ["read_many_files", '{"paths":["a","b"'],
} as const;

const done = [streamHead, event(delta({ content: "Done." }, "stop")), event("[DONE]")];

function cutReply(name: string, args: string): string[] {
  const half = Math.floor(args.length / 2);
  return [
    streamHead,
    event(callDelta({ index: 0, id: "c1", function: { name, arguments: args.slice(0, half) } })),
    event(callDelta({ index: 0, function: { arguments: args.slice(half) } })),
    event(delta({}, "length")),
    event("[DONE]"),
  ];
}

/** A task whose model gives these replies in turn, the last one for ever. */
async function taskOf(replies: string[][]) {
  let n = 0;
  const server = await serve(async ({ write, end }) => {
    await write(...(replies[n++] ?? replies.at(-1) ?? []));
    end();
  });
  const t = await taskWith({ model: modelAt(server.url), files: { a: "x\n" } });
  return { t, server };
}

function results({ record }: TaskWith): ToolMessage[] {
  return record.entries.flatMap(({ body }) =>
    body.type === "message" && body.message.role === "tool" ? [body.message] : [],
  );
}

/** Nothing was asked, run or written. */
function expectUntouched(t: TaskWith): void {
  expect(t.events.filter(({ type }) => type === "proposal" || type === "decision")).toEqual([]);
  expect(existsSync(join(t.root, "big.txt"))).toBe(false);
}

it.each(Object.entries(cutCalls))(
  "S03: %s that the output limit cut off is never run",
  async (_, [name, args]) => {
    const { t, server } = await taskOf([cutReply(name, args), done]);
    expect(await t.run("Go.")).toEqual({ end: "answered", work: { state: "none" } });
    expectUntouched(t);
    expect(results(t)).toMatchObject([
      { callId: "c1", outcome: "invalid", content: expect.stringMatching(/output limit.*smaller parts/) },
    ]);
    const sent: { messages: { tool_calls?: [{ function: { arguments: string } }] }[] } = JSON.parse(
      server.requests[1]?.body ?? "",
    );
    const [call] = sent.messages.flatMap((message) => message.tool_calls ?? []);
    expect(JSON.parse(call?.function.arguments ?? "")).toBeTypeOf("object");
  },
);

it.each(Object.entries(cutCalls))(
  "S03: %s that is cut off again ends the task with that reason",
  async (_, [name, args]) => {
    const { t, server } = await taskOf([cutReply(name, args)]);
    expect(await t.run("Go.")).toEqual({
      end: "budget",
      work: { state: "none" },
      detail: "two replies in a row were cut off by the model's output limit",
    });
    expect(server.requests).toHaveLength(2);
    expectUntouched(t);
    expect(results(t)).toHaveLength(2);
    expect(results(t)[1]?.content).toContain("output limit");
    expect(t.events).toContainEqual({ type: "note", text: expect.stringContaining("maxOutputTokens") });
  },
);

it("S03: a whole reply in between is a new beginning, and the session goes on after the end", async () => {
  const cut = cutReply(...cutCalls["a patch"]);
  const look = [
    streamHead,
    event(callDelta({ index: 0, id: "c2", function: { name: "list_dir", arguments: "{}" } })),
    event(delta({}, "tool_calls")),
    event("[DONE]"),
  ];
  const { t } = await taskOf([cut, look, cut, look, cut, cut, done]);
  expect(await t.run("Go.")).toMatchObject({ end: "budget" });
  expect(results(t).map(({ outcome }) => outcome)).toEqual([
    ...["invalid", "ok", "invalid", "skipped", "invalid", "skipped"],
  ]);
  expect(await t.run("And now?")).toMatchObject({ end: "answered" });
  const said = t.record.entries.flatMap(({ body }) => (body.type === "message" ? [body.message] : []));
  const sent = toOpenAiMessages(said);
  const called = sent.flatMap((m) => (m.role === "assistant" ? (m.tool_calls ?? []) : []));
  expect(sent.flatMap((m) => (m.role === "tool" ? [m.tool_call_id] : []))).toEqual(
    called.map(({ id }) => id),
  );
});

it("S03: a limit that is used up by thinking alone is told to the model once, and ends the task the second time", async () => {
  const nothing = [
    streamHead,
    event(delta({ reasoning_content: "hmm ".repeat(50) })),
    event(delta({}, "length")),
    event("[DONE]"),
  ];
  const { t, server } = await taskOf([nothing]);
  expect(await t.run("Go.")).toMatchObject({
    end: "budget",
    detail: "two replies in a row were cut off by the model's output limit",
  });
  expect(server.requests).toHaveLength(2);
  expect(server.requests[1]?.body).toContain("cut off by the output limit before it said anything");
});
