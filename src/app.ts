// The one place where the concrete parts meet: options in, a ready agent out. Used by src/cli/.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Gate } from "./agent/gate.ts";
import type { Agent } from "./agent/handle.ts";
import { createInbox } from "./agent/inbox.ts";
import { runTask } from "./agent/loop.ts";
import { createPermissions, type Permissions } from "./agent/permissions.ts";
import type { AgentPorts, TaskOptions } from "./agent/ports.ts";
import { systemPrompt } from "./agent/prompt.ts";
import { redactedEvents } from "./agent/redacted-events.ts";
import { settleSession } from "./agent/settle.ts";
import { toolContextFor } from "./agent/task.ts";
import { realWait, type Wait } from "./agent/wait.ts";
import { wholeConversation } from "./agent/window.ts";
import { type Folders, folders } from "./config/folders.ts";
import { loadProfile } from "./config/profiles.ts";
import { type ReadyProfile, readyProfile } from "./config/ready-profile.ts";
import { checkReach, remoteHost } from "./config/remote-host.ts";
import { settingsInForce } from "./config/resolve-settings.ts";
import { type Settings, settingDefaults } from "./config/settings.ts";
import { en } from "./i18n/en.ts";
import { createModel } from "./model/create.ts";
import { closedByRule, type PermissionMode } from "./policy/rules.ts";
import { environmentSecrets, redactorFor } from "./policy/secrets.ts";
import { ordersIn } from "./policy/untrusted.ts";
import type { AgentEvent, EventSink } from "./protocol/event.ts";
import type { ChatModel } from "./protocol/model.ts";
import type { Warning } from "./protocol/proposal.ts";
import type { Mode } from "./protocol/record.ts";
import { ok } from "./protocol/refusal.ts";
import { noteModel } from "./record/model-change.ts";
import { conversation } from "./record/restore.ts";
import { openSession, type SessionChoice } from "./record/session.ts";
import { contextUsed, usageSums } from "./record/usage.ts";
import { checkToolNames, type ToolSettings, toolsFor } from "./tools/registry.ts";
import { checkFor } from "./tools/run-check.ts";
import { AppError, errnoOf } from "./util/errors.ts";
import { childEnvironment } from "./workspace/environment.ts";
import { type Instructions, instructionsOf, projectInstructions } from "./workspace/instructions.ts";
import { openPathGate, type PathGate } from "./workspace/path-gate.ts";
import { probeSandbox, type Sandbox } from "./workspace/sandbox.ts";
import { takeSnapshot } from "./workspace/snapshot.ts";
import { openWorld } from "./workspace/world.ts";

const REPAIR_ROUNDS = 2;

export interface AgentOptions {
  workspace: string;
  mode: Mode;
  guided: boolean;
  /** Whether the user trusts the folder: without that its own files are only text to look at, and the mode is read or propose. */
  trusted: boolean;
  /** With guided: run_shell is there too. Free sessions have it. */
  allowShell?: boolean;
  chosen: ChosenProfile;
  /** True beats the settings. */
  offline?: boolean;
  /** Beats the settings; "auto" where nobody says. */
  sandbox?: "auto" | "require" | "off";
  /** Beats the settings; "auto-read" where nobody says. */
  permissions?: PermissionMode;
  /** What RUN always was given for earlier in this session and process. */
  always?: Permissions["always"];
  maxSteps?: number;
  timeoutMs?: number;
  /** US dollars per task; beats the settings. */
  maxCostUsd?: number;
  session: SessionChoice;
  gate: Gate;
  emit: EventSink;
  /** For tests that must not spend the time between requests. */
  wait?: Wait;
  env: NodeJS.ProcessEnv;
  version: string;
}

export interface ChosenProfile {
  profile: ReadyProfile;
  settings: Settings;
  places: Folders;
}

/** The profile that a flag, else the environment, else the settings chose; without a choice the offline one. Throws `E_PROFILE` or `E_SETTINGS`. */
export async function chooseProfile(
  wanted: { profile?: string | undefined; script?: string | undefined },
  env: NodeJS.ProcessEnv,
): Promise<ChosenProfile> {
  const places = folders(env, process.platform);
  const { settings } = await settingsInForce(places, env, { profile: wanted.profile });
  const profile = await loadProfile(settings.profile ?? settingDefaults.profile, places);
  return { profile: readyProfile(profile, scriptedEnv(env, wanted.script)), settings, places };
}

/** The environment in which the scripted profile plays the script that was named. */
export function scriptedEnv(env: NodeJS.ProcessEnv, script: string | undefined): NodeJS.ProcessEnv {
  return script === undefined ? env : { ...env, MINICODE_SCRIPT: script };
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
  const rules = options.chosen.settings.permissions?.rules ?? [];
  const gate = await openPathGate(options.workspace, (path) => closedByRule(rules, path));
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

/** What the settings say of the tools; `environment` is what programs get. */
export function toolSettings(
  settings: Settings,
  environment: Readonly<Record<string, string>>,
  sandbox: Sandbox,
): ToolSettings {
  const seconds = settings.checks?.timeoutSeconds ?? settingDefaults.checks.timeoutSeconds;
  const required = settings.checks?.required;
  return {
    check: { timeoutMs: seconds * 1000, environment, sandbox, ...(required ? { required } : {}) },
    command: {
      timeoutMs: (settings.commandTimeoutSeconds ?? settingDefaults.commandTimeoutSeconds) * 1000,
      environment,
      sandbox,
    },
  };
}

/** Throws `E_TOOLS` where the settings name a tool that there is not. Used by `doctor`, too. */
export function checkSettings(settings: Settings): void {
  const bounds = toolSettings(settings, {}, { kind: "none", why: "" });
  checkToolNames("tools", settings.tools ?? [], bounds);
  const ofRules = (settings.permissions?.rules ?? []).map(({ tool }) => tool);
  checkToolNames(
    "permissions.rules",
    ofRules.filter((name) => name !== "*"),
    bounds,
  );
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
  if (options.mode === "edit" && !options.trusted) {
    throw new AppError("E_TRUST", en["trust.needed"](gate.root), { hint: en["trust.how"] });
  }
  const environment = childEnvironment(options.env, gate.root);
  const key = "apiKey" in profile ? profile.apiKey : undefined;
  const redact = redactorFor([key, ...environmentSecrets(options.env)]);
  const wanted = options.sandbox ?? settings.sandbox ?? settingDefaults.sandbox;
  const own = [places.config, places.data, places.state];
  const sandbox = await probeSandbox(wanted, environment["PATH"] ?? "", own);
  if (wanted === "require" && sandbox.kind === "none" && options.mode === "edit")
    throw new AppError("E_SANDBOX", en["sandbox.required"](sandbox.why), { hint: en["sandbox.how"] });
  const offline = options.offline ?? settings.offline ?? settingDefaults.offline;
  const host = remoteHost(profile);
  checkReach(profile, offline);
  const bounds = toolSettings(settings, environment, sandbox);
  const { check } = bounds;
  // Before the session: a wrong name in the settings leaves none behind.
  const maxCostUsd = costLimit(options);
  checkSettings(settings);
  checkToolNames(`the profile ${profile.id}`, profile.tools ?? [], bounds);
  const tools = toolsFor({ ...options, offline }, bounds, profile.tools ?? settings.tools);
  const header = { version: options.version, workspace: gate.root, profile: profile.id, model: model.name };
  const session = await openSession(join(places.data, "sessions"), options.session, header, redact.text);
  opened.push(session);
  const { record, blobs } = session;
  await noteModel(record, profile.id, model.name);
  const world = openWorld(gate, blobs, environment, sandbox, redact.bytes);
  const settled = await settleSession(record, world);
  const inbox = createInbox();
  const { mode: setMode = settingDefaults.permissions.mode, rules = [] } = settings.permissions ?? {};
  const permissions = createPermissions(options.permissions ?? setMode, rules, options.always);
  permissions.tainted = conversation(record.entries).some(
    (message) => message.role === "tool" && ordersIn(message.content).length > 0,
  );
  const ports: AgentPorts = {
    model,
    world,
    record,
    blobs,
    gate: options.gate,
    permissions,
    inbox,
    window: wholeConversation,
    tools,
    checkFor: (context) => checkFor(check, context),
    emit: redactedEvents(redact, (event) => deliver(options.emit, event)),
    wait: options.wait ?? realWait,
  };
  const [found, snapshot, user, project] = await Promise.all([
    options.trusted ? checkFor(check, toolContextFor(ports)) : ok(null),
    takeSnapshot(gate),
    userInstructions(places),
    options.trusted ? projectInstructions(gate) : null,
  ]);
  const instructions = [user, project].filter((one) => one !== null);
  // A broken .minicodeignore closes everything, which otherwise only the model would hear.
  const reachable = await gate.resolve(".");
  const warnings = instructionWarnings(project);
  permissions.tainted ||= warnings.length > 0;
  const task: TaskOptions = {
    mode: options.mode,
    guided: options.guided,
    offline,
    rounds: REPAIR_ROUNDS,
    maxSteps: options.maxSteps ?? settings.maxSteps ?? settingDefaults.maxSteps,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(profile.pricing === undefined ? {} : { prices: profile.pricing }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    warnings,
    system: systemPrompt(
      { ...snapshot, instructions, check: found.ok ? (found.value?.check?.label ?? null) : null },
      options,
    ),
  };
  return {
    session: record.id,
    workspace: gate.root,
    model: model.name,
    host,
    settled,
    warnings: [...session.warnings, ...(reachable.ok ? [] : [reachable.refusal.message])],
    instructions: instructions.map(({ source, text, cut }) => ({ source, length: text.length, cut })),
    inbox,
    permissions,
    sandbox: sandbox.kind,
    context: () => ({ used: contextUsed(record.entries), window: profile.contextWindow ?? null }),
    usage: () => usageSums(record.entries).session,
    run: (text, signal) => runTask(text, ports, task, signal),
    close,
  };
}

/** The user's own words to every session. */
async function userInstructions({ config }: Folders): Promise<Instructions | null> {
  const file = join(config, "AGENTS.md");
  try {
    return instructionsOf(file, await readFile(file));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw new AppError("E_SETTINGS", `cannot read ${file}`, { cause: error });
  }
}

/** What in the project's instructions reads like an attack: it is shown on every panel. */
function instructionWarnings(project: Instructions | null): Warning[] {
  if (project === null) return [];
  return ordersIn(project.text).map(({ line, quote }) => ({
    source: `${project.source}, line ${line}`,
    quote,
  }));
}

/** US dollars that a task may cost, if there is such a limit. Throws `E_PROFILE` where a cost can never be known. */
function costLimit({ maxCostUsd, chosen: { profile, settings } }: AgentOptions): number | undefined {
  const { id, provider, pricing } = profile;
  // A script costs nothing: the demo is there whatever the settings say.
  const limit = maxCostUsd ?? (provider === "scripted" && !pricing ? undefined : settings.maxCostUsd);
  if (limit === undefined || pricing !== undefined) return limit;
  throw new AppError("E_PROFILE", `profile "${id}" has no pricing, so a cost limit cannot be kept`, {
    hint: 'Add "pricing" {"input", "output", "asOf"} to the profile, in US dollars per million tokens (0 where it costs nothing), or go without --max-cost and maxCostUsd.',
  });
}

/** A subscriber's fault is not the task's: it is told on stderr, and the task goes on. */
function deliver(emit: EventSink, event: AgentEvent): void {
  try {
    emit(event);
  } catch (error) {
    console.error("MiniCode: an event could not be shown:", error);
  }
}
