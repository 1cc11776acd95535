// Print mode: one prompt, one outcome, nobody watching. stdout holds the answer alone (in propose mode the diff), the work
// is shown on stderr.
import { resolve } from "node:path";
import { flagGate } from "../agent/gate.ts";
import { type AgentOptions, chooseProfile, openAgent } from "../app.ts";
import { isTrusted } from "../config/trust.ts";
import { en } from "../i18n/en.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { checkedMode, checkScript, type Flags, sessionChoice } from "./flags.ts";
import { type Io, write } from "./io.ts";
import { createReporter } from "./report.ts";
import { withInterrupt } from "./signals.ts";

export async function print(prompt: string, flags: Flags, io: Io, version: string): Promise<number> {
  const mode = checkedMode(flags);
  const chosen = await chooseProfile(flags, io.env);
  checkScript(flags, chosen.profile);
  if (chosen.profile.provider === "offline") {
    await write(io.stderr, en["cli.offline"]);
    return exitCodes.usage;
  }
  const reporter = createReporter(flags["output-format"], mode, io);
  const workspace = resolve(io.cwd(), flags.workspace ?? ".");
  const options: AgentOptions = {
    workspace,
    mode,
    // Who names --mode edit for one run means this folder.
    trusted: mode === "edit" || (await isTrusted(chosen.places, workspace)),
    guided: flags.guided,
    ...(flags.offline ? { offline: true } : {}),
    ...(flags.sandbox === undefined ? {} : { sandbox: flags.sandbox }),
    ...(flags.permissions === undefined ? {} : { permissions: flags.permissions }),
    allowShell: flags["allow-shell"],
    chosen,
    ...(flags["max-steps"] === undefined ? {} : { maxSteps: flags["max-steps"] }),
    ...(flags["max-cost"] === undefined ? {} : { maxCostUsd: flags["max-cost"] }),
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1000 }),
    session: sessionChoice(flags),
    gate: flagGate(new Set(flags.yes)),
    emit: reporter.event,
    env: io.env,
    version,
  };
  const agent = await openAgent(options);
  try {
    await reporter.opened(agent);
    const outcome = await withInterrupt((signal) => agent.run(prompt, signal));
    await reporter.finish();
    return exitCodeOf(outcome);
  } finally {
    await agent.close();
  }
}
