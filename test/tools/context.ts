// A tool's context on a real folder, as the agent would give it: real files, and what earlier results let the model see.
import { onTestFinished } from "vitest";
import type { Fact } from "../../src/protocol/fact.ts";
import type { PatchContent, PlanContent } from "../../src/protocol/proposal.ts";
import {
  type Prepared,
  result,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../../src/tools/contract.ts";
import { patchContent } from "../../src/tools/patch-proposal.ts";
import { childEnvironment } from "../../src/workspace/environment.ts";
import { openPathGate } from "../../src/workspace/path-gate.ts";
import { openWorld } from "../../src/workspace/world.ts";
import { folderBlobs } from "../helpers/blobs.ts";
import { unconfined } from "../helpers/sandbox.ts";
import { tempFolder, write } from "../workspace/git-fixture.ts";

export interface Bench {
  root: string;
  context: ToolContext;
  /** What commands get. */
  environment: Record<string, string>;
  prepare<I>(tool: Tool<I>, input: unknown): Promise<Prepared>;
  /** The result of a read, or of what was refused; the facts count as seen from then on. */
  answer<I>(tool: Tool<I>, input: unknown): Promise<ToolResult>;
  /** Prepares a patch, merges it, and carries it out; what was written counts as seen. */
  apply<I>(tool: Tool<I>, input: unknown, plan?: PlanContent): Promise<PatchContent>;
}

export async function bench(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  over: Partial<Pick<ToolContext, "changedPaths" | "approvedPlan">> = {},
): Promise<Bench> {
  const root = tempFolder();
  write(root, files);
  const gate = await openPathGate(root);
  onTestFinished(() => gate.close());
  const environment = childEnvironment(process.env, gate.root);
  const blobs = folderBlobs(tempFolder());
  const world = openWorld(gate, blobs, environment, unconfined, (output) => output);
  const seen = new Set<string>();
  const see = (path: string, hash: string): void => {
    seen.add(`${path}\0${hash}`);
  };
  const saw = (facts: readonly Fact[]): void => {
    for (const fact of facts) if (fact.type === "file_read") see(fact.path, fact.hash);
  };
  const { signal } = new AbortController();
  const context: ToolContext = {
    gate,
    signal,
    file: world.file,
    hasSeen: (path, hash) => seen.has(`${path}\0${hash}`),
    changedPaths: () => [],
    approvedPlan: () => null,
    outputOf: async () => null,
    ...over,
  };
  const prepare = <I>(tool: Tool<I>, input: unknown): Promise<Prepared> =>
    tool.prepare(tool.input.parse(input), context);
  return {
    root,
    context,
    environment,
    prepare,
    async answer(tool, input) {
      const prepared = await prepare(tool, input);
      if (prepared.kind !== "read" && prepared.kind !== "refused") {
        throw new Error(`${tool.name} proposed a ${prepared.kind}`);
      }
      const end =
        prepared.kind === "read"
          ? await prepared.run()
          : result(prepared.refusal.outcome, prepared.refusal.message, prepared.facts);
      saw(end.facts);
      return end;
    },
    async apply(tool, input, plan) {
      const prepared = await prepare(tool, input);
      if (prepared.kind !== "patch") throw new Error(`refused: ${JSON.stringify(prepared)}`);
      const content = await patchContent(prepared.changes, prepared.reason, plan ?? null, blobs);
      if (content === null) throw new Error("nothing would change");
      const applied = await world.applyPatch(content, signal);
      if (!applied.ok) throw new Error(applied.refusal.message);
      for (const { path, after } of content.files) if (after) see(path, after.hash);
      return content;
    },
  };
}
