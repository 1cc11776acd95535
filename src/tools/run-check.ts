// run_check: the project's own test, found by MiniCode and never chosen by the call. Also what the exit gate offers.
import * as z from "zod";
import { classifyArgv } from "../policy/command.ts";
import type { CommandContent, Trait } from "../protocol/proposal.ts";
import { ok, type Result } from "../protocol/refusal.ts";
import { discoverCheck } from "../workspace/checks.ts";
import { confinementFor, type Sandbox } from "../workspace/sandbox.ts";
import type { Tool, ToolContext } from "./contract.ts";

const input = z.strictObject({ reason: z.string().optional() });

export interface CheckSettings {
  timeoutMs: number;
  environment: Readonly<Record<string, string>>;
  sandbox: Sandbox;
  /** `checks.required` of the settings: argvs that come before anything found. */
  required?: readonly (readonly string[])[];
}

export function runCheckTool(settings: CheckSettings): Tool<z.infer<typeof input>> {
  return {
    name: "run_check",
    description:
      "Run the project's own test after the user's RUN. Useful before the first change; it also runs by itself when you answer after a change.",
    input,
    effect: "command",
    limits: `${settings.timeoutMs / 1000} s`,
    label: () => "run the check",
    prepare: async ({ reason = "" }, context) => {
      const check = await checkFor(settings, context);
      if (!check.ok) return { kind: "refused", refusal: check.refusal };
      if (check.value) return { kind: "effect", content: { ...check.value, reason } };
      const message =
        "This project has no test that MiniCode can find. A plan may name one in its check field.";
      return { kind: "refused", refusal: { outcome: "error", message } };
    },
  };
}

/** The required check for what this session changed, as a proposal's content; null when there is none. */
export async function checkFor(
  settings: CheckSettings,
  context: ToolContext,
): Promise<Result<CommandContent | null>> {
  const { timeoutMs, environment, sandbox, required } = settings;
  const planned = context.approvedPlan()?.check;
  const found = await discoverCheck(context.gate, context.changedPaths(), {
    timeoutMs,
    env: { ...environment },
    ...(required ? { required } : {}),
    ...(planned ? { planned } : {}),
  });
  if (!found.ok) return found;
  if (!found.value) return ok(null);
  const { origin, label, commands } = found.value;
  const own = commands.flatMap((c) => classifyArgv(c.argv));
  const traits: Trait[] = [
    { trait: "runs-project-code", because: "a check is the project's own code" },
    ...own.filter((t) => t.trait !== "runs-project-code"),
  ];
  return ok({
    kind: "command",
    reason: "",
    check: { origin, label, baseline: false },
    commands,
    traits,
    environment: Object.keys(environment).sort(),
    sandbox: confinementFor(sandbox, traits),
  });
}
