// Turns what went wrong with a server into a ModelError the user can act on. Used by the HTTP adapters.
import { messageOf } from "../util/errors.ts";
import { ModelError, type ModelErrorKind, type ModelErrorOptions } from "./error.ts";

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

/** Longest message in characters: one line of a terminal, or two. */
const maxMessage = 200;
/** As much of an error page as is looked at. */
const maxBody = 20_000;

/** `what` continues a sentence that begins with the server's label; it may hold text from the server. */
export function failure(
  server: Server,
  kind: ModelErrorKind,
  what: string,
  options: ModelErrorOptions = {},
): ModelError {
  const message = clip(oneLine(`${server.label} ${what}`, server.apiKey));
  return new ModelError(kind, message, { hint: advice(server, kind, options.retryAfterMs), ...options });
}

/** A response that is no success: status, raw body and headers as they came. */
export function statusFailure(server: Server, status: number, body: string, headers: Headers): ModelError {
  if (status >= 300 && status < 400) {
    const target = headers.get("location") ?? "an unnamed place";
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
  const kind = kindOfCode(code, detail) ?? kindOfStatus(status);
  return failure(server, kind, `answered ${status}${detail === "" ? "" : `: ${detail}`}`, {
    status,
    retryAfterMs: retryAfter(headers),
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

/** Whatever else was thrown while asking or listening: in practice the network's errors. */
export function thrownFailure(server: Server, thrown: unknown): ModelError {
  if (thrown instanceof ModelError) return thrown;
  const chain = causes(thrown);
  const code = chain.map(errorCode).find((found) => found !== undefined);
  const root = chain.at(-1);
  const detail = code ?? messageOf(root);
  if (code !== undefined && /TIMEOUT|ETIMEDOUT/.test(code)) {
    return failure(server, "timeout", `did not answer in time (${detail})`, { cause: thrown });
  }
  if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    const hint = "Check the server's certificate; NODE_EXTRA_CA_CERTS names further authorities.";
    return failure(server, "network", `has a certificate that cannot be trusted (${detail})`, {
      cause: thrown,
      retryable: false,
      hint,
    });
  }
  return failure(server, "network", `cannot be reached, or the connection broke (${detail})`, {
    cause: thrown,
  });
}

function kindOfStatus(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "payment";
  if (status === 404) return "not_found";
  if (status === 408) return "timeout";
  if (status === 413) return "context_length";
  if (status === 429) return "rate_limit";
  return status >= 500 || status === 409 || status === 425 ? "server" : "bad_request";
}

/** What the server's own code or words say more exactly than its status. */
function kindOfCode(code: string, detail: string): ModelErrorKind | undefined {
  if (/insufficient_quota|billing|insufficient.balance/i.test(code)) return "payment";
  if (/content_filter|content_policy/i.test(code)) return "filtered";
  if (/context_length|exceed_context/i.test(code)) return "context_length";
  if (/context (length|window|size)|maximum context|prompt is too long|input is too long/i.test(detail)) {
    return "context_length";
  }
  if (/rate_?limit/i.test(code)) return "rate_limit";
  if (/overloaded|server_error|unavailable/i.test(code)) return "server";
  if (/authentication|invalid_api_key|permission/i.test(code)) return "auth";
  return /model_not_found/i.test(code) ? "not_found" : undefined;
}

function readErrorBody(body: string, key: string | undefined): { code: string; detail: string } {
  try {
    const parsed: unknown = JSON.parse(body);
    return readErrorValue(property(parsed, "error") ?? parsed);
  } catch {
    // Scrubbed before it is cut, so that no half of a key is left at the cut.
    return { code: "", detail: scrub(body, key).slice(0, maxBody) };
  }
}

/** The shapes seen in the wild: `{message, code, type}`, `{detail}`, or a plain string. */
function readErrorValue(value: unknown): { code: string; detail: string } {
  if (typeof value === "string") return { code: "", detail: value };
  const code = [property(value, "code"), property(value, "type")].filter(
    (part) => part !== undefined && part !== null,
  );
  const detail = property(value, "message") ?? property(value, "detail") ?? "";
  return { code: code.join(" "), detail: typeof detail === "string" ? detail : JSON.stringify(detail) };
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function httpStatus(code: string): number | undefined {
  const found = /\b[45]\d\d\b/.exec(code);
  return found === null ? undefined : Number(found[0]);
}

/** Milliseconds from `retry-after-ms` or `retry-after` (seconds or a date); undefined when the server names no time. */
function retryAfter(headers: Headers): number | undefined {
  const ms = headers.get("retry-after-ms");
  if (ms !== null && /^\d+(\.\d+)?$/.test(ms)) return Number(ms);
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
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
      return `Check the network and the base URL (${server.baseUrl}), then try again.`;
    case "timeout":
      return "Try again; a slow server needs higher limits in its profile.";
    case "bad_request":
      return "The server will not take this request as it is; its profile may need a compat switch.";
    case "invalid_response":
      return `Check that the base URL (${server.baseUrl}) is that of an OpenAI-compatible API.`;
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
  if (retryAfterMs < 3_600_000) return `Wait ${Math.ceil(retryAfterMs / 1000)} s,`;
  return `Wait until ${new Date(Date.now() + retryAfterMs).toISOString().slice(0, 16).replace("T", " ")} UTC,`;
}

/** One line without tags, control characters and the key. */
function oneLine(text: string, key: string | undefined): string {
  // Scrubbed before as well: a key may hold what is taken out here.
  const plain = scrub(text, key)
    .replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, " ")
    .replace(/<[/!?]?[a-z-][^<>]*(>|$)/gi, " ")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return scrub(plain, key);
}

/** Shorter values ("x", "no") are placeholders for servers that want any key; scrubbing them would garble the text. */
const shortestKey = 4;

function scrub(text: string, key: string | undefined): string {
  if (key === undefined || key.length < shortestKey) return text;
  return text.replaceAll(key, "<redacted>").replaceAll(encodeURIComponent(key), "<redacted>");
}

function clip(line: string): string {
  return line.length <= maxMessage ? line : `${line.slice(0, maxMessage - 1).trimEnd()}…`;
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
