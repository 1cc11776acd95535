// An open path gate on a temp folder of its own. Used by the threats to paths and patches.
import { onTestFinished } from "vitest";
import type { Result } from "../../src/protocol/refusal.ts";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";

export async function openGate(): Promise<{ folder: TestFolder; gate: PathGate }> {
  const folder = testFolder();
  const gate = await openPathGate(folder.ws);
  onTestFinished(async () => {
    await gate.close();
    folder.remove();
  });
  return { folder, gate };
}

/** `outcome: message` of a refusal. */
export function refusal(result: Result<unknown>): string {
  return result.ok ? "(was allowed)" : `${result.refusal.outcome}: ${result.refusal.message}`;
}
