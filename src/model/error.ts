// The one error that a model can throw. Made by the adapters, read by the loop (retry, stop) and shown to the user.
import * as z from "zod";
import { AppError, type AppErrorOptions } from "../util/errors.ts";

export const modelErrorKindSchema = z.enum([
  "auth", // the key is wrong, missing or may not do this
  "payment", // no credit left
  "not_found", // no such model, or the base URL is wrong
  "bad_request", // the server will never take this request
  "context_length", // the conversation does not fit the model
  "rate_limit",
  "server", // the server's own fault
  "network", // no connection, or it broke
  "timeout", // one of our own limits
  "cancelled",
  "invalid_response", // an answer that makes no sense
  "incomplete", // the answer broke off
  "filtered", // refused by the server's content filter
]);
export type ModelErrorKind = z.infer<typeof modelErrorKindSchema>;

const retryableKinds: ReadonlySet<ModelErrorKind> = new Set([
  "rate_limit",
  "server",
  "network",
  "timeout",
  "incomplete",
]);

export interface ModelErrorOptions extends AppErrorOptions {
  /** The HTTP status, when there was one. */
  status?: number | undefined;
  /** Whether the same request may work later; follows from the kind unless given. */
  retryable?: boolean | undefined;
  /** How long the server asks to wait, in milliseconds. */
  retryAfterMs?: number | undefined;
}

export class ModelError extends AppError {
  override readonly name = "ModelError";
  readonly kind: ModelErrorKind;
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(kind: ModelErrorKind, message: string, options: ModelErrorOptions = {}) {
    super("E_MODEL", message, options);
    this.kind = kind;
    this.status = options.status;
    this.retryable = options.retryable ?? retryableKinds.has(kind);
    this.retryAfterMs = options.retryAfterMs;
  }
}
