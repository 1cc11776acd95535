// A server that answers as Ollama does, as far as a test says otherwise; for the adapter's tests.
import { createOllama } from "../../src/model/ollama.ts";
import type { OllamaChatOptions } from "../../src/model/ollama-chat.ts";
import type { ChatModel } from "../../src/protocol/model.ts";
import { type Exchange, event, head, type RawRequest, streamHead } from "../helpers/raw-server.ts";
import { delta, plainCompat, serve } from "./ask.ts";

/** What is answered to a path: lines of an answer, or a status with a body, or an exchange of the test's own. */
type Answer = unknown[] | { status: number; body: unknown } | ((exchange: Exchange) => void | Promise<void>);

const known: Record<string, Answer> = {
  "/api/tags": [{ models: [{ name: "m-1:latest" }, { name: "other:7b" }] }],
  "/api/show": [
    { capabilities: ["completion", "tools"], model_info: { "arch.context_length": 131_072, "arch.x": 1 } },
  ],
  "/api/generate": [{ model: "m-1", response: "", done: true, done_reason: "load" }],
  "/api/ps": [{ models: [{ name: "m-1:latest", context_length: 32_768 }] }],
  "/api/chat": [
    { message: { role: "assistant", content: "hello" }, done: false },
    {
      message: { role: "assistant", content: "" },
      done: true,
      done_reason: "stop",
      prompt_eval_count: 9,
      eval_count: 4,
    },
  ],
};

/** `answers` take the place of the known ones; null is a path that the server does not know. */
export function serveOllama(answers: Record<string, Answer | null> = {}) {
  const all: Record<string, Answer | null> = { ...known, ...answers };
  return serve(async (exchange) => {
    const path = pathOf(exchange.request);
    const answer = path === "/v1/chat/completions" ? compatible : all[path];
    if (typeof answer === "function") return answer(exchange);
    const { status, body } = Array.isArray(answer)
      ? { status: 200, body: answer.map((line) => `${JSON.stringify(line)}\n`).join("") }
      : (answer ?? { status: 404, body: "404 page not found" });
    await exchange.write(head(status, { "content-type": "application/json" }));
    await exchange.write(typeof body === "string" ? body : JSON.stringify(body));
    exchange.end();
  });
}

async function compatible({ write, end }: Exchange): Promise<void> {
  await write(streamHead, event(delta({ content: "compatible" }, "stop")));
  end();
}

export function pathOf({ line }: RawRequest): string {
  return line.split(" ")[1] ?? "";
}

/** The body of the first request to `path`. */
export function sentTo(requests: readonly RawRequest[], path: string): unknown {
  const request = requests.find((one) => pathOf(one) === path);
  return request && JSON.parse(request.body);
}

export function ollamaAt(baseUrl: string, options: Partial<OllamaChatOptions> = {}): ChatModel {
  return createOllama({
    label: "Ollama",
    baseUrl,
    model: "m-1",
    apiKey: undefined,
    contextWindow: 32_768,
    keepAlive: undefined,
    limits: { connectMs: 10_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 10_000 },
    compat: plainCompat,
    ...options,
  });
}
