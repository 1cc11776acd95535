// What the agent needs from outside, as ports. src/app.ts fills them with the real world; tests fill them with a temp folder.
import type { Prices } from "../model/cost.ts";
import type { Blobs } from "../protocol/blobs.ts";
import type { AgentEvent } from "../protocol/event.ts";
import type { FactOf } from "../protocol/fact.ts";
import type { ChatModel } from "../protocol/model.ts";
import type { Page } from "../protocol/page.ts";
import type { Command, CommandContent, Confinement, PatchContent, Warning } from "../protocol/proposal.ts";
import type { EffectOutcome, Mode } from "../protocol/record.ts";
import type { Refusal, Result } from "../protocol/refusal.ts";
import type { SessionRecord } from "../record/session.ts";
import type { ProgramEnd } from "../tools/command-report.ts";
import type { FileState, Tool, ToolContext } from "../tools/contract.ts";
import type { Gate } from "./gate.ts";
import type { Inbox } from "./inbox.ts";
import type { Permissions } from "./permissions.ts";
import type { Wait } from "./wait.ts";
import type { Window } from "./window.ts";

/** The tree as one hash, with what each path contributed. */
export interface Tree {
  hash: string;
  files: ReadonlyMap<string, string>;
}

/** The one set of functions that touches the world for effects; each re-checks what was shown before it acts. */
export interface World {
  gate: ToolContext["gate"];
  file(path: string): Promise<Result<FileState | null>>;
  /** `left` are the paths that were changed and could not be put back. */
  applyPatch(
    content: PatchContent,
    signal: AbortSignal,
  ): Promise<{ ok: true } | { ok: false; refusal: Refusal; left: readonly string[] }>;
  runCommand(
    command: Command,
    confinement: Confinement,
    signal: AbortSignal,
    onOutput: (text: string) => void,
  ): Promise<Result<ProgramEnd>>;
  fetchPage(url: string, signal: AbortSignal): Promise<Result<Page>>;
  /** After a crash: what became of a patch that was begun; puts back what stands half. */
  settlePatch(content: PatchContent): Promise<{
    outcome: EffectOutcome;
    detail?: string;
    /** When it failed: the paths where the patch stands nevertheless. */
    left?: readonly string[];
  }>;
  tree(made: readonly string[]): Promise<Tree>;
  /** The visible files that no .gitignore hides. */
  files(): Promise<readonly string[]>;
  gitStatus(): Promise<FactOf<"git_status"> | null>;
}

export interface AgentPorts {
  model: ChatModel;
  world: World;
  record: SessionRecord;
  blobs: Blobs;
  gate: Gate;
  permissions: Permissions;
  inbox: Inbox;
  window: Window;
  tools: readonly Tool[];
  /** The required check for what was changed, as a proposal; null when the project has none. */
  checkFor(context: ToolContext): Promise<Result<CommandContent | null>>;
  emit(event: AgentEvent): void;
  /** Spends the time before a request is sent again. */
  wait: Wait;
}

export interface TaskOptions {
  mode: Mode;
  guided: boolean;
  /** Repair rounds (N). */
  rounds: number;
  maxSteps: number;
  timeoutMs?: number;
  /** The profile's prices; without them what a request costs is not known. */
  prices?: Prices;
  /** US dollars that the task may cost; needs `prices`. */
  maxCostUsd?: number;
  /** Nothing may leave this machine. */
  offline?: boolean;
  /** What the project's instructions hold that reads like an attack. */
  warnings?: readonly Warning[];
  /** The system message, made once per session so that every request extends the one before. */
  system: string;
}
