// Reads: whether one may run, and its result. A read whose result the model still has before it, unchanged, is not sent twice
// (design §4).
import type { ToolCall } from "../protocol/message.ts";
import { conversation } from "../record/restore.ts";
import { result, type Tool, type ToolResult } from "../tools/contract.ts";
import { sha256 } from "../util/hash.ts";
import { decide, declined, propose } from "./decide.ts";
import { readPermission } from "./permit.ts";
import { faultOf, prepare } from "./prepare.ts";
import { signatureOf } from "./repeats.ts";
import type { TaskRun } from "./task.ts";

/**
 * Looks at a read, and asks for it where a rule or the mode says so. Gives the read ready to run, beside others, or the result
 * it already has.
 */
export async function clearRead(
  run: TaskRun,
  call: ToolCall,
  tool: Tool,
  input: unknown,
): Promise<ToolResult | (() => Promise<ToolResult>)> {
  const prepared = await prepare(run, tool, input);
  if (prepared.kind === "refused") {
    return result(prepared.refusal.outcome, prepared.refusal.message, prepared.facts);
  }
  if (prepared.kind !== "read") throw new Error(`${tool.name} prepared a ${prepared.kind}`);
  const permitted = readPermission(run, tool.name, prepared);
  if (permitted.verdict !== "pass") {
    const content = { kind: "read", tool: tool.name, arguments: call.arguments } as const;
    const decision = await decide(run, await propose(run, content), permitted);
    if (decision.verdict !== "approve") return declined(content, decision);
  }
  return () => runRead(run, call, tool, input, prepared.run);
}

async function runRead(
  run: TaskRun,
  call: ToolCall,
  tool: Tool,
  input: unknown,
  read: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const end = await readSafely(run, tool, read);
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

async function readSafely(run: TaskRun, tool: Tool, read: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await read();
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
