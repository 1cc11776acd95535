// A recorded session as a script: each answer of the model with what the agent must have sent before it. Pure; used by script.ts.
import { EMPTY } from "../agent/loop.ts";
import type { Script, ScriptStep, When } from "../model/script.ts";
import type { AssistantMessage, Message } from "../protocol/message.ts";
import { note } from "../protocol/note.ts";
import { confirmWord, type Decision } from "../protocol/proposal.ts";
import type { BodyOf, RecordEntry } from "../protocol/record.ts";
import { proposalsOf } from "../record/facts.ts";
import { conversation } from "../record/restore.ts";

/** As much of a text as a step expects: what differs, differs early or in what comes of it. */
const EXPECTED = 200;

/** The session's script; it has no steps where no answer is on record. */
export function scriptOf(entries: readonly RecordEntry[]): Script {
  const model = entries.map(({ body }) => (body.type === "session" ? body.model : "")).find(Boolean);
  return {
    name: `${(model ?? "a model").replace(/, recorded$/, "")}, recorded`,
    tasks: tasksOf(entries),
    steps: entries.flatMap(({ body }, at) =>
      body.type === "message" && body.message.role === "assistant"
        ? [stepOf(body.message, body, entries.slice(0, at))]
        : [],
    ),
  };
}

type Task = NonNullable<Script["tasks"]>[number];

function tasksOf(entries: readonly RecordEntry[]): Task[] {
  const proposals = proposalsOf(entries);
  const tasks: Task[] = [];
  for (const { body } of entries) {
    if (body.type === "task") {
      const { text, mode, guided } = body;
      tasks.push({ text, mode, guided, words: [] });
    }
    if (body.type !== "decision" || body.decision.by !== "user") continue;
    const proposal = proposals.get(body.decision.seq);
    if (proposal !== undefined) tasks.at(-1)?.words.push(wordOf(body.decision, confirmWord(proposal)));
  }
  return tasks;
}

function wordOf({ verdict, always, feedback }: Decision, confirm: string): string {
  if (verdict === "approve") return always ? `${confirm} always` : confirm;
  return verdict === "cancel" ? "(cancelled)" : `CANCEL ${feedback ?? ""}`.trimEnd();
}

function stepOf(
  message: AssistantMessage,
  { usage, stop }: BodyOf<"message">,
  before: readonly RecordEntry[],
): ScriptStep {
  const { text, reasoning, calls } = message;
  const sent = conversation(before);
  const byItself = calls.length > 0 ? "calls" : "stop";
  const isEmpty = calls.length === 0 && text === EMPTY;
  return {
    when: expectedOf(sent, before),
    messages: sent.length,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(text === "" || isEmpty ? {} : { text }),
    ...(calls.length === 0 ? {} : { calls: calls.map(callOf) }),
    ...(stop === undefined || stop === byItself ? {} : { stop }),
    ...(usage === undefined || Object.keys(usage).length === 0 ? {} : { usage }),
  };
}

function callOf({ id, name, arguments: text }: AssistantMessage["calls"][number]) {
  return { name, arguments: asObject(text) ?? text, id };
}

/** The arguments as an object, when the object's JSON is the very text that the model wrote. */
function asObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    // As an object's key it would not come through the schema.
    return JSON.stringify(value) === text && !text.includes("__proto__") ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** What a replay must have sent too: results by their outcome and how they begin, a task by its text, a note by its end. */
function expectedOf(sent: readonly Message[], before: readonly RecordEntry[]): When {
  const last = sent.at(-1);
  if (last === undefined || last.role === "assistant" || last.role === "system") return {};
  if (last.role === "tool") {
    const answer = sent.findLastIndex(({ role }) => role === "assistant");
    const results = sent.slice(answer + 1).filter((message) => message.role === "tool");
    return {
      lastRole: "tool",
      results: results.map(({ outcome, content }) => ({ outcome, ...containing(steadyStart(content)) })),
    };
  }
  const task = before.findLast(({ body }) => body.type === "task")?.body;
  if (task?.type === "task" && last.text.startsWith(task.text)) {
    return { lastRole: "user", lastUserContains: clipped(task.text) };
  }
  // A note begins with what a program printed and ends with MiniCode's own words; what the user typed meanwhile comes behind it.
  const said = last.text.split(`\n\n${note("")}`, 1)[0] ?? "";
  return { lastRole: "user", lastUserContains: clipped(said.split("\n\n").at(-1) ?? "") };
}

function containing(text: string): { contains?: string } {
  return text.length < 3 ? {} : { contains: text };
}

/** Times, hashes, dates and places outside of the workspace are other ones in every run. */
const unsteady =
  /\d+(?:\.\d+)? ?(?:ms|s|min)\b|\b[0-9a-f]{7,}\b|(?<![\w.-])\/\w|\b\d{4}-\d\d-\d\d\b|\b\d\d:\d\d\b|file:\/\//;

/** A result's first line as far as every run writes it. */
function steadyStart(content: string): string {
  const line = content.split("\n", 1)[0] ?? "";
  const end = unsteady.exec(line)?.index ?? line.length;
  return clipped(line.slice(0, end).replace(/[\s,;:(]+$/, ""));
}

function clipped(text: string): string {
  return text.slice(0, EXPECTED).replace(/[\uD800-\uDBFF]$/, "");
}
