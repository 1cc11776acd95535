// Facts: what really happened, as recorded. "Done", "tested" and "verified" are computed from these and from nothing else.
import * as z from "zod";
import { blobRefSchema, checkOriginSchema } from "./proposal.ts";

const checkResultSchema = z.enum(["passed", "failed", "could_not_run", "timed_out", "cancelled"]);
export type CheckResult = z.infer<typeof checkResultSchema>;

export const factSchema = z.discriminatedUnion("type", [
  /** The model saw lines of this file (`hash` is of the whole file). */
  z.strictObject({
    type: z.literal("file_read"),
    path: z.string(),
    hash: z.string(),
    lines: z.tuple([z.number(), z.number()]),
  }),
  /** One path of an applied patch; `null` where there is no file. */
  z.strictObject({
    type: z.literal("applied"),
    seq: z.number(),
    path: z.string(),
    before: blobRefSchema.nullable(),
    after: blobRefSchema.nullable(),
    added: z.number(),
    removed: z.number(),
  }),
  /** One program ran. `exit` is null when a signal or a limit ended it; `output` is the whole output's blob. */
  z.strictObject({
    type: z.literal("ran"),
    seq: z.number(),
    argv: z.array(z.string()),
    exit: z.number().nullable(),
    signal: z.string().nullable(),
    ms: z.number(),
    output: blobRefSchema,
    treeBefore: z.string(),
    treeAfter: z.string(),
    /** Paths that this run itself changed. */
    changed: z.array(z.string()),
  }),
  /** A page that was fetched; `hash` is of its bytes. */
  z.strictObject({
    type: z.literal("fetched"),
    seq: z.number(),
    url: z.string(),
    status: z.number(),
    bytes: z.number(),
    hash: z.string(),
  }),
  /** The outcome of a check as a whole, with the names that failed and the tree it ran on. */
  z.strictObject({
    type: z.literal("check"),
    seq: z.number(),
    result: checkResultSchema,
    failing: z.array(z.string()),
    tree: z.string(),
    baseline: z.boolean(),
    origin: checkOriginSchema,
    /** What ran, as the user would type it. */
    label: z.string(),
  }),
  /** Paths that changed without an effect of this session. */
  z.strictObject({ type: z.literal("drift"), paths: z.array(z.string()), by: z.enum(["command", "other"]) }),
  /** Git's own view at the end of a task, taken read-only; absent without a repository. */
  z.strictObject({ type: z.literal("git_status"), branch: z.string(), changed: z.array(z.string()) }),
]);
export type Fact = z.infer<typeof factSchema>;
export type FactOf<T extends Fact["type"]> = Extract<Fact, { type: T }>;
