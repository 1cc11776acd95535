// The one place where the concrete parts meet: options in, a ready agent out. Used by src/cli/.
import { join } from "node:path";
import type { Gate } from "./agent/gate.ts";
import type { Agent } from "./agent/handle.ts";
import { createInbox } from "./agent/inbox.ts";
import { runTask } from "./agent/loop.ts";
import type { AgentPorts, TaskOptions } from "./agent/ports.ts";
import { systemPrompt } from "./agent/prompt.ts";
import { settleSession } from "./agent/settle.ts";
import { toolContextFor } from "./agent/task.ts";
import { wholeConversation } from "./agent/window.ts";
import { type Folders, folders } from "./config/folders.ts";
import { loadProfile } from "./config/profiles.ts";
import { type ReadyProfile, readyProfile } from "./config/ready-profile.ts";
import { loadSettings, type Settings } from "./config/settings.ts";
import { createModel } from "./model/create.ts";
import { redactorFor } from "./policy/secrets.ts";
import type { AgentEvent, EventSink } from "./protocol/event.ts";
import type { ChatModel } from "./protocol/model.ts";
import type { Mode } from "./protocol/record.ts";
import { openSession, type SessionChoice } from "./record/session.ts";
import { toolsFor } from "./tools/registry.ts";
import { checkFor } from "./tools/run-check.ts";
import { AppError } from "./util/errors.ts";
import { mapStrings } from "./util/map-strings.ts";
import { childEnvironment } from "./workspace/environment.ts";
import { openPathGate, type PathGate } from "./workspace/path-gate.ts";
import { takeSnapshot } from "./workspace/snapshot.ts";
import { openWorld } from "./workspace/world.ts";

const REPAIR_ROUNDS = 2;
const MAX_STEPS = 50;
const CHECK_SECONDS = 600;
const COMMAND_SECONDS = 120;

export interface AgentOptions {
  workspace: string;
  mode: Mode;
  guided: boolean;
  chosen: ChosenProfile;
  maxSteps?: number;
  timeoutMs?: number;
  session: SessionChoice;
  gate: Gate;
  emit: EventSink;
  env: NodeJS.ProcessEnv;
  version: string;
}

export interface ChosenProfile {
  profile: ReadyProfile;
  settings: Settings;
  places: Folders;
}

/** The profile that a flag, else the settings, else nobody chose (then the offline one). Throws `E_PROFILE` or `E_SETTINGS`. */
export async function chooseProfile(
  wanted: { profile?: string | undefined; script?: string | undefined },
  env: NodeJS.ProcessEnv,
): Promise<ChosenProfile> {
  const places = folders(env, process.platform);
  const settings = await loadSettings(places);
  const profile = await loadProfile(wanted.profile ?? settings.profile ?? "offline", places);
  const scripted = wanted.script === undefined ? env : { ...env, MINICODE_SCRIPT: wanted.script };
  return { profile: readyProfile(profile, scripted), settings, places };
}

/**
 * Opens workspace, model and record. Throws an `AppError` for what the user must mend: a folder that is none, a session that
 * is not there or open elsewhere, and `E_OFFLINE` for the offline profile, which has no model to run.
 */
export async function openAgent(options: AgentOptions): Promise<Agent> {
  const { profile } = options.chosen;
  if (profile.provider === "offline") throw new AppError("E_OFFLINE", "no model is connected");
  return assemble(options, await createModel(profile));
}

/** The same with a model of the caller's own, for tests and evals. */
export async function assemble(options: AgentOptions, model: ChatModel): Promise<Agent> {
  const gate = await openPathGate(options.workspace);
  const opened: Closable[] = [gate];
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).reverse()) await one.close();
  };
  try {
    return await assembleIn(gate, opened, close, options, model);
  } catch (error) {
    await close();
    throw error;
  }
}

interface Closable {
  close(): Promise<void>;
}

/** `opened` collects what `close` must close. */
async function assembleIn(
  gate: PathGate,
  opened: Closable[],
  close: Agent["close"],
  options: AgentOptions,
  model: ChatModel,
): Promise<Agent> {
  const { profile, settings, places } = options.chosen;
  const environment = childEnvironment(options.env, gate.root);
  const redact = redactorFor([profile.provider === "openai-compatible" ? profile.apiKey : undefined]);
  const check = {
    timeoutMs: (settings.checks?.timeoutSeconds ?? CHECK_SECONDS) * 1000,
    environment,
    ...(settings.checks?.required ? { required: settings.checks.required } : {}),
  };
  const command = { timeoutMs: (settings.commandTimeoutSeconds ?? COMMAND_SECONDS) * 1000, environment };
  // Before the session: a wrong name in the settings leaves none behind.
  const tools = toolsFor(options, { check, command }, profile.tools ?? settings.tools);
  const header = { version: options.version, workspace: gate.root, profile: profile.id, model: model.name };
  const session = await openSession(join(places.data, "sessions"), options.session, header, redact.text);
  opened.push(session);
  const { record, blobs } = session;
  const world = openWorld(gate, blobs, environment, redact.bytes);
  const settled = await settleSession(record, world);
  const inbox = createInbox();
  const ports: AgentPorts = {
    model,
    world,
    record,
    blobs,
    gate: options.gate,
    inbox,
    window: wholeConversation,
    tools,
    checkFor: (context) => checkFor(check, context),
    emit: (event) => deliver(options.emit, mapStrings(event, redact.text)),
  };
  const [found, snapshot] = await Promise.all([checkFor(check, toolContextFor(ports)), takeSnapshot(gate)]);
  const task: TaskOptions = {
    mode: options.mode,
    guided: options.guided,
    rounds: REPAIR_ROUNDS,
    maxSteps: options.maxSteps ?? settings.maxSteps ?? MAX_STEPS,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    system: systemPrompt(
      { ...snapshot, check: found.ok ? (found.value?.check?.label ?? null) : null },
      options,
    ),
  };
  return {
    session: record.id,
    workspace: gate.root,
    model: model.name,
    settled,
    warnings: session.warnings,
    inbox,
    run: (text, signal) => runTask(text, ports, task, signal),
    close,
  };
}

/** A subscriber's fault is not the task's: it is told on stderr, and the task goes on. */
function deliver(emit: EventSink, event: AgentEvent): void {
  try {
    emit(event);
  } catch (error) {
    console.error("MiniCode: an event could not be shown:", error);
  }
}
