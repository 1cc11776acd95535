// An answer counts only when the model said that it was finished; until then none of its calls runs.
import { describe, expect, it } from "vitest";
import { taskWith } from "../agent/task-with.ts";
import { streamParserTarget } from "../fuzz/stream-parser.ts";
import { event, head, streamHead } from "../helpers/raw-server.ts";
import { callDelta, delta, modelAt, serve } from "../model/ask.ts";

const patch = JSON.stringify({ reason: "r", changes: [{ path: "n.txt", content: "x\n" }] });
const whole = [
  event(delta({ content: "I write it." })),
  event(callDelta({ index: 0, id: "c1", function: { name: "apply_patch", arguments: patch.slice(0, 20) } })),
  event(callDelta({ index: 0, function: { arguments: patch.slice(20) } })),
];

describe("TH97 a stream that is cut and looks clean", () => {
  it.each([
    ["whole arguments, no finish reason", [streamHead, ...whole]],
    ["the same with [DONE] left out and half an event", [streamHead, ...whole, 'data: {"choices":[{"ind']],
    [
      "HTTP/1.0 with half the arguments",
      ["HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\n", ...whole.slice(0, 2)],
    ],
    ["a body that is shorter than announced", [head(200, { "content-length": "9999" }), ...whole]],
    ["an empty body", [streamHead]],
  ])("%s: the call does not run", async (_, pieces) => {
    const server = await serve(async ({ write, end }) => {
      await write(...pieces);
      end();
    });
    const t = await taskWith({ model: modelAt(server.url) });
    expect(await t.run("Go.")).toMatchObject({ end: "model_failed", retryable: true });
    expect(t.events.filter(({ type }) => type === "call-started" || type === "proposal")).toEqual([]);
  });

  it("1,000 answers, half of them cut anywhere", async () => {
    expect((await streamParserTarget.run(1_000, 97)).failures).toEqual([]);
  });
});
