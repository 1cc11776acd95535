// Starts the interactive session on a terminal and runs it to its end: one agent at a time, composer, keys, commands. Used by
// src/cli/interactive.ts.
import type { Terminal } from "@mariozechner/pi-tui";
import type { Gate } from "../agent/gate.ts";
import type { Agent } from "../agent/handle.ts";
import type { Messages } from "../i18n/messages.ts";
import type { EventSink } from "../protocol/event.ts";
import type { Choice } from "./choice.ts";
import { commandHandler, errorLine } from "./command-handler.ts";
import { readCommand } from "./commands.ts";
import { Composer } from "./composer.ts";
import { createController } from "./controller.ts";
import { strayWord } from "./gate-panel.ts";
import { emptyInspector } from "./inspector.ts";
import { keyHandler } from "./keys.ts";
import { LiveView } from "./live-view.ts";
import type { LiveModel } from "./model.ts";
import { Screen } from "./screen.ts";
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
  /** Lines for /model. */
  profiles(current: string): Promise<string[]>;
  /** Aborted from outside: the session is to end in order. */
  ended?: AbortSignal;
  /** Put into the composer at the start. */
  suggestion?: string;
  /** Said after each task. */
  afterTask?: string;
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
    overlay: null,
    inspector: emptyInspector,
    approved: null,
    patches: [],
    queued: [],
    hint: "",
    footer: { place, model: "", state: messages["tui.state.ready"], steps: 0, tokens: null },
  };
  const view = new LiveView(model, composer, theme, messages, () => terminal.rows);
  const transcript = createTranscript(messages, theme);
  const controller = createController({ screen, composer, view, model, transcript, messages });
  const { say } = controller;

  let agent = await options.open(choice, controller.gate, controller.emit);
  const greet = (): void => {
    model.footer.model = agent.model;
    controller.opening({
      version,
      model: agent.model,
      mode: modeLine(choice, messages),
      workspace: agent.workspace,
    });
    for (const line of agent.warnings) say(line, "warn");
    for (const { seq, outcome, detail } of agent.settled)
      say(messages["cli.settled"](seq, outcome, detail ?? ""), "warn");
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
      controller.interrupt();
      void work.finally(leave);
    };
    const run = async (text: string): Promise<void> => {
      await controller.runTask(agent, text);
      if (options.afterTask && !options.ended?.aborted) say(options.afterTask);
    };
    const reopen = (change: (choice: Choice) => Choice): void => {
      if (controller.busy() || changing) {
        say(messages["tui.busy"], "warn");
        return;
      }
      changing = true;
      next(async () => {
        const { session } = agent;
        const wanted = change({ ...choice, session });
        await agent.close();
        try {
          agent = await options.open(wanted, controller.gate, controller.emit);
          choice = wanted;
          if (wanted.session === undefined) {
            screen.scrollAway();
            controller.forget();
          }
        } catch (error) {
          say(errorLine(error), "error");
          agent = await options.open({ ...choice, session }, controller.gate, controller.emit);
        }
        changing = false;
        greet();
      });
    };
    const obey = commandHandler({
      messages,
      say,
      list: controller.list,
      quit,
      reopen,
      recall: (text) => composer.setText(text),
      toggleDetails: controller.toggleDetails,
      showDiff: () => controller.toggleOverlay("diff"),
      status: () =>
        messages["tui.status"](
          agent.model,
          modeLine(choice, messages),
          agent.workspace,
          agent.session,
          model.footer.tokens,
        ),
      profiles: () => options.profiles(choice.profile),
    });
    composer.onSend = (text) => {
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
    composer.onKey = keyHandler({ model, composer, controller, messages, screen, quit });
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
