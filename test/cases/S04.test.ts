import { expect, it } from "vitest";
import { taskWith } from "../agent/task-with.ts";
import { streamHead } from "../helpers/raw-server.ts";
import { collect, messageIn, modelAt, serve } from "../model/ask.ts";

const cafe = Buffer.from('data:{"choices":[{"index":0,"delta":{"content":"café"}}]}\r\n\r\n');
const cut = cafe.indexOf(Buffer.from("é")) + 1;
const pieces = [
  streamHead,
  ": OPENROUTER PROCESSING\r\n\r\n",
  cafe.subarray(0, cut),
  cafe.subarray(cut),
  "data: null\n\n",
  'data: {"choices":[{"index":0}]}\n\n',
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
  'data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12}}\n\n',
  "data: [DONE]\n\n",
];

async function serverOf(...written: (string | Uint8Array)[]) {
  return serve(async ({ write, end }) => {
    await write(...written);
    end();
  });
}

it("S04: the text once, the counts, the end, and no error", async () => {
  expect(cafe[cut - 1]).toBe(0xc3);
  const outcome = await collect(modelAt((await serverOf(...pieces)).url));
  expect(outcome.error).toBeUndefined();
  expect(outcome.events.filter(({ type }) => type === "text")).toEqual([{ type: "text", text: "café" }]);
  expect(messageIn(outcome)).toEqual({
    type: "done",
    message: { role: "assistant", text: "café", calls: [] },
    usage: { input: 10, output: 2 },
    stop: "stop",
  });
});

it("S04: it is the task's answer, and nothing was asked twice", async () => {
  const server = await serverOf(...pieces);
  const t = await taskWith({ model: modelAt(server.url) });
  expect(await t.run("Go.")).toEqual({ end: "answered", work: { state: "none" } });
  expect(server.requests).toHaveLength(1);
  expect(t.events.filter(({ type }) => type === "answer")).toEqual([{ type: "answer", text: "café" }]);
  expect(t.events).toContainEqual(
    expect.objectContaining({ type: "usage", usage: { input: 10, output: 2 } }),
  );
});

it("S04: every byte a write of its own, or all in one", async () => {
  const all = Buffer.concat(pieces.slice(1).map((piece) => Buffer.from(piece)));
  for (const written of [[all], [...all].map((byte) => Buffer.of(byte))]) {
    const outcome = await collect(modelAt((await serverOf(streamHead, ...written)).url));
    expect(messageIn(outcome)).toMatchObject({ message: { text: "café" }, usage: { input: 10, output: 2 } });
  }
});
