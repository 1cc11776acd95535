// The loop (design §4): ask the model, carry out its calls, ask again; when it stops, the exit gate; then facts, outcome, receipt.
import type { Message } from "../protocol/message.ts";
import type { StopReason } from "../protocol/model.ts";
import { note } from "../protocol/note.ts";
import type { TaskOutcome } from "../protocol/outcome.ts";
import { receiptOf } from "../record/receipt.ts";
import { AppError, messageOf } from "../util/errors.ts";
import { type Answered, askModel, retract } from "./ask-model.ts";
import { closeOut } from "./close-out.ts";
import { dispatch } from "./dispatcher.ts";
import { withNotes } from "./notes.ts";
import type { AgentPorts, TaskOptions } from "./ports.ts";
import { unheardNews } from "./settle.ts";
import { costStop, spendingOf } from "./spending.ts";
import { advance, recordFacts, startTask, syncTree, type TaskRun } from "./task.ts";

/**
 * Carries one user message to its outcome. Never throws for what a model, a tool or the user does; what it cannot handle
 * (a record that cannot be written) ends the task as `internal_error`. Rejects only when the task cannot begin, because the
 * tree cannot be looked at.
 */
export async function runTask(
  text: string,
  ports: AgentPorts,
  options: TaskOptions,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const run = await startTask(ports, options, signal);
  const { mode, guided } = options;
  try {
    await ports.record.append({ type: "task", text, mode, guided, tree: run.tree.hash });
    ports.emit({ type: "task-started", text, mode, guided, session: ports.record.id });
    await tell(run, text, unheardNews(ports.record.entries));
    while (!run.guided.ended) await step(run);
    return await finish(run);
  } catch (error) {
    return await fail(run, error);
  } finally {
    run.budgets.end();
  }
}

/** One model request and what it leads to. */
async function step(run: TaskRun): Promise<void> {
  if (run.userSignal.aborted) return void advance(run, { type: "cancelled" });
  run.stop ??= usedUp(run);
  if (run.stop) return stop(run, run.stop.end);
  run.steps++;
  run.ports.emit({ type: "step-started", step: run.steps, of: run.budgets.maxSteps });
  const answered = await askModel(run);
  if (!answered) return;
  const { message } = answered;
  if (message.calls.length > 0) return carryOut(run, answered);
  if (message.text.trim() === "") return emptyAnswer(run, answered);
  await addAnswer(run, answered);
  const cut = cutShort[answered.stop];
  if (cut) run.ports.emit({ type: "note", text: cut });
  const draft = message.text;
  const goOn = await closeOut(run, { type: "answered" });
  if (goOn === null && isAccepted(run)) return run.ports.emit({ type: "answer", text: draft });
  await retract(run, draft, goOn === null ? "cancelled" : "check");
  if (goOn !== null) await hand(run, (notes) => tell(run, note(goOn), notes));
}

/** An answer is the task's answer unless the user cancelled while its check was pending. */
function isAccepted(run: TaskRun): boolean {
  return run.guided.ended?.end === "answered";
}

async function carryOut(run: TaskRun, answered: Answered): Promise<void> {
  const { message, stop: reason } = answered;
  // The text stays in the conversation, so only the screen has something to take back.
  if (message.text) run.ports.emit({ type: "draft-retracted", text: message.text, reason: "calls" });
  await addAnswer(run, answered);
  const cutOff = reason === "length";
  if (cutOff && run.signatures.at(-1) === CUT_OFF) stopCutOff(run);
  const results = await dispatch(run, message.calls, message.text, unusable[reason] ?? null);
  if (cutOff) run.signatures.push(CUT_OFF);
  await hand(run, async (notes) => {
    for (const result of withNotes(results, [...notes, ...lastStepNote(run)])) await addMessage(run, result);
  });
  if (run.guided.closing && !run.guided.ended) await closeOut(run, null);
}

/** Has `send` pass on what the user typed meanwhile, if there is a next step to read it; it is kept when that fails. */
async function hand(run: TaskRun, send: (notes: string[]) => Promise<void>): Promise<void> {
  const said = goesOn(run) ? run.ports.inbox.drain() : [];
  try {
    await send(said.map((text) => `The user adds: ${text}`));
  } catch (error) {
    run.ports.inbox.restore(said);
    throw error;
  }
}

/** Whether the model is going to be asked again. */
function goesOn(run: TaskRun): boolean {
  return !run.guided.ended && !run.guided.closing && !run.stop && usedUp(run) === null;
}

/** The limit that leaves no room for one more request, if one does. */
function usedUp({ signal, steps, budgets, ports, options }: TaskRun): TaskRun["stop"] {
  const detail = signal.aborted
    ? "the time for this task is used up"
    : steps >= budgets.maxSteps
      ? `all ${budgets.maxSteps} steps are used up`
      : costStop(ports.record.entries, options.maxCostUsd);
  return detail === null ? null : { end: "budget", detail };
}

function lastStepNote(run: TaskRun): string[] {
  return goesOn(run) && run.steps === run.budgets.maxSteps - 1
    ? ["One step is left: answer now, and say what is not done."]
    : [];
}

/** A user message with notes behind it. */
async function tell(run: TaskRun, text: string, notes: readonly string[]): Promise<void> {
  const all = [...notes, ...lastStepNote(run)].map(note);
  await addMessage(run, { role: "user", text: [text, ...all].join("\n\n") });
}

const cutShort: Partial<Record<StopReason, string>> = {
  length: "The answer was cut off by the model's output limit.",
  filtered: "The answer was cut off by the server's content filter.",
};

/** Calls of a reply that the server cut short are never run: nobody knows what is missing. */
const unusable: Partial<Record<StopReason, string>> = {
  length:
    "Your reply was cut off by the output limit, so this call was not run. Send it again in smaller parts.",
  filtered:
    "Your reply was cut off by the server's content filter, so this call was not run. Word it differently.",
};

/** What stands among the signatures of calls for a reply that brought none, and after one whose calls were cut off. */
export const EMPTY = "(empty)";
const CUT_OFF = "(cut off)";

/** A step with neither text nor calls is asked again once; a second one in a row ends the task. */
async function emptyAnswer(run: TaskRun, answered: Answered): Promise<void> {
  const { message, stop: reason } = answered;
  if (message.text) await retract(run, message.text, "failed");
  await addAnswer(run, { ...answered, message: { ...message, text: EMPTY } });
  const kind = reason === "length" ? CUT_OFF : EMPTY;
  const last = run.signatures.at(-1);
  run.signatures.push(kind);
  if (last === kind) {
    if (kind === CUT_OFF) stopCutOff(run);
    else run.stop = { end: "model_failed", detail: "the model answered twice with nothing", retryable: true };
    return;
  }
  const again =
    kind === CUT_OFF
      ? "Your reply was cut off by the output limit before it said anything. Think less, and do one small part at a time."
      : "Your reply was empty. Call a tool or answer in text.";
  await hand(run, (notes) => tell(run, note(again), notes));
}

/** Two replies in a row that the output limit cut off: the next one would be cut off too (case S03). */
function stopCutOff(run: TaskRun): void {
  run.stop = { end: "budget", detail: "two replies in a row were cut off by the model's output limit" };
  run.ports.emit({
    type: "note",
    text: "Raise maxOutputTokens in the profile, or ask for smaller steps.",
  });
}

/** A budget is used up or the model failed: the debt is still offered its check, on the user's signal alone. */
async function stop(run: TaskRun, end: NonNullable<TaskRun["stop"]>["end"]): Promise<void> {
  await closeOut(run, { type: "stopped", end });
}

async function addMessage(run: TaskRun, message: Message): Promise<void> {
  await run.ports.record.append({ type: "message", message });
}

async function addAnswer(run: TaskRun, { message, usage, stop }: Answered): Promise<void> {
  await run.ports.record.append({ type: "message", message, ...spendingOf(run, usage), stop });
}

/** Facts for the receipt without the model, then outcome and receipt. */
async function finish(run: TaskRun): Promise<TaskOutcome> {
  const { record, world } = run.ports;
  const { ended } = run.guided;
  if (!ended) throw new Error("a task ends only with an outcome");
  const why = run.stop?.end === ended.end ? run.stop : null;
  const outcome: TaskOutcome = {
    ...ended,
    ...(why === null ? {} : { detail: why.detail }),
    ...(why?.retryable === undefined ? {} : { retryable: why.retryable }),
    ...(run.unattended && ended.work.state === "none" ? { unattended: true } : {}),
  };
  await syncTree(run);
  const git = await world.gitStatus();
  if (git) await recordFacts(run, [git]);
  await record.append({ type: "outcome", outcome });
  return announce(run, outcome);
}

/** The end of a task that could not be carried on: what can still be recorded is, and it is told either way. */
async function fail(run: TaskRun, error: unknown): Promise<TaskOutcome> {
  // What breaks off because of the user's cancel is that cancel; a record that cannot be written never is.
  const cancelled = run.userSignal.aborted && !(error instanceof AppError);
  advance(run, { type: cancelled ? "cancelled" : "crashed" });
  const outcome: TaskOutcome = {
    end: cancelled ? "cancelled" : "internal_error",
    work: run.guided.ended?.work ?? { state: "none" },
    detail: messageOf(error),
  };
  await run.ports.record.append({ type: "outcome", outcome }).catch(() => undefined);
  return announce(run, outcome);
}

function announce(run: TaskRun, outcome: TaskOutcome): TaskOutcome {
  const { record, emit } = run.ports;
  const now = { tree: run.tree.hash, session: record.id, chainHead: record.head };
  const receipt = receiptOf(record.entries, outcome, now);
  emit({ type: "task-ended", outcome, receipt });
  return outcome;
}
