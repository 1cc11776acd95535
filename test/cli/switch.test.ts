// One conversation over three protocols: each request is what its server accepts, nothing said before is lost, and the record
// says who answered from where on.
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { chooseProfile, openAgent } from "../../src/app.ts";
import { writeJson } from "../../src/config/write-json.ts";
import { readRecord } from "../../src/record/read.ts";
import type { SessionChoice } from "../../src/record/session.ts";
import { type Exchange, event, head, startRawServer, streamHead } from "../helpers/raw-server.ts";
import { fakeIo } from "./fake-io.ts";

const json = head(200, { "content-type": "application/json" });
const chunk = (delta: object, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta, finish_reason: finish }] });
const toolCall = {
  index: 0,
  id: "call_1",
  type: "function",
  function: { name: "list_dir", arguments: "{}" },
};
const named = (type: string, data: object): string => `event: ${type}\n${event({ type, ...data })}`;

/** Speaks as OpenAI, Anthropic and Ollama; the very first answer calls a tool. */
function answerer(bodies: Record<string, unknown>[]) {
  return async ({ request, write, end }: Exchange): Promise<void> => {
    const [, path = ""] = request.line.split(" ");
    const asked = path.endsWith("/chat/completions") || path.endsWith("/messages") || path === "/api/chat";
    if (asked) bodies.push(JSON.parse(request.body));
    if (path.endsWith("/chat/completions") && bodies.length === 1) {
      await write(streamHead, chunk({ role: "assistant", tool_calls: [toolCall] }), chunk({}, "tool_calls"));
      await write(event("[DONE]"));
    } else if (path.endsWith("/chat/completions")) {
      await write(streamHead, chunk({ role: "assistant", content: "from openai" }), chunk({}, "stop"));
      await write(event("[DONE]"));
    } else if (path.endsWith("/messages")) {
      const usage = { input_tokens: 5, output_tokens: 2 };
      const message = { id: "m", type: "message", role: "assistant", content: [], model: "c", usage };
      await write(
        streamHead,
        named("message_start", { message }),
        named("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
        named("content_block_delta", { index: 0, delta: { type: "text_delta", text: "from anthropic" } }),
        named("content_block_stop", { index: 0 }),
        named("message_delta", { delta: { stop_reason: "end_turn" }, usage }),
        named("message_stop", {}),
      );
    } else if (path === "/api/chat") {
      const line = {
        model: "l",
        message: { role: "assistant", content: "from ollama" },
        done: true,
        done_reason: "stop",
      };
      await write(head(200, { "content-type": "application/x-ndjson" }), `${JSON.stringify(line)}\n`);
    } else if (path === "/api/show") {
      await write(
        json,
        JSON.stringify({ capabilities: ["tools"], model_info: { "llama.context_length": 131_072 } }),
      );
    } else if (path === "/api/ps") {
      await write(json, JSON.stringify({ models: [{ name: "l:latest", context_length: 32_768 }] }));
    } else await write(json, "{}");
    end();
  };
}

const blocks = z.array(z.object({ type: z.string() }));
const bodySchema = z.object({
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.union([z.string(), blocks]).nullish(),
      tool_calls: z.unknown().optional(),
    }),
  ),
});

/** "user:text", "assistant:calls", "tool": who speaks, and in what form. */
function shapeOf({ role, content, tool_calls }: z.infer<typeof bodySchema>["messages"][number]): string {
  if (Array.isArray(content)) return `${role}:${content.map(({ type }) => type).join("+")}`;
  return tool_calls === undefined ? role : `${role}:calls`;
}

it("openai, anthropic, ollama and back", async () => {
  const bodies: Record<string, unknown>[] = [];
  const server = await startRawServer(answerer(bodies));
  onTestFinished(() => server.close());
  const t = fakeIo({ "a.txt": "hello\n" });
  const origin = server.url.replace("/v1", "");
  for (const profile of [
    { id: "o", provider: "openai-compatible", baseUrl: server.url, model: "g" },
    { id: "a", provider: "anthropic", baseUrl: origin, model: "c" },
    { id: "l", provider: "ollama", baseUrl: origin, model: "l", contextWindow: 32_768 },
  ])
    await writeJson(
      join(t.config, "profiles", `${profile.id}.json`),
      { label: profile.id, ...profile },
      "E_X",
    );

  let session: SessionChoice = { kind: "new" };
  const answers: string[] = [];
  for (const [profile, text] of [
    ["o", "one"],
    ["a", "two"],
    ["l", "three"],
    ["o", "four"],
  ]) {
    const agent = await openAgent({
      workspace: t.workspace,
      mode: "read",
      guided: false,
      trusted: true,
      chosen: await chooseProfile({ profile }, t.io.env),
      session,
      gate: { ask: async () => ({ verdict: "reject", by: "user" }) },
      emit: (e) => {
        if (e.type === "answer") answers.push(e.text);
      },
      env: t.io.env,
      version: "0.0.0",
    });
    expect(await agent.run(text ?? "", new AbortController().signal)).toMatchObject({ end: "answered" });
    session = { kind: "resume", id: agent.session };
    await agent.close();
  }

  expect(answers).toEqual(["from openai", "from anthropic", "from ollama", "from openai"]);
  const shapes = bodies.map((body) => bodySchema.parse(body).messages.map(shapeOf));
  const first = ["system", "user", "assistant:calls", "tool", "assistant"];
  expect(shapes).toEqual([
    first.slice(0, 2),
    first.slice(0, 4),
    ["user:text", "assistant:tool_use", "user:tool_result", "assistant:text", "user:text"],
    [...first, "user", "assistant", "user"],
    [...first, "user", "assistant", "user", "assistant", "user"],
  ]);
  const id = session.kind === "resume" ? session.id : "";
  const { entries } = await readRecord(join(t.sessions, id));
  expect(
    entries.flatMap(({ body }) => (body.type === "model" ? [`${body.profile}:${body.model}`] : [])),
  ).toEqual(["a:c", "l:l", "o:g"]);
});
