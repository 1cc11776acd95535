// One question to a server's JSON endpoint, and of its answer what we read. Used by list-models.ts and ollama-server.ts.
import type * as z from "zod";
import { bodyText } from "./event-stream.ts";
import { failure, type Server, thrownFailure } from "./failure.ts";
import type { Http } from "./http.ts";
import { requestHeaders } from "./request-headers.ts";
import { createWatch, type Limits, type Watch } from "./watch.ts";

/** More than any list of models is long. */
const maxBody = 8 * 1024 * 1024;

/** Whom to ask, and under whose watch. */
export interface Asking {
  server: Server & { headers?: Readonly<Record<string, string>> | undefined };
  http: Http;
  watch: Watch;
}

interface JsonCall<T> {
  url: string;
  schema: z.ZodType<T>;
  /** How the key is shown, and what else this protocol wants. */
  headers: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  body?: unknown;
}

/** The answer as `schema` reads it. Throws a `ModelError`, or what the watch's signal makes of a request. */
export async function askJson<T>(
  { server, http, watch }: Asking,
  { url, schema, headers, body }: JsonCall<T>,
): Promise<T> {
  watch.listen();
  const response = await http.send(url, {
    headers: requestHeaders(
      {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      server.headers,
    ),
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    signal: watch.signal,
  });
  watch.rest();
  let text = "";
  for await (const piece of bodyText(response, server, watch)) {
    text += piece;
    if (text.length > maxBody) throw failure(server, "invalid_response", "answered with far too much");
  }
  watch.rest();
  const parsed = schema.safeParse(asJson(text));
  if (parsed.success) return parsed.data;
  throw failure(server, "invalid_response", `answered ${new URL(url).pathname} with something else: ${text}`);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What `work` gives, under a watch of its own. Throws a `ModelError` and nothing else; stops at once when `signal` aborts. */
export async function underWatch<T>(
  server: Server & { limits: Limits },
  signal: AbortSignal,
  work: (watch: Watch) => Promise<T>,
): Promise<T> {
  const watch = createWatch(server.limits, signal);
  try {
    return await work(watch);
  } catch (error) {
    const stopped = watch.stopped();
    throw stopped ? failure(server, stopped.kind, stopped.why) : thrownFailure(server, error);
  } finally {
    watch.close();
  }
}
