// The adapter for every server that speaks OpenAI's chat completions. Made by src/model/create.ts.
import type { ChatCompletionCreateParams } from "openai/resources/chat/completions";
import type { ChatModel, ModelEvent, ModelRequest } from "../protocol/model.ts";
import { answerValues } from "./answer-body.ts";
import { usedCallIds } from "./call-ids.ts";
import { ModelError } from "./error.ts";
import type { Server } from "./failure.ts";
import { createHttp, type Http } from "./http.ts";
import { createAnswer } from "./openai-answer.ts";
import { type OpenAiRequestOptions, toOpenAiBody } from "./openai-request.ts";
import { requestHeaders } from "./request-headers.ts";
import { throughSdk } from "./sdk.ts";
import type { Limits, Watch } from "./watch.ts";
import { watched } from "./watched.ts";

export interface OpenAiCompatibleOptions extends Server, OpenAiRequestOptions {
  compat: OpenAiRequestOptions["compat"] & {
    /** The text begins within the thinking. */
    thinkingOpen: boolean;
  };
  model: string;
  /** Further request headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  limits: Limits;
}

/** What is remembered of the server from answer to answer. */
interface Habits {
  /** The last answer ended with `[DONE]` and without a word why. */
  endsUnsaid: boolean;
}

/**
 * A model behind `options.baseUrl`. One request per `stream`, without retries and without following redirects; nothing is
 * sent but what the options and the request say. An answer that ends with `[DONE]` but without a finish reason is an `incomplete`
 * one, which is asked for again: a proxy may have covered up that the line broke. The second one running is taken as it is: then
 * the server never gives a reason.
 */
export function createOpenAiCompatible(options: OpenAiCompatibleOptions): ChatModel {
  const http = createHttp(options, options.limits);
  const habits: Habits = { endsUnsaid: false };
  return {
    name: options.model,
    stream: (request, signal) =>
      watched(options, signal, (watch) => answerEvents(options, http, habits, request, watch)),
  };
}

async function* answerEvents(
  options: OpenAiCompatibleOptions,
  http: Http,
  habits: Habits,
  request: ModelRequest,
  watch: Watch,
): AsyncGenerator<ModelEvent> {
  const answer = createAnswer(options, usedCallIds(request), options.compat.thinkingOpen);
  let done = false;
  const onDone = (): void => {
    done = true;
  };
  const response = await send(options, http, toOpenAiBody(options, request), watch);
  try {
    for await (const chunk of answerValues(response, options, watch, onDone)) {
      yield* answer.take(chunk);
      if (answer.finished()) watch.settle(answer.moving());
    }
  } catch (error) {
    // A whole answer is one, even when the server then forgets to close or the line drops; not when it reports an error.
    if (!answer.finished() || error instanceof ModelError) throw error;
  }
  const unsaid = done && !answer.finished();
  const isHabit = unsaid && habits.endsUnsaid;
  habits.endsUnsaid = unsaid;
  yield* answer.end(isHabit);
}

async function send(
  options: OpenAiCompatibleOptions,
  http: Http,
  body: ChatCompletionCreateParams,
  watch: Watch,
): Promise<Response> {
  // Imported here and not above: a start that asks no such model must not pay for loading the SDK.
  const { default: OpenAI } = await import("openai");
  return throughSdk(options, http, toHeaders(options), watch, (settings) =>
    new OpenAI({ ...settings, baseURL: options.baseUrl }).chat.completions
      .create(body, { signal: watch.signal })
      .asResponse(),
  );
}

function toHeaders({ apiKey, headers, compat }: OpenAiCompatibleOptions): Record<string, string> {
  const ours = {
    "content-type": "application/json",
    accept: compat.streaming ? "text/event-stream, application/json" : "application/json",
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  return requestHeaders(ours, headers);
}
