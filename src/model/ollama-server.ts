// What only Ollama's own endpoints can do: see what is installed and what it can, load a model, see how it was loaded. Used by
// ollama.ts and list-models.ts.
import * as z from "zod";
import { errnoOf } from "../util/errors.ts";
import { ModelError } from "./error.ts";
import { failure } from "./failure.ts";
import { type Asking, askJson } from "./json-call.ts";
import { isSameModel } from "./same-model.ts";

const tagsSchema = z.object({ models: z.array(z.object({ name: z.string() })).nullable() });
const showSchema = z.object({
  capabilities: z.array(z.string()).optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const psSchema = z.object({
  models: z
    .array(z.object({ name: z.string(), context_length: z.number().positive().optional().catch(undefined) }))
    .nullable(),
});

/** What is known of a model; undefined where the server does not say. */
export interface ModelFacts {
  /** Whether it can call tools. */
  tools: boolean | undefined;
  /** Tokens it was made to take in. */
  contextLength: number | undefined;
}

/** How to load a model; what is absent is the server's own choice. */
export interface Loading {
  contextWindow: number | undefined;
  keepAlive: string | undefined;
}

/** A key is wanted by Ollama's cloud and by proxies in front of it. */
export function bearer(apiKey: string | undefined): Record<string, string> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

/** A base URL may name one of the two interfaces. */
export function ollamaRoot(baseUrl: string): string {
  return baseUrl.replace(/\/(v1|api)$/, "");
}

/** The names of the models that are there. */
export async function installedModels(asking: Asking): Promise<string[]> {
  const { models } = await ask(asking, "/api/tags", tagsSchema);
  return (models ?? []).map(({ name }) => name);
}

/** What the model can. Throws a `not_found` that says what is there instead when it is not. */
export async function modelFacts(asking: Asking): Promise<ModelFacts> {
  const { capabilities, model_info: info = {} } = await shown(asking);
  const length = Object.entries(info).find(([name]) => name.endsWith(".context_length"))?.[1];
  return {
    tools: capabilities?.includes("tools"),
    contextLength: typeof length === "number" ? length : undefined,
  };
}

async function shown(asking: Asking): Promise<z.infer<typeof showSchema>> {
  const { model } = asking.server;
  try {
    return await ask(asking, "/api/show", showSchema, { model });
  } catch (error) {
    if (!(error instanceof ModelError) || error.kind !== "not_found") throw error;
    const installed = await installedModels(asking);
    if (!installed.some((name) => isSameModel(name, model))) throw missing(asking, installed);
    // A server that speaks the protocol and does not know this call.
    return {};
  }
}

/** Loads the model, which can take minutes. */
export async function loadModel(asking: Asking, loading: Loading): Promise<void> {
  const { model } = asking.server;
  const body = { model, prompt: "", stream: false, ...loadingFields(loading) };
  await ask(asking, "/api/generate", z.unknown(), body).catch(ignoreUnknownCall);
}

/** The fields of a request that decide how the model is loaded: it is loaded anew for a request in which they differ. */
export function loadingFields({ contextWindow, keepAlive }: Loading): Record<string, unknown> {
  return {
    ...(contextWindow === undefined ? {} : { options: { num_ctx: contextWindow } }),
    ...(keepAlive === undefined ? {} : { keep_alive: keepAlive }),
  };
}

/** Tokens for which the model is loaded; undefined when it is not, or runs elsewhere. */
export async function loadedContext(asking: Asking): Promise<number | undefined> {
  const running = await ask(asking, "/api/ps", psSchema).catch(ignoreUnknownCall);
  return running?.models?.find(({ name }) => isSameModel(name, asking.server.model))?.context_length;
}

async function ask<T>(asking: Asking, path: string, schema: z.ZodType<T>, body?: unknown): Promise<T> {
  const { baseUrl, apiKey } = asking.server;
  try {
    return await askJson(asking, {
      url: `${ollamaRoot(baseUrl)}${path}`,
      schema,
      headers: bearer(apiKey),
      ...(body === undefined ? {} : { body }),
    });
  } catch (error) {
    throw isRefused(error) ? notRunning(error) : error;
  }
}

/** Servers that only speak the protocol do not know every call. What is wrong with the model itself, the chat will say. */
function ignoreUnknownCall(error: unknown): undefined {
  if (error instanceof ModelError && (error.kind === "not_found" || error.kind === "bad_request"))
    return undefined;
  throw error;
}

function missing({ server }: Asking, installed: readonly string[]): ModelError {
  const there = installed.length === 0 ? "nothing is installed" : `installed: ${installed.join(", ")}`;
  return failure(server, "not_found", `has no model ${server.model}; ${there}`, {
    status: 404,
    hint: `Get it with \`ollama pull ${server.model}\`, or choose one that is there.`,
  });
}

function isRefused(error: unknown): error is ModelError {
  if (!(error instanceof ModelError)) return false;
  for (let at = error.cause; at instanceof Error; at = at.cause)
    if (errnoOf(at) === "ECONNREFUSED") return true;
  return false;
}

function notRunning({ kind, message, retryable, cause }: ModelError): ModelError {
  const hint = "Start Ollama with `ollama serve`, or correct the profile's base URL.";
  return new ModelError(kind, message, { retryable, cause, hint });
}
