// The interactive session's command: `minicode` on a terminal, and `--demo` by hand. Meets the TUI with the app.
import { basename, resolve } from "node:path";
import type { Gate } from "../agent/gate.ts";
import { type AgentOptions, chooseProfile, openAgent, scriptedEnv } from "../app.ts";
import { folders } from "../config/folders.ts";
import { isTrusted, trustFolder } from "../config/trust.ts";
import { en } from "../i18n/en.ts";
import type { EventSink } from "../protocol/event.ts";
import type { TaskOutcome } from "../protocol/outcome.ts";
import type { SessionChoice } from "../record/session.ts";
import type { Choice } from "../tui/choice.ts";
import { runSession } from "../tui/start.ts";
import { openTerminal } from "../tui/terminal.ts";
import { runTrust, runWelcome, type TrustChoice, type WelcomeChoice } from "../tui/welcome.ts";
import { AppError } from "../util/errors.ts";
import { openGit } from "../workspace/git.ts";
import { openPathGate } from "../workspace/path-gate.ts";
import { exitCodes } from "./exit-codes.ts";
import { checkedMode, type Flags, sessionChoice, usage } from "./flags.ts";
import { type Io, wantsColor } from "./io.ts";
import { profileItems } from "./profile-list.ts";
import { isOffline } from "./setup.ts";
import { setUp } from "./setup-flow.ts";

export interface InteractiveOptions {
  workspace: string;
  choice: Choice;
  /** True for a folder of MiniCode's own making: nobody is asked. */
  trusted?: boolean;
  /** The session it begins with. */
  session: SessionChoice;
  /** Script of the scripted profile. */
  script?: string | undefined;
  suggestion?: string;
  afterTask?: (outcome: TaskOutcome | null) => string;
}

/** The session that the flags ask for; without a profile the first screen comes first. */
export function fromFlags(flags: Flags, io: Io): InteractiveOptions {
  const mode = checkedMode(flags);
  if (flags.yes) throw usage("--yes goes with -p: here the words are typed");
  return {
    workspace: resolve(io.cwd(), flags.workspace ?? "."),
    choice: { profile: flags.profile ?? "", mode, guided: flags.guided, permissions: flags.permissions },
    session: sessionChoice(flags),
    script: flags.script,
  };
}

export async function interactive(
  options: InteractiveOptions,
  flags: Flags,
  io: Io,
  version: string,
): Promise<number> {
  const trust = options.trusted === true ? "trust" : await trustOf(options.workspace, io);
  if (trust === "quit") return exitCodes.done;
  const trusted = trust === "trust";
  const place = trusted ? await placeOf(options.workspace) : basename(options.workspace);
  // Once the first session is open, a choice names the session to go on with, or means a new one.
  let first: SessionChoice | null = options.session;
  const guard = openTerminal();
  try {
    await runSession({
      terminal: guard.terminal,
      choice: trusted ? options.choice : { ...options.choice, mode: "read", guided: false },
      messages: en,
      color: wantsColor(io.stdout, io.env),
      version,
      place,
      ended: guard.ended,
      open: async (choice, gate, emit) => {
        const session =
          first ?? (choice.session === undefined ? { kind: "new" } : { kind: "resume", id: choice.session });
        const agent = await open(choice, session, gate, emit, options, trusted, flags, io, version);
        first = null;
        return trusted ? agent : { ...agent, warnings: [en["trust.read-only"], ...agent.warnings] };
      },
      profiles: (current) => profileItems(current, scriptedEnv(io.env, options.script)),
      setUp: async (dialogue) => {
        const places = folders(io.env, process.platform);
        const made = await setUp(dialogue, places, io.env, await isOffline(places, flags, io.env));
        return made?.ready ? made.id : null;
      },
      ...(options.suggestion === undefined ? {} : { suggestion: options.suggestion }),
      ...(options.afterTask === undefined ? {} : { afterTask: options.afterTask }),
    });
    return guard.exitCode() ?? exitCodes.done;
  } finally {
    guard.release();
  }
}

export async function welcome(io: Io): Promise<WelcomeChoice> {
  const guard = openTerminal();
  try {
    return await runWelcome(guard.terminal, en, wantsColor(io.stdout, io.env), guard.ended);
  } finally {
    guard.release();
  }
}

/** What the user said of the folder, now or before. Nothing in it is looked at until then. */
async function trustOf(workspace: string, io: Io): Promise<TrustChoice> {
  const places = folders(io.env, process.platform);
  if (await isTrusted(places, workspace)) return "trust";
  const guard = openTerminal();
  try {
    const color = wantsColor(io.stdout, io.env);
    const said = await runTrust(guard.terminal, en, workspace, color, guard.ended);
    if (said === "trust") await trustFolder(places, workspace);
    return said;
  } finally {
    guard.release();
  }
}

async function open(
  choice: Choice,
  session: SessionChoice,
  gate: Gate,
  emit: EventSink,
  options: InteractiveOptions,
  trusted: boolean,
  flags: Flags,
  io: Io,
  version: string,
) {
  const chosen = await chooseProfile(
    { profile: choice.profile || undefined, script: options.script },
    io.env,
  );
  if (chosen.profile.provider === "offline") throw new AppError("E_OFFLINE", en["tui.no-model"]);
  const agentOptions: AgentOptions = {
    workspace: options.workspace,
    mode: choice.mode,
    guided: choice.guided,
    trusted,
    ...(flags.offline ? { offline: true } : {}),
    ...(flags.sandbox === undefined ? {} : { sandbox: flags.sandbox }),
    ...(choice.permissions === undefined ? {} : { permissions: choice.permissions }),
    ...(choice.always === undefined ? {} : { always: choice.always }),
    allowShell: flags["allow-shell"],
    chosen,
    ...(flags["max-steps"] === undefined ? {} : { maxSteps: flags["max-steps"] }),
    ...(flags["max-cost"] === undefined ? {} : { maxCostUsd: flags["max-cost"] }),
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1000 }),
    session,
    gate,
    emit,
    env: io.env,
    version,
  };
  return openAgent(agentOptions);
}

async function placeOf(workspace: string): Promise<string> {
  const gate = await openPathGate(workspace);
  const branch = await (await openGit(gate))?.branch();
  await gate.close();
  return branch ? `${basename(workspace)} (${branch})` : basename(workspace);
}
