// The models a server offers. Used by `minicode models`, `doctor` and set-up.
import * as z from "zod";
import { anthropicHeaders } from "./anthropic-request.ts";
import type { Server } from "./failure.ts";
import { createHttp } from "./http.ts";
import { type Asking, askJson, underWatch } from "./json-call.ts";
import { bearer, installedModels } from "./ollama-server.ts";
import type { Limits } from "./watch.ts";

interface ListSettings extends Server {
  provider: "openai-compatible" | "anthropic" | "ollama";
  /** Further request headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  limits: Limits;
}

export interface OfferedModel {
  id: string;
  /** Tokens it can take in, where the server says so. */
  contextWindow?: number;
}

/** A server with more pages than this goes round in circles. */
const maxPages = 50;

const count = z.number().positive().nullish().catch(null);
const openAiModelSchema = z.object({
  id: z.string(),
  context_length: count,
  context_window: count,
  max_context_length: count,
  max_model_len: count,
});
/** Together gives the list as it is. */
const openAiSchema = z.union([
  z.object({ data: z.array(openAiModelSchema) }).transform(({ data }) => data),
  z.array(openAiModelSchema),
]);
const anthropicSchema = z.object({
  data: z.array(z.object({ id: z.string(), max_input_tokens: count })),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
});

/**
 * The models that can be asked for, sorted by id, each once. Throws a `ModelError` and nothing else; stops at once when `signal`
 * aborts.
 */
export async function listModels(settings: ListSettings, signal: AbortSignal): Promise<OfferedModel[]> {
  const http = createHttp(settings, settings.limits);
  const models = await underWatch(settings, signal, (watch) =>
    offeredBy(settings.provider, { server: settings, http, watch }),
  );
  const byId = new Map(models.map((model) => [model.id, model]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function offeredBy(provider: ListSettings["provider"], asking: Asking): Promise<OfferedModel[]> {
  switch (provider) {
    case "openai-compatible":
      return offeredByOpenAi(asking);
    case "anthropic":
      return offeredByAnthropic(asking);
    case "ollama":
      return (await installedModels(asking)).map((id) => ({ id }));
  }
}

async function offeredByOpenAi(asking: Asking): Promise<OfferedModel[]> {
  const { baseUrl, apiKey } = asking.server;
  const models = await askJson(asking, {
    url: `${baseUrl}/models`,
    schema: openAiSchema,
    headers: bearer(apiKey),
  });
  return models.map(({ id, context_length, context_window, max_context_length, max_model_len }) =>
    offered(id, context_length ?? context_window ?? max_context_length ?? max_model_len),
  );
}

async function offeredByAnthropic(asking: Asking): Promise<OfferedModel[]> {
  const { baseUrl, apiKey } = asking.server;
  const url = `${baseUrl.replace(/\/v1$/, "")}/v1/models?limit=1000`;
  const headers = anthropicHeaders(apiKey);
  const found: OfferedModel[] = [];
  let after = "";
  for (let page = 0; page < maxPages; page++) {
    const { data, has_more, last_id } = await askJson(asking, {
      url: `${url}${after}`,
      schema: anthropicSchema,
      headers,
    });
    found.push(...data.map(({ id, max_input_tokens }) => offered(id, max_input_tokens)));
    if (!has_more || !last_id) break;
    after = `&after_id=${encodeURIComponent(last_id)}`;
  }
  return found;
}

function offered(id: string, contextWindow: number | null | undefined): OfferedModel {
  return typeof contextWindow === "number" ? { id, contextWindow } : { id };
}
