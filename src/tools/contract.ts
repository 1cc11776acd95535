// What a tool is. Tools prepare; they never change anything: an effect becomes a proposal that src/agent/ brings to the gate.
import type { ZodType } from "zod";
import type { Fact } from "../protocol/fact.ts";
import type { CallOutcome } from "../protocol/message.ts";
import type { CommandContent, FetchContent, PlanContent } from "../protocol/proposal.ts";
import type { Refusal, Result } from "../protocol/refusal.ts";
import type { PathGate } from "../workspace/path-gate.ts";

export interface ToolResult {
  outcome: CallOutcome;
  /** What the model reads. */
  content: string;
  facts: Fact[];
}

/** A file as it is now: on disk, or as earlier calls of the same step would leave it. */
export interface FileState {
  bytes: Buffer;
  hash: string;
  mode: number;
  /** Number of names (hard links) of the file on disk; 1 for one that is not there yet. */
  links: number;
}

/** A change to one path; `before`/`after` are null where there is no file. A rename has `from`. */
export interface FileChange {
  path: string;
  from?: string;
  before: FileState | null;
  after: { bytes: Buffer; mode: number } | null;
}

export interface ToolContext {
  gate: PathGate;
  signal: AbortSignal;
  /** The file at a workspace path, or null when there is none. Refuses what the path gate refuses. */
  file(path: string): Promise<Result<FileState | null>>;
  /** Whether the model has seen this content of this path in this session (read, or written by our own patch). */
  hasSeen(path: string, hash: string): boolean;
  /** Paths that this session changed so far; a check is looked for nearest to them. */
  changedPaths(): readonly string[];
  /** All that the programs of an earlier proposal printed, as far as it was kept; null when nothing of that number ran. */
  outputOf(seq: number): Promise<Buffer | null>;
  /** The plan in force, if any. */
  approvedPlan(): PlanContent | null;
}

export type Prepared =
  | { kind: "refused"; refusal: Refusal; facts?: Fact[] }
  /** For the user's rules: the workspace paths it names, and the folders of which it reads everything below. */
  | {
      kind: "read";
      paths?: readonly string[];
      trees?: readonly string[];
      run(): Promise<ToolResult>;
    }
  /** Something only the user knows; changes nothing. */
  | { kind: "question"; text: string; options: readonly string[] }
  | { kind: "patch"; reason: string; changes: FileChange[] }
  | { kind: "effect"; content: PlanContent | CommandContent | FetchContent };

export interface Tool<I = unknown> {
  name: string;
  /** Model-facing: short, exact. */
  description: string;
  /** The one source of validation, type and JSON Schema. */
  input: ZodType<I>;
  /** "read" tools run in parallel and are repeated only when their result changed; a "question" waits; the others change something. */
  effect: "read" | "question" | "plan" | "patch" | "command" | "fetch";
  /** Its bounds in a few words, for `minicode tools`. */
  limits: string;
  /** One line for the user, e.g. `read src/a.ts:1-80`. */
  label(input: I): string;
  prepare(input: I, context: ToolContext): Promise<Prepared>;
}

export function result(outcome: CallOutcome, content: string, facts: Fact[] = []): ToolResult {
  return { outcome, content, facts };
}
