// The adapter for every server that speaks OpenAI's chat completions. Made by src/model/create.ts.
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionTool,
} from "openai/resources/chat/completions";
import type { ChatModel, ModelEvent, ModelRequest, ToolSpec } from "../protocol/model.ts";
import { usedCallIds } from "./call-ids.ts";
import { ModelError } from "./error.ts";
import { bodyText, eventData } from "./event-stream.ts";
import { failure, type Server, statusFailure, thrownFailure } from "./failure.ts";
import { createAnswer } from "./openai-answer.ts";
import { toOpenAiMessages } from "./openai-messages.ts";
import { createWatch, type Limits, type Watch } from "./watch.ts";

export interface OpenAiCompatibleOptions extends Server {
  /** Most tokens of one answer; the server's own limit when absent. */
  maxOutputTokens?: number | undefined;
  /** Further request headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Further fields of the request's body, e.g. `{"reasoning_effort": "low"}`. */
  body?: Readonly<Record<string, unknown>> | undefined;
  limits: Limits;
  compat: {
    /** The server knows `stream_options`, which asks for token counts. */
    streamOptions: boolean;
    /** The server wants `max_completion_tokens` instead of `max_tokens`. */
    maxCompletionTokens: boolean;
  };
}

/**
 * A model behind `options.baseUrl`. One request per `stream`, without retries and without following redirects; nothing is
 * sent but what the options and the request say.
 */
export function createOpenAiCompatible(options: OpenAiCompatibleOptions): ChatModel {
  return {
    name: options.model,
    async *stream(request, signal) {
      const watch = createWatch(options.limits, signal);
      const stopped = (): ModelError | undefined => {
        const reason = watch.stopped();
        return reason && failure(options, reason.kind, reason.why);
      };
      try {
        for await (const event of answerEvents(options, request, watch)) {
          const reason = stopped();
          if (reason !== undefined) throw reason;
          yield event;
        }
      } catch (error) {
        throw stopped() ?? thrownFailure(options, error);
      } finally {
        watch.close();
      }
    },
  };
}

async function* answerEvents(
  options: OpenAiCompatibleOptions,
  request: ModelRequest,
  watch: Watch,
): AsyncGenerator<ModelEvent> {
  const answer = createAnswer(options, usedCallIds(request));
  const response = await send(options, toBody(options, request), watch);
  try {
    for await (const chunk of chunks(response, options, watch)) {
      yield* answer.take(chunk);
      if (answer.finished()) watch.settle();
    }
  } catch (error) {
    // A whole answer is one, even when the server then forgets to close or the line drops; not when it reports an error.
    if (!answer.finished() || error instanceof ModelError) throw error;
  }
  yield* answer.end();
}

async function send(
  options: OpenAiCompatibleOptions,
  body: ChatCompletionCreateParamsStreaming,
  watch: Watch,
): Promise<Response> {
  // Imported here and not above: a start that asks no such model must not pay for loading the SDK.
  const { default: OpenAI } = await import("openai");
  let failed: ModelError | undefined;
  const client = new OpenAI({
    baseURL: options.baseUrl,
    // The SDK insists on a key; what is really sent is decided below.
    apiKey: options.apiKey ?? "none",
    maxRetries: 0,
    logLevel: "off",
    // The SDK adds headers from OPENAI_* variables that belong to another server, follows redirects, and loses the words
    // and causes of many failures: so the request gets exactly our headers, and we read what went wrong ourselves.
    fetch: async (url, init) => {
      try {
        const response = await fetch(url, { ...init, headers: toHeaders(options), redirect: "manual" });
        if (response.ok) return response;
        throw statusFailure(options, response.status, await response.text(), response.headers);
      } catch (error) {
        failed = thrownFailure(options, error);
        throw failed;
      }
    },
  });
  watch.listen();
  try {
    return await client.chat.completions.create(body, { signal: watch.signal }).asResponse();
  } catch (error) {
    throw failed ?? error;
  }
}

/** The answer's chunks: events of a stream, or one JSON body from a server that does not stream. */
async function* chunks(response: Response, server: Server, watch: Watch): AsyncGenerator<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (/^text\/html/i.test(type)) {
    const { status } = response;
    throw failure(server, "invalid_response", `answered ${status} with a web page, not a model's answer`, {
      status,
    });
  }
  if (/^application\/json/i.test(type)) {
    let body = "";
    for await (const text of bodyText(response, server, watch)) body += text;
    yield parse(body, server);
    return;
  }
  for await (const data of eventData(response, server, watch)) {
    if (data.startsWith("[DONE]")) return;
    yield parse(data, server);
  }
}

function parse(data: string, server: Server): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw failure(server, "invalid_response", "sent a piece that is not JSON", {
      retryable: true,
      cause: error,
    });
  }
}

function toHeaders(options: OpenAiCompatibleOptions): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: "text/event-stream, application/json",
    "user-agent": "minicode",
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
    ...options.headers,
  };
}

function toBody(
  options: OpenAiCompatibleOptions,
  request: ModelRequest,
): ChatCompletionCreateParamsStreaming {
  const { compat, maxOutputTokens } = options;
  const limit = compat.maxCompletionTokens ? "max_completion_tokens" : "max_tokens";
  return {
    ...options.body,
    model: options.model,
    messages: toOpenAiMessages(request.messages),
    // Servers refuse an empty list.
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toOpenAiTool) }),
    ...(maxOutputTokens === undefined ? {} : { [limit]: maxOutputTokens }),
    ...(compat.streamOptions ? { stream_options: { include_usage: true } } : {}),
    stream: true,
  };
}

function toOpenAiTool({ name, description, parameters }: ToolSpec): ChatCompletionTool {
  return { type: "function", function: { name, description, parameters } };
}
