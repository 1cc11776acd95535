// propose_plan: what the model is going to do, for the user's CONTINUE. Only in guided sessions.
import * as z from "zod";
import type { PathGate } from "../workspace/path-gate.ts";
import type { Tool } from "./contract.ts";
import { type CheckSettings, checkFor } from "./run-check.ts";

const input = z.strictObject({
  summary: z.string(),
  steps: z.array(z.string()).min(1),
  files: z.array(z.string()).describe('paths to change; folders end in "/"'),
  check: z.array(z.string()).optional().describe("argv of a check, only if the project has none"),
});

export function proposePlanTool(settings: CheckSettings): Tool<z.infer<typeof input>> {
  return {
    name: "propose_plan",
    description:
      "Propose a short plan before the first change, after reading what you need; call again if it changes.",
    input,
    effect: "plan",
    limits: "one plan at a time",
    label: ({ summary }) => `plan: ${summary}`,
    prepare: async ({ summary, steps, files, check }, context) => {
      const scope = await Promise.all(files.map((file) => scopePath(context.gate, file)));
      const own = await checkFor(settings, {
        ...context,
        approvedPlan: () => null,
        // A folder stands for a file in it; what lies outside has no check here.
        changedPaths: () => scope.flatMap(({ path, inside }) => (inside ? [path.replace(/\/$/, "/.")] : [])),
      });
      const projectCheck = own.ok ? own.value?.check?.label : undefined;
      return {
        kind: "effect",
        content: {
          kind: "plan",
          summary,
          steps,
          files: scope.map(({ path }) => path),
          ...(check?.length ? { check } : {}),
          ...(projectCheck === undefined ? {} : { projectCheck }),
          origin: "call",
          added: [],
          dropped: [],
        },
      };
    },
  };
}

/** The workspace path that the model means, folders still with their "/"; what the gate refuses stays as written. */
async function scopePath(gate: PathGate, file: string): Promise<{ path: string; inside: boolean }> {
  const resolved = await gate.resolve(file);
  if (!resolved.ok) return { path: file, inside: false };
  const isFolder = file.endsWith("/") || resolved.value === ".";
  return { path: isFolder ? `${resolved.value}/` : resolved.value, inside: true };
}
