// The error every user may see: a stable code, what happened, and what to do about it. Thrown anywhere, rendered in src/cli/.

export interface AppErrorOptions {
  /** What the user can do next, one sentence. */
  hint?: string;
  cause?: unknown;
}

export class AppError extends Error {
  override readonly name: string = "AppError";
  /** Stable identifier such as `E_USAGE`; scripts may match on it. */
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** The operating system's error code (`ENOENT`, …) of anything that was thrown, else undefined. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
