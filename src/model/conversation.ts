// A conversation as every protocol accepts it, whatever was stored. Pure; used by the adapters before they put it into their
// server's form: one missing result would make every later request of the session a 400 (cases S02, S06).
import type { AssistantMessage, Message, ToolCall, ToolMessage } from "../protocol/message.ts";
import { note } from "../protocol/note.ts";
import { readLooseJson } from "../util/loose-json.ts";
import { unusedCallId } from "./call-ids.ts";

const beginning = note("What came before is left out.");
const unanswered = note("The task ended here without an answer.");
const onward = note("Go on.");
const noWords = "(empty)";
const noResult = "cancelled: nothing is known of how this call ended";

/**
 * The messages with every fault mended that a server refuses a conversation for; one without faults comes back as it is.
 * What is given back holds to this: system messages are one, at the beginning; then a user message; every call is followed at
 * once by its one result, in call order, a missing one being `cancelled`; there is no other result; no text is blank but that
 * of an assistant message with calls; two user messages, and two assistant messages, are parted; ids of calls are unique and
 * `acceptsId` says yes to them; names fit `[A-Za-z0-9_-]{1,64}`; arguments are a JSON object; no text holds half a character.
 *
 * What a message becomes depends on those before it and, for a call, on its results alone: so a longer conversation begins with
 * the messages of the shorter one. A user message may follow a tool result; `bridged` parts them.
 */
export function wellFormed(
  messages: readonly Message[],
  acceptsId: (id: string) => boolean = (id) => id !== "",
): Message[] {
  const headEnd = messages.findIndex(({ role }) => role !== "system");
  const head = headEnd === -1 ? messages : messages.slice(0, headEnd);
  const body = messages.slice(head.length);
  const formed = systemMessage(head);
  const taken = new Set<string>();
  for (const [at, message] of body.entries()) {
    if (message.role === "tool" || isNothing(message)) continue;
    const next = formedMessage(message, taken, acceptsId);
    formed.push(...between(formed.at(-1), next), next);
    if (message.role === "assistant" && next.role === "assistant") {
      formed.push(...results(message.calls, next.calls, body.slice(at + 1)));
    }
  }
  return formed;
}

/** Parts a user message from a tool result before it, with an assistant's: some servers refuse the one right after the other. */
export function bridged(messages: readonly Message[]): Message[] {
  return messages.flatMap((message, at) =>
    message.role === "user" && messages[at - 1]?.role === "tool"
      ? [{ role: "assistant", text: unanswered, calls: [] }, message]
      : [message],
  );
}

function isNothing(message: Message): boolean {
  return message.role === "assistant" && message.calls.length === 0 && message.text.trim() === "";
}

function systemMessage(head: readonly Message[]): Message[] {
  const texts = head.flatMap((message) => (message.role === "system" ? [message.text.toWellFormed()] : []));
  const text = texts.filter((part) => part.trim() !== "").join("\n\n");
  return text === "" ? [] : [{ role: "system", text }];
}

/** What must stand between two messages that may not follow each other, or before the first. */
function between(before: Message | undefined, next: Message): Message[] {
  if (next.role === "user") {
    return before?.role === "user" ? [{ role: "assistant", text: unanswered, calls: [] }] : [];
  }
  if (before === undefined || before.role === "system") return [{ role: "user", text: beginning }];
  return before.role === "assistant" ? [{ role: "user", text: onward }] : [];
}

function formedMessage(
  message: Exclude<Message, ToolMessage>,
  taken: Set<string>,
  acceptsId: (id: string) => boolean,
): Message {
  // A system message that is not at the beginning can only be data by now.
  if (message.role !== "assistant") return { role: "user", text: words(message.text) };
  const { text, reasoning, calls } = message;
  return {
    ...message,
    text: text.toWellFormed(),
    ...(reasoning === undefined ? {} : { reasoning: reasoning.toWellFormed() }),
    calls: calls.map((call) => {
      const id = taken.has(call.id) || !acceptsId(call.id) ? unusedCallId(taken) : call.id;
      taken.add(id);
      return { id, name: nameOf(call), arguments: argumentsOf(call) };
    }),
  };
}

function words(text: string): string {
  return text.trim() === "" ? noWords : text.toWellFormed();
}

/** One result for each call, from what follows until the next assistant message: an id can come again later. */
function results(
  calls: AssistantMessage["calls"],
  formed: AssistantMessage["calls"],
  after: readonly Message[],
): ToolMessage[] {
  const end = after.findIndex(({ role }) => role === "assistant");
  const given = (end === -1 ? after : after.slice(0, end)).filter((message) => message.role === "tool");
  return formed.map(({ id }, n) => {
    const at = given.findIndex(({ callId }) => callId === calls[n]?.id);
    const [result] = at === -1 ? [] : given.splice(at, 1);
    if (result === undefined) return { role: "tool", callId: id, outcome: "cancelled", content: noResult };
    return { ...result, callId: id, content: words(result.content) };
  });
}

function nameOf({ name }: ToolCall): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unknown";
}

/** What the model wrote, byte for byte where it is a JSON object; what was mended before it was run is mended here as well. */
function argumentsOf(call: ToolCall): string {
  const read = readLooseJson(call.arguments);
  if (!read.ok || typeof read.value !== "object" || read.value === null || Array.isArray(read.value))
    return "{}";
  const json = read.json.toWellFormed();
  return /\\ud[89a-f]/i.test(json) ? withoutHalfCharacters(json) : json;
}

/** JSON can hold half a character as an escape. */
function withoutHalfCharacters(json: string): string {
  const whole = (value: unknown): unknown => {
    if (typeof value === "string") return value.toWellFormed();
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name.toWellFormed(), whole(part)]),
    );
  };
  return JSON.stringify(whole(JSON.parse(json)));
}
