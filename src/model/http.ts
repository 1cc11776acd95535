// Requests to a model's server: time to connect, proxies, refusals. Every HTTP adapter sends through this and nothing else.
import type { openSend, PlainRequest, Way } from "./connection.ts";
import { failure, type Server, statusFailure, thrownFailure } from "./failure.ts";
import { type HttpProxy, proxyFor } from "./proxy.ts";
import type { Limits } from "./watch.ts";

const maxRefusal = 64 * 1024;

export interface Http {
  /**
   * Sends one request and gives its response when that is a success; the body is still to be read. Everything else is thrown as
   * a `ModelError`: a refusal, a redirect, no connection in time, the network, the proxy. Can be given to an SDK as its `fetch`;
   * of a `Request` only the address counts.
   */
  send(url: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/**
 * Requests to `server`, over connections that are kept alive between them. `env` names the proxy: HTTPS_PROXY, HTTP_PROXY and
 * NO_PROXY, in capitals or not. Nothing is loaded before the first request.
 */
export function createHttp(
  server: Server,
  limits: Pick<Limits, "connectMs">,
  env: NodeJS.ProcessEnv = process.env,
): Http {
  const proxy = proxyFor(server.baseUrl, env);
  let opened: Promise<ReturnType<typeof openSend>> | undefined;
  return {
    async send(url, init = {}) {
      const way = usable(server, proxy);
      opened ??= import("./connection.ts").then(({ openSend }) => openSend(way, limits.connectMs));
      const send = await opened;
      try {
        const response = await send(url instanceof Request ? url.url : String(url), plain(init));
        if (response.ok) return response;
        throw statusFailure(server, response.status, await beginning(response), response.headers);
      } catch (error) {
        throw thrownFailure(server, error, proxy);
      }
    },
  };
}

/** As much of a refusal as can say why: pages have no end sometimes. */
async function beginning(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > maxRefusal) break;
  }
  return text;
}

function plain({ method = "GET", headers, body = null, signal = null }: RequestInit): PlainRequest {
  if (body !== null && typeof body !== "string") throw new TypeError("only text is sent to a model");
  return { method, headers: Object.fromEntries(new Headers(headers)), body, signal };
}

/** The proxy, unless its variable holds something else. */
function usable(server: Server, proxy: HttpProxy | undefined): Way | undefined {
  if (proxy === undefined) return undefined;
  const { origin, authorization, variable } = proxy;
  if (origin !== undefined) return { origin, authorization };
  throw failure(server, "network", `was not asked: ${variable} is not the address of an HTTP proxy`, {
    retryable: false,
    hint: `Set ${variable} to http://host:port, or name the server's host in NO_PROXY.`,
  });
}
