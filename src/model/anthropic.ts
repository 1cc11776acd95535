// The adapter for Anthropic's Messages API and servers that speak it. Made by src/model/create.ts.
import type { MessageCreateParamsBase } from "@anthropic-ai/sdk/resources/messages/messages";
import type { ChatModel, ModelEvent, ModelRequest } from "../protocol/model.ts";
import { answerValues } from "./answer-body.ts";
import { createAnthropicAnswer } from "./anthropic-answer.ts";
import { type AnthropicRequestOptions, anthropicHeaders, toAnthropicBody } from "./anthropic-request.ts";
import { usedCallIds } from "./call-ids.ts";
import { ModelError } from "./error.ts";
import type { Server } from "./failure.ts";
import { createHttp, type Http } from "./http.ts";
import { requestHeaders } from "./request-headers.ts";
import { throughSdk } from "./sdk.ts";
import type { Limits, Watch } from "./watch.ts";
import { watched } from "./watched.ts";

export interface AnthropicOptions extends Server, AnthropicRequestOptions {
  model: string;
  /** Further request headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  limits: Limits;
}

/**
 * A model behind `options.baseUrl`, with or without "/v1" at its end. One request per `stream`, without retries and without
 * following redirects; nothing is sent but what the options and the request say.
 */
export function createAnthropic(options: AnthropicOptions): ChatModel {
  const http = createHttp(options, options.limits);
  return {
    name: options.model,
    stream: (request, signal) =>
      watched(options, signal, (watch) => answerEvents(options, http, request, watch)),
  };
}

async function* answerEvents(
  options: AnthropicOptions,
  http: Http,
  request: ModelRequest,
  watch: Watch,
): AsyncGenerator<ModelEvent> {
  const answer = createAnthropicAnswer(options, usedCallIds(request));
  const response = await send(options, http, toAnthropicBody(options, request), watch);
  try {
    for await (const value of answerValues(response, options, watch)) {
      yield* answer.take(value);
      if (answer.stopped()) break;
      if (answer.finished()) watch.settle(false);
    }
  } catch (error) {
    // A whole answer is one, even when the server then forgets to close or the line drops; not when it reports an error.
    if (!answer.finished() || error instanceof ModelError) throw error;
  }
  yield* answer.end();
}

async function send(
  options: AnthropicOptions,
  http: Http,
  body: MessageCreateParamsBase,
  watch: Watch,
): Promise<Response> {
  // Imported here and not above: a start that asks no such model must not pay for loading the SDK.
  const { default: Anthropic } = await import("@anthropic-ai/sdk");
  const baseURL = options.baseUrl.replace(/\/v1$/, "");
  return throughSdk(options, http, toHeaders(options), watch, (settings) =>
    // Not `messages.create`: it writes warnings about old models onto the terminal.
    new Anthropic({ ...settings, baseURL })
      .post("/v1/messages", { body, stream: true, signal: watch.signal })
      .asResponse(),
  );
}

function toHeaders({ apiKey, headers }: AnthropicOptions): Record<string, string> {
  const ours = {
    "content-type": "application/json",
    accept: "text/event-stream, application/json",
    ...anthropicHeaders(apiKey),
  };
  return requestHeaders(ours, headers);
}
