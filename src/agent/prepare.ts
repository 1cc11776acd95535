// Lets a tool look at the world. A tool that throws is a fault of ours, but the task survives it and the model hears of it.
import { type Refusal, refuse } from "../protocol/refusal.ts";
import type { Prepared, Tool } from "../tools/contract.ts";
import type { Overlay } from "../tools/overlay.ts";
import { messageOf } from "../util/errors.ts";
import { type TaskRun, toolContext } from "./task.ts";

/** `overlay` is as for `toolContext`. */
export async function prepare(
  run: TaskRun,
  tool: Tool,
  input: unknown,
  overlay?: Overlay,
): Promise<Prepared> {
  try {
    return await tool.prepare(input, toolContext(run, overlay));
  } catch (error) {
    return { kind: "refused", refusal: faultOf(run, tool, error) };
  }
}

/** What the model is told of something that a tool threw. */
export function faultOf(run: TaskRun, tool: Tool, error: unknown): Refusal {
  const { refusal } = run.signal.aborted
    ? refuse("cancelled", "Cancelled.")
    : refuse("error", `${tool.name} failed: ${messageOf(error)}`);
  return refusal;
}
