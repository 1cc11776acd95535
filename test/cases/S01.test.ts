import { expect, it } from "vitest";
import { taskWith } from "../agent/task-with.ts";
import { event, streamHead } from "../helpers/raw-server.ts";
import { callDelta, delta, modelAt, serve } from "../model/ask.ts";

const read = (id: string | null, path: string): string =>
  event(
    callDelta({
      index: 0,
      id,
      type: "function",
      function: { name: "read_file", arguments: JSON.stringify({ path }) },
    }),
  );
const end = [event(delta({}, "tool_calls")), event("[DONE]")];

it.each([
  ["the same index", [read("c1", "a"), read("c2", "b")], ["c1", "c2"]],
  ["the same index and no id", [read(null, "a"), read(null, "b")], ["call00001", "call00002"]],
  ["the same index and id", [read("x", "a"), read("x", "b")], ["x", "call00002"]],
])("S01: two calls with %s are two calls, each run once", async (_, calls, ids) => {
  const replies = [
    [streamHead, ...calls, ...end],
    [streamHead, event(delta({ content: "Done." }, "stop")), event("[DONE]")],
  ];
  let n = 0;
  const server = await serve(async ({ write, end }) => {
    await write(...(replies[n++] ?? []));
    end();
  });
  const t = await taskWith({
    model: modelAt(server.url),
    files: { a: "text of a\n", b: "text of b\n" },
  });
  expect(await t.run("Go.")).toEqual({ end: "answered", work: { state: "none" } });
  const ended = t.events.flatMap((e) => (e.type === "call-ended" ? [[e.callId, e.outcome]] : []));
  expect(ended).toEqual(ids.map((id) => [id, "ok"]));

  expect(server.requests).toHaveLength(2);
  const { messages } = JSON.parse(server.requests[1]?.body ?? "");
  expect(messages.slice(2)).toEqual([
    {
      role: "assistant",
      content: null,
      tool_calls: ["a", "b"].map((path, i) => ({
        id: ids[i],
        type: "function",
        function: { name: "read_file", arguments: JSON.stringify({ path }) },
      })),
    },
    { role: "tool", tool_call_id: ids[0], content: expect.stringContaining("text of a") },
    { role: "tool", tool_call_id: ids[1], content: expect.stringContaining("text of b") },
  ]);
});
