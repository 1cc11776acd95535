// Starts the interactive session on a terminal and runs it to its end: one agent at a time, composer, keys, commands. Used by
// src/cli/interactive.ts.
import type { Terminal } from "@mariozechner/pi-tui";
import type { Gate } from "../agent/gate.ts";
import type { Agent } from "../agent/handle.ts";
import type { Messages } from "../i18n/messages.ts";
import { type PermissionMode, permissionModes, type Rule } from "../policy/rules.ts";
import type { EventSink } from "../protocol/event.ts";
import type { TaskOutcome } from "../protocol/outcome.ts";
import { noUsage } from "../protocol/usage.ts";
import { contextText, usageText } from "../view/usage.ts";
import type { Choice } from "./choice.ts";
import { commandHandler, errorLine } from "./command-handler.ts";
import { readCommand } from "./commands.ts";
import { Composer } from "./composer.ts";
import { createController } from "./controller.ts";
import { createSessionDialogue, type Dialogue } from "./dialogue.ts";
import { strayWord } from "./gate-panel.ts";
import { emptyInspector } from "./inspector.ts";
import { keyHandler } from "./keys.ts";
import { LiveView } from "./live-view.ts";
import type { LiveModel } from "./model.ts";
import { Screen } from "./screen.ts";
import { linesOf } from "./text.ts";
import { createTheme } from "./theme.ts";
import { createTranscript } from "./transcript.ts";

export interface SessionOptions {
  terminal: Terminal;
  choice: Choice;
  messages: Messages;
  color: boolean;
  version: string;
  /** Shown in the footer: folder and branch. */
  place: string;
  open(choice: Choice, gate: Gate, emit: EventSink): Promise<Agent>;
  /** Profiles with what each is, for /model. */
  profiles(current: string): Promise<[name: string, meaning: string][]>;
  /** Sets up a profile and gives its id; null when the user leaves. */
  setUp(dialogue: Dialogue): Promise<string | null>;
  /** Aborted from outside: the session is to end in order. */
  ended?: AbortSignal;
  /** Put into the composer at the start. */
  suggestion?: string;
  /** Said after each task, by how it ended; null when MiniCode itself failed. */
  afterTask?: (outcome: TaskOutcome | null) => string;
}

/** Resolves when the user leaves; the terminal is then as it was. What cannot be opened is thrown before anything is shown. */
export async function runSession(options: SessionOptions): Promise<void> {
  const { terminal, messages, version, place } = options;
  let choice = options.choice;
  const theme = createTheme(options.color);
  const screen = new Screen(terminal);
  const composer = new Composer(screen, theme);
  const model: LiveModel = {
    draft: "",
    output: "",
    activity: null,
    panel: null,
    question: null,
    overlay: null,
    inspector: emptyInspector,
    approved: null,
    patches: [],
    queued: [],
    hint: "",
    footer: {
      place,
      model: "",
      permissions: "",
      sandbox: "",
      state: messages["tui.state.ready"],
      steps: 0,
      context: { used: null, window: null },
      usage: noUsage,
    },
  };
  const view = new LiveView(model, composer, theme, messages, () => terminal.rows);
  const transcript = createTranscript(messages, theme);
  const controller = createController({ screen, composer, view, model, transcript, messages });
  const { say } = controller;
  const width = (): number => Math.max(2, terminal.columns);
  const dialogue = createSessionDialogue({
    width,
    say: (rows) => screen.finish(linesOf(rows, width(), theme)),
  });

  let agent = await options.open(choice, controller.gate, controller.emit);
  /** What the user was last told about where the conversation goes. */
  let noticed: string | null = null;
  /** Guided work asks for everything, so there is nothing to choose. */
  const showPermissions = (): void => {
    model.footer.permissions = choice.guided ? "" : agent.permissions.mode;
    model.footer.sandbox = choice.mode === "edit" ? messages[`tui.sandbox.${agent.sandbox}`] : "";
    screen.requestRender();
  };
  const permit = (mode: PermissionMode | null): void => {
    if (choice.guided) {
      say(messages["tui.permissions.guided"], "warn");
      return;
    }
    const { permissions } = agent;
    if (mode !== null) permissions.mode = mode;
    choice = { ...choice, permissions: permissions.mode };
    showPermissions();
    say(messages[`tui.permissions.${permissions.mode}`]);
    if (mode === null) for (const rule of permissions.rules) say(ruleLine(rule), "dim");
  };
  const cyclePermissions = (): void => {
    const at = permissionModes.indexOf(agent.permissions.mode);
    permit(permissionModes[(at + 1) % permissionModes.length] ?? "ask");
  };
  const greet = (): void => {
    model.footer.model = agent.model;
    model.footer.context = agent.context();
    model.footer.usage = agent.usage();
    showPermissions();
    controller.opening({
      version,
      model: agent.model,
      mode: modeLine(choice, messages),
      workspace: agent.workspace,
    });
    for (const { source, length, cut } of agent.instructions)
      say(messages["tui.instructions"](source, length, cut), "dim");
    for (const line of agent.warnings) say(line, "warn");
    for (const { seq, outcome, detail } of agent.settled)
      say(messages["cli.settled"](seq, outcome, detail ?? ""), "warn");
    if (agent.host !== null && agent.host !== noticed)
      say(messages["tui.leaves"](agent.host, agent.workspace), "warn");
    noticed = agent.host;
  };
  greet();
  screen.addChild(view);
  screen.setFocus(composer);
  if (options.suggestion) composer.setText(options.suggestion);

  let failure: unknown;
  await new Promise<void>((leave) => {
    /** Tasks and changes of the agent one after the other; nothing runs on an agent that is being closed. */
    let work = Promise.resolve();
    let changing = false;
    const next = (job: () => Promise<void>): void => {
      work = work.then(job).catch((error: unknown) => {
        failure = error;
        leave();
      });
    };
    const quit = (): void => {
      dialogue.leave();
      controller.interrupt();
      void work.finally(leave);
    };
    const run = async (text: string): Promise<void> => {
      const outcome = await controller.runTask(agent, text);
      if (options.afterTask && !options.ended?.aborted) say(options.afterTask(outcome));
    };
    const goOnWith = async (change: (choice: Choice) => Choice): Promise<void> => {
      const { session } = agent;
      const { always } = agent.permissions;
      const wanted = change({ ...choice, session, always });
      await agent.close();
      try {
        agent = await options.open(wanted, controller.gate, controller.emit);
      } catch (error) {
        say(errorLine(error), "error");
        agent = await options.open({ ...choice, session, always }, controller.gate, controller.emit);
        say(messages["tui.unchanged"](agent.model), "warn");
        if (wanted.profile !== choice.profile) say(messages["tui.model.restart"](wanted.profile), "dim");
        return;
      }
      choice = wanted;
      if (wanted.session === undefined) {
        screen.scrollAway();
        controller.forget();
      }
      greet();
    };
    /** For a change of the agent; not while a task or another change goes on. */
    const whenFree = (job: () => Promise<void>): void => {
      if (controller.busy() || changing) {
        say(messages["tui.busy"], "warn");
        return;
      }
      changing = true;
      next(async () => {
        await job();
        changing = false;
      });
    };
    const setUp = async (): Promise<void> => {
      model.footer.state = messages["tui.state.setup"];
      const id = await dialogue.run(options.setUp).catch((error: unknown) => {
        say(errorLine(error), "error");
        return null;
      });
      model.footer.state = messages["tui.state.ready"];
      if (id !== null) await goOnWith((now) => ({ ...now, profile: id }));
    };
    const obey = commandHandler({
      messages,
      say,
      list: controller.list,
      quit,
      reopen: (change) => whenFree(() => goOnWith(change)),
      setUp: () => whenFree(setUp),
      mode: () => modeLine(choice, messages),
      profile: () => choice.profile,
      permissions: permit,
      recall: (text) => composer.setText(text),
      toggleDetails: controller.toggleDetails,
      showDiff: () => controller.toggleOverlay("diff"),
      status: () =>
        messages["tui.status"](
          agent.model,
          modeLine(choice, messages),
          agent.workspace,
          agent.session,
          contextText(agent.context(), messages),
          usageText(agent.usage(), messages),
          messages[`tui.sandbox.${agent.sandbox}`],
        ),
      profiles: () => options.profiles(choice.profile),
    });
    composer.onSend = (text) => {
      if (dialogue.active()) {
        if (!dialogue.answer(text)) composer.setText(text);
        return;
      }
      if (controller.answerQuestion(text)) return;
      const panel = controller.atPanel();
      const command = panel ? null : readCommand(text);
      const stray = panel ? null : strayWord(text);
      if (text.trim() === "") return;
      if (!panel) composer.addToHistory(text);
      if (command) {
        if (command.name !== "quit" && command.name !== "diff") controller.echo(text);
        obey(command);
      } else if (stray) {
        // A reason behind the word was worth typing.
        if (stray !== text.trim()) composer.setText(text);
        say(messages["tui.stray"](stray), "warn");
      } else if (!controller.submitWhileBusy(text)) next(() => run(text));
    };
    const interruptible = {
      ...controller,
      interrupt: () => dialogue.leave() || controller.interrupt(),
    };
    composer.onKey = keyHandler({
      ...{ model, composer, controller: interruptible, messages, screen, quit },
      cyclePermissions,
    });
    options.ended?.addEventListener("abort", quit, { once: true });
    screen.start();
    if (options.ended?.aborted) quit();
  });
  if (terminal.kittyProtocolActive) await terminal.drainInput();
  screen.stop();
  await agent.close();
  if (failure !== undefined) throw failure;
}

function modeLine({ mode, guided }: Choice, messages: Messages): string {
  return messages[`mode.${guided ? "guided" : mode}`];
}

/** A rule as it stands in the settings, on one line. */
function ruleLine({ effect, tool, argv, path, host, id }: Rule): string {
  const what = [argv?.join(" "), path, host].filter((part) => part !== undefined);
  return `${effect} ${[tool, ...what].join(" ")}${id === undefined ? "" : ` (${id})`}`;
}
