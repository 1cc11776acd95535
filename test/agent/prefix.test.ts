// What a server's prompt cache lives from: every request is the one before, byte for byte, and more. Over a hundred tool rounds,
// as the OpenAI-compatible adapter sends them and as the scripted model gets them.
import { expect, it } from "vitest";
import * as z from "zod";
import { createScripted, type Step } from "../../src/model/scripted.ts";
import type { ChatModel, ModelRequest } from "../../src/protocol/model.ts";
import { event, streamHead } from "../helpers/raw-server.ts";
import { delta, modelAt, serve } from "../model/ask.ts";
import { type TaskWith, taskWith } from "./task-with.ts";

const ROUNDS = 100;
const files = { "a.txt": 'líne 👩 "quoted"\n'.repeat(ROUNDS) };

/** Round `i` of the job: reads, two at once, one that is repeated, one that cannot be read, and words with it. */
function round(i: number): { text?: string; calls: { name: string; arguments: string }[] } {
  const read = { name: "read_file", arguments: JSON.stringify({ path: "a.txt", start: i + 1 }) };
  if (i % 10 === 3)
    return { text: `I look: \u2028 ${i}`, calls: [read, { ...read, arguments: `{"path": ${i}` }] };
  if (i % 10 === 7) return { calls: [read, read, { name: "nothing", arguments: "{}" }] };
  return { calls: [read] };
}

async function job(model: ChatModel): Promise<TaskWith> {
  const t = await taskWith({
    ...{ model, files, maxSteps: ROUNDS + 1 },
    onEvent: (e) => {
      if (e.type === "step-started" && e.step % 25 === 0) t.inbox.push(`and now ${e.step}`);
    },
  });
  expect(await t.run("read it all")).toMatchObject({ end: "answered" });
  expect(await t.run("and once more")).toMatchObject({ end: "answered" });
  return t;
}

/** The first of `texts` that does not go on from the one before it; -1 when all do. */
function firstBroken(texts: readonly string[]): number {
  return texts.findIndex((text, i) => {
    const before = texts[i - 1];
    return before !== undefined && !(text.startsWith(before) && text.length > before.length);
  });
}

/** A list's JSON without its end, so that a longer list begins with it. */
function open(list: unknown): string {
  return JSON.stringify(list).slice(0, -1);
}

it("holds for the bodies that the OpenAI-compatible adapter sends", async () => {
  let asked = 0;
  const server = await serve(async ({ write, end }) => {
    const { text, calls } = asked < ROUNDS ? round(asked) : { text: "That is all.", calls: [] };
    asked++;
    const fragments = calls.map((call, index) => ({ index, id: `c${asked}_${index}`, function: call }));
    await write(
      streamHead,
      event(delta({ reasoning_content: "hm", ...(text === undefined ? {} : { content: text }) })),
      event(delta(fragments.length === 0 ? {} : { tool_calls: fragments }, "stop")),
      event("[DONE]"),
    );
    end();
  });
  await job(modelAt(server.url));
  const bodies = server.requests.map(({ body }) => body);
  expect(bodies).toHaveLength(ROUNDS + 2);
  const split = bodies.map((body) => {
    const { messages } = z.object({ messages: z.array(z.unknown()) }).parse(JSON.parse(body));
    const [before, after, ...more] = body.split(JSON.stringify(messages));
    return { messages: open(messages), around: JSON.stringify([before, after]), more: more.length };
  });
  expect(firstBroken(split.map(({ messages }) => messages))).toBe(-1);
  expect(new Set(split.map(({ around }) => around)).size).toBe(1);
  expect(split.filter(({ more }) => more > 0)).toEqual([]);
});

it("holds for what the scripted model gets", async () => {
  const steps: Step[] = [
    ...Array.from({ length: ROUNDS }, (_, i): Step => round(i)),
    { text: "That is all." },
    { text: "Nothing new." },
  ];
  const model = createScripted(steps);
  await job(model);
  expect(model.requests).toHaveLength(ROUNDS + 2);
  expect(firstBroken(model.requests.map(({ messages }) => open(messages)))).toBe(-1);
  const rest = ({ messages: _, ...others }: ModelRequest): string => JSON.stringify(others);
  expect(new Set(model.requests.map(rest)).size).toBe(1);
});
