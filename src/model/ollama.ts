// The adapter for Ollama: its OpenAI-compatible endpoint, and its own where that one falls short. Made by src/model/create.ts.
//
// The compatible endpoint has no field for the context length. It loads the model with the server's default, 4,096 tokens on most
// machines, loads it anew when it was loaded with more, and silently cuts off the beginning of what does not fit: there the
// instructions are. So where a profile says how much context it wants, the chat goes through Ollama's own endpoint, where
// every request can say it, too, and can have what does not fit refused.
import type { ChatModel } from "../protocol/model.ts";
import { failure, type Server } from "./failure.ts";
import { createHttp, type Http } from "./http.ts";
import { type Asking, underWatch } from "./json-call.ts";
import { createOllamaChat, type OllamaChatOptions } from "./ollama-chat.ts";
import { loadedContext, loadModel, type ModelFacts, modelFacts, ollamaRoot } from "./ollama-server.ts";
import { createOpenAiCompatible } from "./openai-compatible.ts";

/** The least that a task fits in, as tokens. */
const leastContext = 16_384;

/**
 * A model behind `options.baseUrl`, with or without "/v1" or "/api" at its end. Before its first answer it is loaded and looked at:
 * one that is not installed, cannot call tools, or has less context than is wanted is a `ModelError` that says what to do.
 */
export function createOllama(options: OllamaChatOptions): ChatModel {
  const http = createHttp(options, options.limits);
  const chat =
    options.contextWindow === undefined
      ? createOpenAiCompatible({ ...options, baseUrl: `${ollamaRoot(options.baseUrl)}/v1` })
      : createOllamaChat(options, http);
  let facts: ModelFacts | undefined;
  return {
    name: options.model,
    async *stream(request, signal) {
      facts ??= await loadedModel(options, http, signal);
      if (request.tools.length > 0 && facts.tools === false) throw withoutTools(options);
      yield* chat.stream(request, signal);
    },
  };
}

async function loadedModel(options: OllamaChatOptions, http: Http, signal: AbortSignal): Promise<ModelFacts> {
  const { model, contextWindow } = options;
  // Each under a watch of its own: a model may take as long to load as an answer may take to begin.
  const ask = <T>(question: (asking: Asking) => Promise<T>): Promise<T> =>
    underWatch(options, signal, (watch) => question({ server: options, http, watch }));
  const wanted = contextWindow ?? leastContext;
  const facts = await ask(modelFacts);
  if (facts.contextLength !== undefined && facts.contextLength < wanted) {
    const most = facts.contextLength;
    throw failure(options, "context_length", `has ${model} with at most ${most} tokens of context`, {
      hint: `Choose another model, or set contextWindow in the profile to ${most} or less.`,
    });
  }
  await ask((asking) => loadModel(asking, options));
  const loaded = await ask(loadedContext);
  if (loaded !== undefined && loaded < wanted) {
    throw failure(options, "context_length", `loads ${model} with only ${loaded} tokens of context`, {
      hint:
        contextWindow === undefined
          ? "Set contextWindow in the profile, 32768 for example, or start Ollama with OLLAMA_CONTEXT_LENGTH=32768."
          : `Set contextWindow in the profile to ${loaded} or less, or make room in memory for more.`,
    });
  }
  return facts;
}

function withoutTools(server: Server) {
  return failure(server, "bad_request", `has ${server.model}, which cannot call tools`, {
    hint: "Choose a model with tools: `ollama show NAME` says what a model can.",
  });
}
