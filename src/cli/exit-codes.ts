// The exit table (design §2): what a shell or a CI job reads off a run.
import type { TaskOutcome } from "../protocol/outcome.ts";
import { AppError } from "../util/errors.ts";

export const exitCodes = {
  done: 0,
  failure: 1,
  usage: 2,
  refused: 3,
  unverified: 4,
  checkFailed: 5,
  budget: 53,
  retryable: 75,
  interrupted: 130,
} as const;

export function exitCodeOf(outcome: TaskOutcome): number {
  switch (outcome.end) {
    case "cancelled":
      return exitCodes.interrupted;
    case "budget":
      return exitCodes.budget;
    case "model_failed":
      return outcome.retryable ? exitCodes.retryable : exitCodes.failure;
    case "internal_error":
      return exitCodes.failure;
    case "rejected":
      return exitCodes.refused;
    case "answered":
      break;
  }
  switch (outcome.work.state) {
    case "unverified":
      return exitCodes.unverified;
    case "check_failed":
      return exitCodes.checkFailed;
    case "none":
      return outcome.unattended ? exitCodes.refused : exitCodes.done;
    case "verified":
      return exitCodes.done;
  }
}

const byErrorCode: Readonly<Record<string, number>> = {
  E_USAGE: exitCodes.usage,
  E_PROFILE: exitCodes.usage,
  E_SETTINGS: exitCodes.usage,
  E_SCRIPT: exitCodes.usage,
  E_TOOLS: exitCodes.usage,
  E_SESSION: exitCodes.usage,
  E_WORKSPACE: exitCodes.usage,
  E_SANDBOX: exitCodes.usage,
  E_TRUST: exitCodes.usage,
  E_OFFLINE: exitCodes.usage,
};

export function exitCodeOfError(error: unknown): number {
  return (error instanceof AppError ? byErrorCode[error.code] : undefined) ?? exitCodes.failure;
}
