// The interactive session as a user has it, on a virtual terminal: real controller and keys; with a real agent in a temp folder
// and a scripted model, or with any agent a test gives it.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { assemble } from "../../src/app.ts";
import type { Settings } from "../../src/config/settings.ts";
import { en } from "../../src/i18n/en.ts";
import { createScripted, type ScriptedModel, type Step } from "../../src/model/scripted.ts";
import type { AgentEvent } from "../../src/protocol/event.ts";
import type { ChatModel } from "../../src/protocol/model.ts";
import type { Mode } from "../../src/protocol/record.ts";
import type { Choice } from "../../src/tui/choice.ts";
import { runSession, type SessionOptions } from "../../src/tui/start.ts";
import { VirtualTerminal } from "./virtual-terminal.ts";

export interface ScreenOptions {
  columns?: number;
  rows?: number;
  mode?: Mode;
  guided?: boolean;
  /** Written to the terminal before the session starts: what the shell had shown. */
  before?: string;
  suggestion?: string;
  ended?: AbortSignal;
  setUp?: SessionOptions["setUp"];
}

export interface Session {
  terminal: VirtualTerminal;
  events: AgentEvent[];
  /** Ends when the session does. */
  done: Promise<void>;
  /** Ends it as a user would who has enough: Ctrl+C until it is over. */
  leave(): Promise<void>;
  /** Types a line and Enter. */
  enter(line: string): void;
  /** Waits until a panel of this word is on the screen and takes keys. */
  panel(word: string): Promise<void>;
  /** Waits for the next end of a task, with its receipt on the screen. */
  taskEnd(): Promise<void>;
}

export const keys = {
  enter: "\r",
  escape: "\x1b",
  up: "\x1b[A",
  down: "\x1b[B",
  pageUp: "\x1b[5~",
  pageDown: "\x1b[6~",
  tab: "\t",
  backspace: "\x7f",
  ctrlC: "\x03",
  ctrlD: "\x04",
  ctrlJ: "\n",
  ctrlO: "\x0f",
  altEnter: "\x1b\r",
  shiftEnter: "\x1b[13;2u",
} as const;

/** A session over agents of the test's own. */
export async function startSession(open: SessionOptions["open"], options: ScreenOptions): Promise<Session> {
  const terminal = new VirtualTerminal(options.columns, options.rows);
  if (options.before) terminal.write(options.before);
  const events: AgentEvent[] = [];
  let ends = 0;
  const done = runSession({
    terminal,
    choice: { profile: "scripted", mode: options.mode ?? "edit", guided: options.guided ?? true },
    messages: en,
    color: false,
    version: "0.0.0",
    place: "project (main)",
    open: (choice, gate, emit) =>
      open(choice, gate, (event) => {
        events.push(event);
        emit(event);
      }),
    profiles: async (current) => [[current, "in use"]],
    setUp: options.setUp ?? (async () => null),
    ...(options.suggestion === undefined ? {} : { suggestion: options.suggestion }),
    ...(options.ended === undefined ? {} : { ended: options.ended }),
  });
  // Whoever awaits `done` sees its failure; nobody else must.
  done.catch(() => {});
  const leave = async (): Promise<void> => {
    if (!terminal.started) return;
    for (let i = 0; i < 3; i++) terminal.sendInput(keys.ctrlC);
    await done;
  };
  onTestFinished(leave);
  await Promise.race([
    done,
    terminal.until(() => terminal.started && terminal.text().includes("ready"), "the first frame"),
  ]);
  return {
    terminal,
    events,
    done,
    leave,
    enter: (line) => {
      terminal.type(line);
      terminal.sendInput(keys.enter);
    },
    // The state turns to waiting in the panel's first frame.
    panel: (word) =>
      terminal.until(() => terminal.text().endsWith(`waiting for ${word}`), `the panel of ${word}`),
    taskEnd: async () => {
      ends++;
      const ended = (): boolean => {
        const last = events.filter((event) => event.type === "task-ended")[ends - 1];
        const shown = terminal.everything().join("").replaceAll("… ", "");
        return last !== undefined && shown.includes(last.receipt.chainHead.slice(0, 12));
      };
      await terminal.until(() => ended() && /\bready$/.test(terminal.text()), "the end of the task");
    },
  };
}

export interface AgentSessionOptions extends ScreenOptions {
  files?: Record<string, string | Buffer>;
  steps: readonly Step[];
  /** A model of the test's own in place of the scripted one. */
  model?: ChatModel;
  settings?: Settings;
  /** Sees each choice that an agent is opened with; throws to refuse it. */
  onOpen?: (choice: Choice) => void;
}

export interface AgentSession extends Session {
  model: ScriptedModel;
  root: string;
  read(path: string): string;
}

/** A session with a real agent. */
export async function testSession(options: AgentSessionOptions): Promise<AgentSession> {
  const root = mkdtempSync(join(tmpdir(), "minicode-tui-"));
  const data = mkdtempSync(join(tmpdir(), "minicode-data-"));
  for (const [path, content] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
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
  const session = await startSession(async ({ mode, guided, ...choice }, gate, emit) => {
    options.onOpen?.({ mode, guided, ...choice });
    return assemble(
      {
        workspace: root,
        mode,
        guided,
        trusted: true,
        sandbox: "off",
        ...(choice.permissions === undefined ? {} : { permissions: choice.permissions }),
        ...(choice.always === undefined ? {} : { always: choice.always }),
        chosen: { profile, settings: options.settings ?? {}, places },
        session: choice.session === undefined ? { kind: "new" } : { kind: "resume", id: choice.session },
        gate,
        emit,
        env: process.env,
        version: "0.0.0",
      },
      options.model ?? model,
    );
  }, options);
  return { ...session, model, root, read: (path) => readFileSync(join(root, path), "utf8") };
}
