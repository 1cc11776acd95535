// Runs one read. A read whose result the model still has before it, unchanged, is not sent twice (design §4).
import type { ToolCall } from "../protocol/message.ts";
import { conversation } from "../record/restore.ts";
import { result, type Tool, type ToolResult } from "../tools/contract.ts";
import { sha256 } from "../util/hash.ts";
import { faultOf, prepare } from "./prepare.ts";
import { signatureOf } from "./repeats.ts";
import type { TaskRun } from "./task.ts";

export async function runRead(run: TaskRun, call: ToolCall, tool: Tool, input: unknown): Promise<ToolResult> {
  const end = await readSafely(run, tool, input);
  if (end.outcome !== "ok") return end;
  const signature = signatureOf(call);
  const hash = sha256(end.content);
  const earlier = run.reads.get(signature);
  if (earlier?.hash === hash && isInWindow(run, earlier.callId)) {
    return result(
      "skipped",
      `Skipped: the same as your earlier ${tool.label(input)}, and nothing in it has changed since. See that result.`,
    );
  }
  run.reads.set(signature, { callId: call.id, hash });
  return end;
}

async function readSafely(run: TaskRun, tool: Tool, input: unknown): Promise<ToolResult> {
  const prepared = await prepare(run, tool, input);
  if (prepared.kind === "refused") {
    return result(prepared.refusal.outcome, prepared.refusal.message, prepared.facts);
  }
  if (prepared.kind !== "read") throw new Error(`${tool.name} prepared a ${prepared.kind}`);
  try {
    return await prepared.run();
  } catch (error) {
    const { outcome, message } = faultOf(run, tool, error);
    return result(outcome, message);
  }
}

function isInWindow(run: TaskRun, callId: string): boolean {
  return run.ports
    .window(conversation(run.ports.record.entries))
    .some((m) => m.role === "tool" && m.callId === callId);
}
