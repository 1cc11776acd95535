// A whole agent in a temp folder: real files, real record, real processes, and a scripted model. Used by agent and case tests.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Answer, Gate } from "../../src/agent/gate.ts";
import type { Agent } from "../../src/agent/handle.ts";
import type { Wait } from "../../src/agent/wait.ts";
import { assemble } from "../../src/app.ts";
import type { Settings } from "../../src/config/settings.ts";
import { createScripted, type ScriptedModel, type Step } from "../../src/model/scripted.ts";
import type { PermissionMode } from "../../src/policy/rules.ts";
import type { AgentEvent } from "../../src/protocol/event.ts";
import type { TaskOutcome } from "../../src/protocol/outcome.ts";
import type { Proposal, ProposalKind } from "../../src/protocol/proposal.ts";
import type { Mode } from "../../src/protocol/record.ts";
import type { SessionChoice } from "../../src/record/session.ts";

export interface TestAgentOptions {
  files?: Record<string, string | Buffer>;
  /** Reuse a workspace and data folder, to resume a session. */
  root?: string;
  data?: string;
  session?: SessionChoice;
  steps: readonly Step[];
  mode?: Mode;
  guided?: boolean;
  trusted?: boolean;
  settings?: Settings;
  permissions?: PermissionMode;
  /** Off by default: not every machine has one. */
  sandbox?: "auto" | "require" | "off";
  maxSteps?: number;
  timeoutMs?: number;
  /** How a wait before a retry is spent; by default it takes no time. */
  wait?: Wait;
  /** Answers a proposal; by default every one is approved. */
  answer?: (proposal: Proposal) => Answer["verdict"] | Omit<Answer, "by"> | Promise<Answer["verdict"]>;
}

export interface TestAgent {
  agent: Agent;
  root: string;
  data: string;
  model: ScriptedModel;
  events: AgentEvent[];
  run(text: string, signal?: AbortSignal): Promise<TaskOutcome>;
  /** Every proposal shown, in order. */
  proposals(kind?: ProposalKind): Proposal[];
  /** Contents of the tool results of the last request to the model. */
  results(): string[];
  read(path: string): string;
}

export async function testAgent(options: TestAgentOptions): Promise<TestAgent> {
  const root = options.root ?? mkdtempSync(join(tmpdir(), "minicode-agent-"));
  const data = options.data ?? mkdtempSync(join(tmpdir(), "minicode-data-"));
  for (const [path, content] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const events: AgentEvent[] = [];
  const model = createScripted(options.steps);
  const places = { config: join(data, "config"), data, state: join(data, "state") };
  const profile = {
    id: "scripted",
    label: "Scripted",
    provider: "scripted",
    script: "",
    contextWindow: undefined,
    pricing: undefined,
    tools: undefined,
  } as const;
  const agent = await assemble(
    {
      workspace: root,
      mode: options.mode ?? "edit",
      guided: options.guided ?? true,
      sandbox: options.sandbox ?? "off",
      trusted: options.trusted ?? true,
      chosen: { profile, settings: options.settings ?? {}, places },
      ...(options.permissions === undefined ? {} : { permissions: options.permissions }),
      ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      session: options.session ?? { kind: "new" },
      gate: gateOf(options.answer ?? (() => "approve")),
      emit: (event) => {
        events.push(event);
      },
      wait: options.wait ?? (async () => {}),
      env: process.env,
      version: "0.0.0-test",
    },
    model,
  );
  onTestFinished(() => agent.close());
  return {
    agent,
    root,
    data,
    model,
    events,
    run: (text, signal = new AbortController().signal) => agent.run(text, signal),
    proposals: (kind) =>
      events.flatMap((e) =>
        e.type === "proposal" && (!kind || e.proposal.content.kind === kind) ? [e.proposal] : [],
      ),
    results: () =>
      (model.requests.at(-1)?.messages ?? []).flatMap((m) => (m.role === "tool" ? [m.content] : [])),
    read: (path) => readFileSync(join(root, path), "utf8"),
  };
}

function gateOf(answer: NonNullable<TestAgentOptions["answer"]>): Gate {
  return {
    ask: async (proposal) => {
      const given = await answer(proposal);
      return { ...(typeof given === "string" ? { verdict: given } : given), by: "user" };
    },
  };
}

/** A step that calls one tool. */
export function call(name: string, args: unknown): Step {
  return { calls: [{ name, arguments: typeof args === "string" ? args : JSON.stringify(args) }] };
}

/** A project whose test is one small script: `test.mjs` decides. */
export function project(files: Record<string, string | Buffer>): Record<string, string | Buffer> {
  return {
    "package.json": JSON.stringify({
      name: "p",
      version: "1.0.0",
      type: "module",
      scripts: { test: "node test.mjs" },
    }),
    ...files,
  };
}
