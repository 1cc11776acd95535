// A task over a real folder, record and world, with tools, a model or a gate of the test's own. Used by the agent tests where
// the shipped tools cannot show what is to be seen; everywhere else they use test/helpers/agent.ts.
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { Gate } from "../../src/agent/gate.ts";
import { createInbox, type Inbox } from "../../src/agent/inbox.ts";
import { runTask } from "../../src/agent/loop.ts";
import { createPermissions } from "../../src/agent/permissions.ts";
import type { AgentPorts, World } from "../../src/agent/ports.ts";
import type { Wait } from "../../src/agent/wait.ts";
import { type Window, wholeConversation } from "../../src/agent/window.ts";
import type { Prices } from "../../src/model/cost.ts";
import { redactorFor } from "../../src/policy/secrets.ts";
import type { AgentEvent } from "../../src/protocol/event.ts";
import type { ChatModel } from "../../src/protocol/model.ts";
import type { TaskOutcome } from "../../src/protocol/outcome.ts";
import { openSession, type SessionRecord } from "../../src/record/session.ts";
import { result, type Tool, type ToolContext, type ToolResult } from "../../src/tools/contract.ts";
import { toolsFor } from "../../src/tools/registry.ts";
import { checkFor } from "../../src/tools/run-check.ts";
import { openPathGate } from "../../src/workspace/path-gate.ts";
import { openWorld } from "../../src/workspace/world.ts";
import { unconfined } from "../helpers/sandbox.ts";

export interface TaskWith {
  root: string;
  /** The session's record file. */
  file: string;
  record: SessionRecord;
  inbox: Inbox;
  events: AgentEvent[];
  run(text?: string, signal?: AbortSignal): Promise<TaskOutcome>;
}

export async function taskWith(options: {
  model: ChatModel;
  files?: Record<string, string>;
  /** Come before the shipped ones; one of the same name takes its place. */
  tools?: readonly Tool[];
  gate?: Gate;
  window?: Window;
  world?(real: World): World;
  /** The value of a known key. */
  key?: string;
  /** argv of the required check; by default there is none. */
  check?: string[];
  /** Sees each event as it comes. */
  onEvent?(event: AgentEvent): void;
  /** How a wait before a retry is spent; by default it takes no time. */
  wait?: Wait;
  timeoutMs?: number;
  maxSteps?: number;
  prices?: Prices;
  maxCostUsd?: number;
}): Promise<TaskWith> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "minicode-task-")));
  for (const [path, content] of Object.entries(options.files ?? {})) writeFileSync(join(root, path), content);
  const gate = await openPathGate(root);
  const header = { version: "0", workspace: root, profile: "p", model: options.model.name };
  const folder = mkdtempSync(join(tmpdir(), "minicode-data-"));
  const redact = redactorFor([options.key]);
  const session = await openSession(join(folder, "sessions"), { kind: "new" }, header, redact.text);
  onTestFinished(async () => {
    await session.close();
    await gate.close();
  });
  const { record, blobs } = session;
  const environment = { PATH: process.env["PATH"] ?? "" };
  const required = options.check ? { required: [options.check] } : {};
  const settings = { timeoutMs: 10_000, environment, sandbox: unconfined, ...required };
  const mode = { mode: "edit", guided: false } as const;
  const shipped = toolsFor(mode, { check: settings, command: settings });
  const own = options.tools ?? [];
  const real = openWorld(gate, blobs, environment, unconfined, (output) => output);
  const events: AgentEvent[] = [];
  const inbox = createInbox();
  const ports: AgentPorts = {
    model: options.model,
    world: options.world?.(real) ?? real,
    record,
    blobs,
    permissions: createPermissions("auto-read", []),
    gate: options.gate ?? { ask: async () => ({ verdict: "approve", by: "user" }) },
    inbox,
    window: options.window ?? wholeConversation,
    tools: [...own, ...shipped.filter(({ name }) => !own.some((tool) => tool.name === name))],
    checkFor: (context) => checkFor(settings, context),
    emit: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
    wait: options.wait ?? (async () => {}),
  };
  const { maxSteps = 20, timeoutMs, prices, maxCostUsd } = options;
  const task = {
    ...mode,
    rounds: 2,
    maxSteps,
    system: "s",
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(prices === undefined ? {} : { prices }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
  };
  return {
    root,
    file: join(folder, "sessions", record.id, "record.jsonl"),
    record,
    inbox,
    events,
    run: (text = "go", signal = new AbortController().signal) => runTask(text, ports, task, signal),
  };
}

/** A read tool that takes `{"name": …}` and answers what `read` gives. */
export function readTool(
  name: string,
  read: (input: string, context: ToolContext) => Promise<string> | string,
): Tool {
  const input = z.strictObject({ name: z.string() });
  return {
    name,
    description: "",
    input,
    effect: "read",
    limits: "",
    label: () => name,
    prepare: async (given, context) => ({
      kind: "read",
      run: async (): Promise<ToolResult> => result("ok", await read(input.parse(given).name, context)),
    }),
  };
}
