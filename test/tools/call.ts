// Calls a read tool on a folder as the dispatcher would: input parsed, then prepared, then run.
import { onTestFinished } from "vitest";
import { ok } from "../../src/protocol/refusal.ts";
import { result, type Tool, type ToolContext, type ToolResult } from "../../src/tools/contract.ts";
import { openPathGate } from "../../src/workspace/path-gate.ts";

export async function call<I>(tool: Tool<I>, root: string, input: unknown): Promise<ToolResult> {
  const gate = await openPathGate(root);
  onTestFinished(() => gate.close());
  const context: ToolContext = {
    gate,
    signal: new AbortController().signal,
    file: async () => ok(null),
    hasSeen: () => false,
    changedPaths: () => [],
    approvedPlan: () => null,
    outputOf: async () => null,
  };
  const prepared = await tool.prepare(tool.input.parse(input), context);
  if (prepared.kind === "read") return prepared.run();
  if (prepared.kind === "refused") return result(prepared.refusal.outcome, prepared.refusal.message);
  throw new Error(`${tool.name} proposed a ${prepared.kind}`);
}
