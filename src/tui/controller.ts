// The interactive session: events in, what keys ask for in, the live model and the transcript out; also the gate's giver on
// screen. Made by start.ts; everything that decides is pure and lives beside it.
import type { Answer, Gate } from "../agent/gate.ts";
import type { Agent } from "../agent/handle.ts";
import type { Messages } from "../i18n/messages.ts";
import type { AgentEvent, EventSink } from "../protocol/event.ts";
import type { TaskOutcome } from "../protocol/outcome.ts";
import { confirmWord, confirmWords } from "../protocol/proposal.ts";
import { messageOf } from "../util/errors.ts";
import type { Style } from "../view/row.ts";
import type { Composer } from "./composer.ts";
import { doing, follow } from "./follow.ts";
import { openPanel, panelPainted, panelScrolled, readWord, strayWord, wholeSeen } from "./gate-panel.ts";
import { emptyInspector, inspected, lastSelected, moved, toggled } from "./inspector.ts";
import type { LiveView } from "./live-view.ts";
import type { LiveModel } from "./model.ts";
import { firstPage, scrolled } from "./pager.ts";
import { readAnswer } from "./question.ts";
import type { Screen } from "./screen.ts";
import type { Opening, Transcript } from "./transcript.ts";

const TICK_MS = 500;

export interface ControllerParts {
  screen: Screen;
  composer: Composer;
  view: LiveView;
  model: LiveModel;
  transcript: Transcript;
  messages: Messages;
}

export interface Controller {
  gate: Gate;
  emit: EventSink;
  /** Whether a task is running. */
  busy(): boolean;
  /** Takes a line from the composer while a panel or a task is there; false when nothing is going on. */
  submitWhileBusy(text: string): boolean;
  /** Runs one task, and then what was queued behind it. A cancel puts the queue back into the composer. */
  runTask(agent: Agent, text: string): Promise<TaskOutcome | null>;
  /** Queues a message for after the task. */
  queue(text: string): void;
  /** Cancels the task; false when none runs that is not stopping already. */
  interrupt(): boolean;
  /** Whether a panel is on the screen, so that keys are meant for it. */
  atPanel(): boolean;
  /** The same for a question of the model's. */
  atQuestion(): boolean;
  /** Gives a line to the question; false when none is there, or when the line is a command or a control word. */
  answerQuestion(text: string): boolean;
  panelKey(key: PagingKey): boolean;
  toggleOverlay(kind: "inspector" | "diff"): void;
  overlayKey(key: PagingKey): void;
  toggleDetails(): boolean;
  say(text: string, style?: Style): void;
  /** Prints a line of the user's. */
  echo(text: string): void;
  list(items: Parameters<Transcript["list"]>[0]): void;
  opening(facts: Opening): void;
  /** Forgets calls and patches: a new session begins. */
  forget(): void;
}

export type PagingKey = "up" | "down" | "page-up" | "page-down" | "tab" | "enter" | "escape";

export function createController(parts: ControllerParts): Controller {
  const { screen, composer, view, model, transcript, messages } = parts;
  let cancel: AbortController | null = null;
  let answer: ((answer: Answer) => void) | null = null;
  let reply: ((text: string | null) => void) | null = null;
  let setAside = "";
  let details = false;
  let inbox: Agent["inbox"] | null = null;
  let steering: readonly string[] = [];
  const after: string[] = [];
  let tick: NodeJS.Timeout | undefined;

  const width = (): number => Math.max(2, screen.terminal.columns);
  const finish = (lines: readonly string[]): void => screen.finish(lines);
  const refreshQueue = (): void => {
    steering = [...(inbox?.waiting() ?? [])];
    model.queued = [...steering, ...after];
    screen.requestRender();
  };
  const restoreText = (...texts: string[]): void =>
    composer.setText(texts.filter((text) => text !== "").join("\n"));
  const atPanel = (): boolean => model.panel !== null && model.panel.columns > 0;
  const showState = (): void => {
    const { footer, panel } = model;
    if (model.question) footer.state = messages["tui.state.asked"];
    else if (panel) footer.state = messages["tui.state.waiting"](confirmWord(panel.proposal));
    else if (cancel?.signal.aborted) footer.state = messages["tui.state.stopping"];
    else footer.state = messages[cancel ? "tui.state.working" : "tui.state.ready"];
    screen.requestRender();
  };

  screen.onPainted = () => {
    const { question } = model;
    if (question && !question.seen) {
      setAside = composer.take();
      model.question = { ...question, seen: true };
      screen.requestRender();
    }
    const { what, columns, total, height } = view.fitted;
    const before = model.panel;
    if (before && what === "panel") {
      // What was typed before the panel could be seen is no answer to it.
      if (before.columns === 0) setAside = composer.take();
      const after = panelPainted(before, columns, total, height);
      model.panel = after;
      const same = before.columns === columns && wholeSeen(before, total) === wholeSeen(after, total);
      if (!same) screen.requestRender();
    }
    // Only the seconds of a running task tick; at rest there is no timer.
    if (!tick && model.activity && !model.panel) {
      tick = setTimeout(() => {
        tick = undefined;
        if (model.activity && !model.panel) screen.requestRender();
      }, TICK_MS);
    }
  };

  const closePanel = (): void => {
    const seen = atPanel();
    model.panel = null;
    model.hint = "";
    answer = null;
    if (seen) restoreText(setAside, composer.take());
    setAside = "";
    showState();
  };

  const gate: Gate = {
    ask: (proposal, signal) =>
      new Promise((resolve) => {
        model.panel = openPanel(proposal);
        answer = (given) => {
          closePanel();
          resolve(given);
        };
        const onAbort = (): void => answer?.({ verdict: "cancel", by: "user" });
        signal.addEventListener("abort", onAbort, { once: true });
        if (signal.aborted) onAbort();
        showState();
      }),
  };

  const question: NonNullable<Gate["question"]> = (asked, signal) =>
    new Promise((resolve) => {
      model.question = { question: asked, seen: false };
      reply = (text) => {
        const seen = model.question?.seen === true;
        model.question = null;
        reply = null;
        finish(transcript.question(asked, text, width()));
        if (seen) restoreText(setAside, composer.take());
        setAside = "";
        showState();
        resolve(text);
      };
      signal.addEventListener("abort", () => reply?.(null), { once: true });
      showState();
    });

  const emit = (event: AgentEvent): void => {
    model.inspector = inspected(model.inspector, event, messages);
    follow(model, event, messages);
    if (event.type === "step-started") {
      const waiting = inbox?.waiting() ?? [];
      for (const text of steering.slice(0, steering.length - waiting.length))
        finish(transcript.user(text, width()));
    }
    finish(transcript.lines(event, width(), details));
    refreshQueue();
  };

  const answerPanel = (text: string): void => {
    const { panel } = model;
    if (!panel || !answer) return;
    const word = readWord(panel.proposal, text);
    if (word.kind === "other") {
      model.panel = { ...panel, reminded: true };
      composer.setText(text);
    } else if (word.kind === "approve")
      answer({ verdict: "approve", by: "user", ...(word.always ? { always: true } : {}) });
    else answer({ verdict: "reject", by: "user", ...(word.feedback ? { feedback: word.feedback } : {}) });
    screen.requestRender();
  };

  /** The queue back into the composer, so that a cancel neither loses nor sends it. */
  const takeBack = (agent: Agent): void =>
    restoreText(...agent.inbox.drain(), ...after.splice(0), composer.take());

  const runTask = async (agent: Agent, text: string): Promise<TaskOutcome | null> => {
    inbox = agent.inbox;
    let ended: TaskOutcome | null = null;
    let next: string | undefined = text;
    while (next !== undefined) {
      finish(transcript.user(next, width()));
      cancel = new AbortController();
      const { signal } = cancel;
      doing(model, messages["tui.thinking"]);
      showState();
      const ran = await agent.run(next, signal).catch((error: unknown) => {
        finish(transcript.say(messageOf(error), width(), "error"));
        return null;
      });
      ended = ran;
      cancel = null;
      clearTimeout(tick);
      tick = undefined;
      model.activity = null;
      model.output = "";
      model.draft = "";
      if (signal.aborted || ran === null) takeBack(agent);
      next = agent.inbox.drain().join("\n\n") || after.shift();
      refreshQueue();
      showState();
    }
    return ended;
  };

  const steps = (key: PagingKey): number => {
    const page = Math.max(1, view.fitted.height - 1);
    return { up: -1, down: 1, "page-up": -page, "page-down": page, tab: 0, enter: 0, escape: 0 }[key];
  };

  return {
    gate: { ...gate, question },
    emit,
    busy: () => cancel !== null,
    atPanel,
    atQuestion: () => model.question?.seen === true,
    answerQuestion: (text) => {
      const asked = model.question;
      if (!asked?.seen || text.trim() === "") return false;
      const answer = readAnswer(asked.question, text);
      if (answer !== null && (text.startsWith("/") || strayWord(text) !== null)) return false;
      reply?.(answer);
      return true;
    },
    submitWhileBusy: (text) => {
      if (atPanel()) {
        answerPanel(text);
        return true;
      }
      if (!cancel || !inbox) return false;
      inbox.push(text);
      refreshQueue();
      return true;
    },
    runTask,
    queue: (text) => {
      after.push(text);
      refreshQueue();
    },
    interrupt: () => {
      if (!cancel || cancel.signal.aborted) return false;
      cancel.abort();
      showState();
      return true;
    },
    panelKey: (key) => {
      const { panel } = model;
      if (model.question) {
        if (key !== "escape") return false;
        if (composer.text() === "") reply?.(null);
        else composer.setText("");
        return true;
      }
      if (!panel || !atPanel()) return false;
      const { total, height } = view.fitted;
      const typed = composer.text();
      const word = confirmWord(panel.proposal);
      if (key === "escape") {
        composer.setText("");
        model.panel = { ...panel, reminded: false };
      } else if (key === "tab") {
        if (!wholeSeen(panel, total)) model.hint = messages["tui.tab-later"];
        // What destroys is confirmed by typing its id: looking at it is the point.
        else if (word !== confirmWords[panel.proposal.content.kind])
          model.hint = messages["tui.tab-never"](word);
        else if (word.startsWith(typed)) composer.setText(word);
      } else if (key === "page-up" || key === "page-down" || (typed === "" && key !== "enter"))
        model.panel = panelScrolled(panel, steps(key), total, height);
      else return false;
      screen.requestRender();
      return true;
    },
    toggleOverlay: (kind) => {
      model.overlay = model.overlay?.kind === kind ? null : { kind, pager: firstPage, follows: true };
      if (kind === "inspector") model.inspector = lastSelected(model.inspector);
      screen.requestRender();
    },
    overlayKey: (key) => {
      const { overlay } = model;
      if (!overlay) return;
      const { total, height, top } = view.fitted;
      const pager = { ...overlay.pager, top };
      if (key === "escape") model.overlay = null;
      else if (overlay.kind === "inspector" && (key === "up" || key === "down" || key === "enter")) {
        model.inspector = key === "enter" ? toggled(model.inspector) : moved(model.inspector, steps(key));
        model.overlay = { ...overlay, pager, follows: true };
      } else
        model.overlay = { ...overlay, pager: scrolled(pager, steps(key), total, height), follows: false };
      screen.requestRender();
    },
    toggleDetails: () => {
      details = !details;
      return details;
    },
    say: (text, style) => finish(transcript.say(text, width(), style)),
    echo: (text) => finish(transcript.user(text, width())),
    list: (items) => finish(transcript.list(items, width())),
    opening: (facts) => finish(transcript.opening(facts, width())),
    forget: () => {
      model.inspector = emptyInspector;
      model.patches = [];
      model.footer.steps = 0;
    },
  };
}
