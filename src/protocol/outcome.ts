// How a task ended and what its work is worth. Computed from facts; mapped to exit codes in src/cli/exit-codes.ts.
import * as z from "zod";

export const unverifiedWhySchema = z.enum([
  "no_check", // the project has none and the plan named none
  "check_refused", // the user, a mode or a missing flag kept it from running
  "could_not_run",
  "timed_out",
  "cancelled",
  "failing_before", // only failures that were there before our change
  "check_changes_files", // the check's own run keeps changing the tree
  "not_offered", // the task was cut before anyone could be asked
]);
export type UnverifiedWhy = z.infer<typeof unverifiedWhySchema>;

const workSchema = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("none") }),
  z.strictObject({ state: z.literal("verified") }),
  z.strictObject({ state: z.literal("unverified"), why: unverifiedWhySchema }),
  z.strictObject({ state: z.literal("check_failed") }),
]);
export type Work = z.infer<typeof workSchema>;

export const taskEndSchema = z.enum([
  "answered",
  "rejected",
  "cancelled",
  "budget",
  "model_failed",
  "internal_error",
]);
export type TaskEnd = z.infer<typeof taskEndSchema>;

export const taskOutcomeSchema = z.strictObject({
  end: taskEndSchema,
  work: workSchema,
  /** One line for the user: which budget, which model error. */
  detail: z.string().optional(),
  /** For `model_failed`: the same request may work later. */
  retryable: z.boolean().optional(),
  /** Nothing was changed, and something was denied because nobody could be asked. */
  unattended: z.boolean().optional(),
});
export type TaskOutcome = z.infer<typeof taskOutcomeSchema>;
