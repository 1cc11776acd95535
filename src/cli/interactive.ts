// The interactive session's command: `minicode` on a terminal, and `--demo` by hand. Meets the TUI with the app.
import { basename, resolve } from "node:path";
import type { Gate } from "../agent/gate.ts";
import { type AgentOptions, chooseProfile, openAgent } from "../app.ts";
import { folders } from "../config/folders.ts";
import { listProfiles } from "../config/profiles.ts";
import { en } from "../i18n/en.ts";
import type { EventSink } from "../protocol/event.ts";
import type { SessionChoice } from "../record/session.ts";
import type { Choice } from "../tui/choice.ts";
import { runSession } from "../tui/start.ts";
import { openTerminal } from "../tui/terminal.ts";
import { runWelcome, type WelcomeChoice } from "../tui/welcome.ts";
import { AppError } from "../util/errors.ts";
import { openGit } from "../workspace/git.ts";
import { openPathGate } from "../workspace/path-gate.ts";
import { exitCodes } from "./exit-codes.ts";
import { checkedMode, type Flags, sessionChoice, usage } from "./flags.ts";
import { type Io, wantsColor } from "./io.ts";

export interface InteractiveOptions {
  workspace: string;
  choice: Choice;
  /** The session it begins with. */
  session: SessionChoice;
  /** Script of the scripted profile. */
  script?: string | undefined;
  suggestion?: string;
  afterTask?: string;
}

/** The session that the flags ask for; without a profile the first screen comes first. */
export function fromFlags(flags: Flags, io: Io): InteractiveOptions {
  const mode = checkedMode(flags);
  if (flags.yes) throw usage("--yes goes with -p: here the words are typed");
  return {
    workspace: resolve(io.cwd(), flags.workspace ?? "."),
    choice: { profile: flags.profile ?? "", mode, guided: flags.guided },
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
  const place = await placeOf(options.workspace);
  // Once the first session is open, a choice names the session to go on with, or means a new one.
  let first: SessionChoice | null = options.session;
  const guard = openTerminal();
  try {
    await runSession({
      terminal: guard.terminal,
      choice: options.choice,
      messages: en,
      color: wantsColor(io.stdout, io.env),
      version,
      place,
      ended: guard.ended,
      open: async (choice, gate, emit) => {
        const session =
          first ?? (choice.session === undefined ? { kind: "new" } : { kind: "resume", id: choice.session });
        const agent = await open(choice, session, gate, emit, options, flags, io, version);
        first = null;
        return agent;
      },
      profiles: (current) => profileLines(current, io),
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

async function open(
  choice: Choice,
  session: SessionChoice,
  gate: Gate,
  emit: EventSink,
  options: InteractiveOptions,
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
    chosen,
    ...(flags["max-steps"] === undefined ? {} : { maxSteps: flags["max-steps"] }),
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

/** Each profile with whether it can be used now, and why not. */
async function profileLines(current: string, io: Io): Promise<string[]> {
  const ids = await listProfiles(folders(io.env, process.platform));
  const lines: string[] = [];
  for (const id of ids) {
    const ready = await chooseProfile({ profile: id }, io.env).then(
      ({ profile }) => profile.label,
      (error: unknown) =>
        error instanceof AppError ? `${error.message}. ${error.hint ?? ""}` : String(error),
    );
    lines.push(`${id === current ? "❯" : " "} ${id.padEnd(20)} ${ready}`);
  }
  return lines;
}
