// The adapter for Ollama's own chat endpoint. Made by ollama.ts for profiles that say how much context they want.
import * as z from "zod";
import type { ChatModel, ModelEvent, ModelRequest } from "../protocol/model.ts";
import { usedCallIds } from "./call-ids.ts";
import { ModelError } from "./error.ts";
import { bodyText } from "./event-stream.ts";
import { failure, type Server } from "./failure.ts";
import type { Http } from "./http.ts";
import { type OllamaRequestOptions, toOllamaBody } from "./ollama-request.ts";
import { bearer, ollamaRoot } from "./ollama-server.ts";
import { createAnswer } from "./openai-answer.ts";
import { requestHeaders } from "./request-headers.ts";
import type { Limits, Watch } from "./watch.ts";
import { watched } from "./watched.ts";

export interface OllamaChatOptions extends Server, OllamaRequestOptions {
  compat: OllamaRequestOptions["compat"] & {
    /** The text begins within the thinking. */
    thinkingOpen: boolean;
  };
  model: string;
  /** Further request headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  limits: Limits;
}

/** A model behind `options.baseUrl`. One request per `stream`, without retries and without following redirects. */
export function createOllamaChat(options: OllamaChatOptions, http: Http): ChatModel {
  return {
    name: options.model,
    stream: (request, signal) =>
      watched(options, signal, (watch) => answerEvents(options, http, request, watch)),
  };
}

async function* answerEvents(
  options: OllamaChatOptions,
  http: Http,
  request: ModelRequest,
  watch: Watch,
): AsyncGenerator<ModelEvent> {
  const answer = createAnswer(options, usedCallIds(request), options.compat.thinkingOpen);
  const toChunk = createChunks();
  watch.listen();
  const response = await http.send(`${ollamaRoot(options.baseUrl)}/api/chat`, {
    method: "POST",
    headers: requestHeaders(
      {
        "content-type": "application/json",
        accept: "application/x-ndjson, application/json",
        ...bearer(options.apiKey),
      },
      options.headers,
    ),
    body: JSON.stringify(toOllamaBody(options, request)),
    signal: watch.signal,
  });
  try {
    for await (const line of lines(bodyText(response, options, watch))) {
      yield* answer.take(toChunk(parsed(line, options)));
      if (answer.finished()) watch.settle(answer.moving());
    }
  } catch (error) {
    // A whole answer is one, even when the line drops then; not when the server reports an error.
    if (!answer.finished() || error instanceof ModelError) throw error;
  }
  yield* answer.end(false);
}

/** The lines that are not blank; the last one need not have an end. */
async function* lines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of texts) {
    const found = (rest + text).split("\n");
    rest = found.pop() ?? "";
    yield* found.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}

const text = z.string().nullish().catch(null);
const count = z.number().nonnegative().nullish().catch(null);
const lineSchema = z.object({
  message: z
    .object({
      content: text,
      thinking: text,
      tool_calls: z
        .array(z.object({ id: text, function: z.object({ name: text, arguments: z.unknown().optional() }) }))
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
  done: z.boolean().nullish().catch(null),
  done_reason: text,
  prompt_eval_count: count,
  eval_count: count,
  error: z.unknown().optional(),
});

function parsed(line: string, server: Server): z.infer<typeof lineSchema> {
  try {
    return lineSchema.parse(JSON.parse(line));
  } catch (error) {
    const what = `sent a line that is no part of an answer: ${line}`;
    throw failure(server, "invalid_response", what, { retryable: true, cause: error });
  }
}

/** Makes of each line the chunk that the compatible endpoint would send: so both are read by the same code. */
function createChunks(): (line: z.infer<typeof lineSchema>) => unknown {
  let calls = 0;
  return ({ message, done, done_reason, prompt_eval_count, eval_count, error }) => ({
    choices: [
      {
        delta: {
          content: message?.content,
          reasoning: message?.thinking,
          // Every call is whole, so none continues another.
          tool_calls: message?.tool_calls?.map((call) => ({ ...call, index: calls++ })),
        },
        finish_reason: done === true ? done_reason || "stop" : null,
      },
    ],
    usage: { prompt_tokens: prompt_eval_count, completion_tokens: eval_count },
    error,
  });
}
