// What an effect is in the corridor, and what it ends in.
import type { Directive } from "../guided/state.ts";
import type { CommandContent, FetchContent, PatchContent, PlanContent } from "../protocol/proposal.ts";
import type { ToolResult } from "../tools/contract.ts";

export type EffectContent = PlanContent | PatchContent | CommandContent | FetchContent;

export interface EffectEnd {
  result: ToolResult;
  /** What the guided state asks for beyond this call: a check to offer, a word to the model, the task's end. */
  directive: Directive | undefined;
}
