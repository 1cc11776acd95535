import { expect, it } from "vitest";
import { taskWith } from "../agent/task-with.ts";
import { event, streamHead } from "../helpers/raw-server.ts";
import { callDelta, delta, modelAt, serve } from "../model/ask.ts";

/** A task whose model makes this one call, and then answers two messages. */
async function taskWithCall(called: object) {
  const replies = [
    [streamHead, event(callDelta({ index: 0, id: "c1", function: called })), event(delta({}, "tool_calls"))],
    [streamHead, event(delta({ content: "Done." }, "stop"))],
  ];
  let n = 0;
  const server = await serve(async ({ write, end }) => {
    await write(...(replies[n++] ?? replies.at(-1) ?? []), event("[DONE]"));
    end();
  });
  const t = await taskWith({ model: modelAt(server.url), files: { a: "x\n" } });
  expect(await t.run("Go.")).toMatchObject({ end: "answered" });
  expect(await t.run("And now?")).toMatchObject({ end: "answered" });
  const results = t.events.flatMap((e) => (e.type === "call-ended" ? [e] : []));
  return { server, result: results[0], results };
}

/** The arguments of the one call in each request that has it. */
function argumentsSent(bodies: readonly { body: string }[]): string[] {
  return bodies.flatMap(({ body }) => {
    const { messages }: { messages: { tool_calls?: { function: { arguments: string } }[] }[] } =
      JSON.parse(body);
    return messages.flatMap((message) => message.tool_calls ?? []).map((call) => call.function.arguments);
  });
}

it.each([
  ["(a) empty arguments", { name: "list_dir", arguments: "" }],
  ["(b) arguments that are never sent", { name: "list_dir" }],
  ["arguments that are null", { name: "list_dir", arguments: null }],
  ["arguments of blanks", { name: "list_dir", arguments: " \n" }],
])("S02: %s are {} for a tool that needs none", async (_, called) => {
  const { server, result, results } = await taskWithCall(called);
  expect(results).toHaveLength(1);
  expect(result).toMatchObject({ callId: "c1", outcome: "ok", content: expect.stringContaining("a") });
  expect(argumentsSent(server.requests)).toEqual(["{}", "{}"]);
});

it.each([
  ["(c) empty arguments", "", /"path" is missing/],
  ["(d) broken arguments", '{"path": ', /not valid JSON.*You sent: \{"path": /],
  ["no object", '["a"]', /one JSON object/],
  ["half a string in a string", '"{\\"path\\": "', /not valid JSON/],
])("S02: %s of a tool that needs some: not run, and the model reads why", async (_, json, why) => {
  const { server, result, results } = await taskWithCall({ name: "read_file", arguments: json });
  expect(results).toHaveLength(1);
  expect(result).toMatchObject({ callId: "c1", outcome: "invalid", content: expect.stringMatching(why) });
  expect(server.requests[1]?.body).toContain('"tool_call_id":"c1"');
  expect(argumentsSent(server.requests)).toEqual(["{}", "{}"]);
});

it.each([
  ["JSON in a string", JSON.stringify('{"path":"a"}')],
  ["JSON in a fence", '```json\n{"path":"a"}\n```'],
])("S02: %s is run, and stands in the conversation as what was run", async (_, json) => {
  const { server, result } = await taskWithCall({ name: "read_file", arguments: json });
  expect(result).toMatchObject({ outcome: "ok" });
  expect(argumentsSent(server.requests)).toEqual(['{"path":"a"}', '{"path":"a"}']);
});
