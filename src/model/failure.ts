// Turns what went wrong with a server into a ModelError the user can act on. Used by the HTTP adapters.
import { messageOf } from "../util/errors.ts";
import { ConnectTimeout, ProxyRefusal } from "./connect-error.ts";
import { ModelError, type ModelErrorKind, type ModelErrorOptions } from "./error.ts";
import {
  httpStatus,
  kindOfCode,
  kindOfStatus,
  property,
  readErrorBody,
  readErrorValue,
} from "./error-body.ts";
import { shownLine, withoutKey } from "./error-text.ts";
import type { HttpProxy } from "./proxy.ts";
import { longestWaitMs } from "./retry.ts";
import { retryAfter } from "./retry-after.ts";

/** What a failure may say about the server, and the key it must never say. */
export interface Server {
  /** The profile's label. */
  label: string;
  baseUrl: string;
  model: string;
  apiKey: string | undefined;
  /** The variable the key came from, for advice. */
  apiKeyEnv?: string | undefined;
}

/** `what` continues a sentence that begins with the server's label; it may hold text from the server. */
export function failure(
  server: Server,
  kind: ModelErrorKind,
  what: string,
  options: ModelErrorOptions = {},
): ModelError {
  const { hint = advice(server, kind, options.retryAfterMs), ...rest } = options;
  const message = shownLine(`${server.label} ${what}`, server.apiKey);
  return new ModelError(kind, message, { ...rest, hint: withoutKey(hint, server.apiKey) });
}

/** A response that is no success: status, raw body and headers as they came. */
export function statusFailure(server: Server, status: number, body: string, headers: Headers): ModelError {
  if (status >= 300 && status < 400) {
    // Without what follows the path: it may hold a key.
    const target = headers.get("location")?.replace(/[?#].*$/, "") ?? "an unnamed place";
    return failure(
      server,
      "bad_request",
      `answered ${status}, a redirect to ${target}; redirects are not followed`,
      {
        status,
        hint: "Set the profile's base URL to where the server really is.",
      },
    );
  }
  const { code, detail } = readErrorBody(body, server.apiKey);
  // A request that is too large stays too large, whatever limit the server names.
  const kind = status === 413 ? "context_length" : (kindOfCode(code, detail) ?? kindOfStatus(status));
  const retryAfterMs = retryAfter(headers, body, Date.now());
  const late = retryAfterMs !== undefined && retryAfterMs > longestWaitMs;
  const again = late ? `, free again at ${resetTime(retryAfterMs)}` : "";
  return failure(server, kind, `answered ${status}${again}${detail === "" ? "" : `: ${detail}`}`, {
    status,
    retryAfterMs,
  });
}

/** An error object that a server sent inside an answer it had begun with 200. */
export function reportedFailure(server: Server, reported: unknown): ModelError {
  const { code, detail } = readErrorValue(reported);
  const status = httpStatus(code);
  const vague = /invalid_request/i.test(code) ? "bad_request" : "server";
  const kind = kindOfCode(code, detail) ?? (status === undefined ? vague : kindOfStatus(status));
  return failure(server, kind, `reported an error: ${detail === "" ? "it gives no reason" : detail}`, {
    status,
  });
}

/** Whatever else was thrown while asking or listening: in practice the network's errors. `proxy` is the one on the way. */
export function thrownFailure(server: Server, thrown: unknown, proxy?: HttpProxy): ModelError {
  const chain = causes(thrown);
  const known = chain.find((error) => error instanceof ModelError);
  if (known !== undefined) return known;
  const via = proxy?.origin === undefined ? "" : ` through the proxy ${proxy.origin}`;
  for (const error of chain) {
    if (error instanceof ConnectTimeout) {
      return failure(server, "timeout", `cannot be reached${via}: ${error.message}`, {
        cause: thrown,
        hint: networkAdvice(server, proxy),
      });
    }
    if (error instanceof ProxyRefusal) return refusedByProxy(server, error, via, proxy);
  }
  const code = chain.map(errorCode).find((found) => found !== undefined);
  const detail = code ?? messageOf(chain.at(-1));
  if (code !== undefined && /TIMEOUT|ETIMEDOUT/.test(code)) {
    return failure(server, "timeout", `did not answer in time${via} (${detail})`, { cause: thrown });
  }
  if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return failure(server, "network", `has a certificate that cannot be trusted${via} (${detail})`, {
      cause: thrown,
      retryable: false,
      hint: "Check the server's certificate; NODE_EXTRA_CA_CERTS names further authorities.",
    });
  }
  return failure(server, "network", `cannot be reached${via}, or the connection broke (${detail})`, {
    cause: thrown,
    hint: networkAdvice(server, proxy),
  });
}

function refusedByProxy(
  server: Server,
  refusal: ProxyRefusal,
  via: string,
  proxy: HttpProxy | undefined,
): ModelError {
  const named = proxy?.variable ?? "the proxy's variable";
  return failure(server, "network", `cannot be reached${via}: the proxy answered ${refusal.message}`, {
    status: refusal.status,
    retryable: refusal.status >= 500,
    hint:
      refusal.status === 407
        ? `Put the proxy's user name and password into ${named}: http://user:password@host:port`
        : networkAdvice(server, proxy),
  });
}

function networkAdvice({ baseUrl }: Server, proxy: HttpProxy | undefined): string {
  return proxy === undefined
    ? `Check the network and the base URL (${baseUrl}), then try again.`
    : `Check the proxy in ${proxy.variable}, or name the server's host in NO_PROXY.`;
}

function advice(server: Server, kind: ModelErrorKind, retryAfterMs: number | undefined): string {
  switch (kind) {
    case "auth":
      return server.apiKey === undefined
        ? `The server wants a key: export ${server.apiKeyEnv ?? "one and name its variable as apiKeyEnv in the profile"}.`
        : `Check the key${server.apiKeyEnv === undefined ? "" : ` in ${server.apiKeyEnv}`} and what it may use.`;
    case "payment":
      return "Top up the account, or choose another profile with --profile.";
    case "not_found":
      return `Check the base URL (${server.baseUrl}) and the model's name (${server.model}).`;
    case "context_length":
      return "Start a new session, or choose a model with a larger context.";
    case "rate_limit":
      return `${waitUntil(retryAfterMs)} or choose another profile with --profile.`;
    case "network":
      return networkAdvice(server, undefined);
    case "timeout":
      return "Try again; a slow server needs higher limits in its profile.";
    case "bad_request":
      return "The server will not take this request as it is; its profile may need a compat switch.";
    case "invalid_response":
      return `Check that the base URL (${server.baseUrl}) is that of the API that the profile speaks.`;
    case "filtered":
      return "Say it in other words, or choose another model.";
    case "server":
    case "incomplete":
    case "cancelled":
      return "Try again.";
  }
}

function waitUntil(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return "Wait a while,";
  if (retryAfterMs <= longestWaitMs) return `Wait ${Math.ceil(retryAfterMs / 1000)} s,`;
  return `Wait until ${resetTime(retryAfterMs)},`;
}

/** The last moment that a Date can name, in milliseconds since 1970. */
const endOfTime = 8.64e15;

/** The minute that comes after so many milliseconds. */
function resetTime(ms: number): string {
  const at = new Date(Math.min(endOfTime, Date.now() + ms + 59_999));
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** An error and what caused it, outermost first. */
function causes(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let at = thrown; at !== undefined && !chain.includes(at); at = property(at, "cause")) chain.push(at);
  return chain;
}

function errorCode(error: unknown): string | undefined {
  const code = property(error, "code");
  return typeof code === "string" ? code : undefined;
}
