// What a server says in a refusal: its code, its words, and which kind of failure they are. Pure; used by failure.ts.
import type { ModelErrorKind } from "./error.ts";
import { withoutKey } from "./error-text.ts";

/** As much of an error page as is looked at. */
const maxBody = 20_000;

/** What a status alone says. */
export function kindOfStatus(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "payment";
  if (status === 404) return "not_found";
  if (status === 408) return "timeout";
  if (status === 413) return "context_length";
  if (status === 429) return "rate_limit";
  if (status === 501 || status === 505) return "bad_request";
  return status >= 500 || status === 409 || status === 425 ? "server" : "bad_request";
}

/** What the server's own code or words say more exactly than its status. */
export function kindOfCode(code: string, detail: string): ModelErrorKind | undefined {
  if (/insufficient_quota|exceeded_current_quota|billing|arrear|insufficient.balance/i.test(code))
    return "payment";
  if (/credit balance|insufficient (balance|credits?|quota)/i.test(detail)) return "payment";
  if (/content_filter|content_policy/i.test(code)) return "filtered";
  if (/context_length|exceed_context|request_too_large/i.test(code)) return "context_length";
  if (/context (length|window|size)|maximum context|prompt is too long|input is too long/i.test(detail)) {
    return "context_length";
  }
  if (/rate_?limit/i.test(code)) return "rate_limit";
  // Groq's words for a call that its model did not get right: the next try may.
  if (/tool_use_failed/i.test(code)) return "incomplete";
  if (/overloaded|server_error|unavailable/i.test(code)) return "server";
  if (/authentication|invalid_api_key|permission/i.test(code) || /api key not valid/i.test(detail))
    return "auth";
  return /model_not_found/i.test(code) ? "not_found" : undefined;
}

/** A refusal's body: JSON in one of the known shapes, or whatever else it is. */
export function readErrorBody(body: string, key: string | undefined): { code: string; detail: string } {
  try {
    const parsed: unknown = JSON.parse(body);
    const whole: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
    return readErrorValue(property(whole, "error") ?? whole);
  } catch {
    // The key is taken out before it is cut, so that no half of it is left at the cut.
    return { code: "", detail: withoutKey(body, key).slice(0, maxBody) };
  }
}

/** The shapes seen in the wild: `{message, code, type}`, `{detail}`, or a plain string; a broker adds the raw words of the server behind it. */
export function readErrorValue(value: unknown): { code: string; detail: string } {
  if (typeof value === "string") return { code: "", detail: value };
  const code = [property(value, "code"), property(value, "type")].filter(
    (part) => part !== undefined && part !== null,
  );
  const said = property(value, "message") ?? property(value, "detail") ?? "";
  const detail = typeof said === "string" ? said : JSON.stringify(said);
  const raw = property(property(value, "metadata"), "raw");
  return { code: code.join(" "), detail: typeof raw === "string" ? `${detail}: ${raw}` : detail };
}

/** The HTTP status that a code holds or is. */
export function httpStatus(code: string): number | undefined {
  const found = /\b[45]\d\d\b/.exec(code);
  return found === null ? undefined : Number(found[0]);
}

export function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
