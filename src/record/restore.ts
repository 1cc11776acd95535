// What a session was doing, folded from its record: conversation, files seen, open effects, debt. Pure; used by
// src/agent/ at every step and by src/app.ts on resume.
import type { AssistantMessage, Message, ToolMessage } from "../protocol/message.ts";
import type { Proposal } from "../protocol/proposal.ts";
import type { RecordEntry } from "../protocol/record.ts";
import { factsOf, netChanges, passedOn, proposalsOf } from "./facts.ts";

/**
 * The conversation as a provider accepts it: no system messages, each call answered directly by exactly one result in call
 * order (a missing one says that it was cancelled), no result without its call, no empty answer (cases S06, M01e).
 */
export function conversation(entries: readonly RecordEntry[]): Message[] {
  const messages = entries.flatMap(({ body }) => (body.type === "message" ? [body.message] : []));
  return messages.flatMap((message, index): Message[] => {
    switch (message.role) {
      case "user":
        return [message];
      case "assistant":
        if (message.calls.length === 0) return message.text.trim() === "" ? [] : [message];
        return [message, ...answers(message, messages, index + 1)];
      default:
        return []; // results go where their calls are; the system message is made anew
    }
  });
}

/** One result per call, taken from what follows until the next assistant message: ids can come again later. */
function answers({ calls }: AssistantMessage, messages: readonly Message[], from: number): ToolMessage[] {
  let end = from;
  while (end < messages.length && messages[end]?.role !== "assistant") end += 1;
  const results = messages.slice(from, end).filter((message) => message.role === "tool");
  return calls.map(({ id }) => {
    const found = results.findIndex(({ callId }) => callId === id);
    const [result] = found === -1 ? [] : results.splice(found, 1);
    return result ?? { role: "tool", callId: id, outcome: "cancelled", content: unanswered };
  });
}

const unanswered = "cancelled: MiniCode was stopped before this call ended";

/** The content hashes of each path that the model has seen: read, or written by our own patch. */
export function seenFiles(entries: readonly RecordEntry[]): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  for (const fact of factsOf(entries)) {
    const hash =
      fact.type === "file_read" ? fact.hash : fact.type === "applied" ? fact.after?.hash : undefined;
    if (hash === undefined || !("path" in fact)) continue;
    seen.set(fact.path, (seen.get(fact.path) ?? new Set()).add(hash));
  }
  return seen;
}

/** Proposals whose effect began and has no end: it is settled from the disk before anything else happens. */
export function openEffects(entries: readonly RecordEntry[]): Proposal[] {
  const open = new Set<number>();
  for (const { body } of entries) {
    if (body.type === "effect_begun") open.add(body.seq);
    if (body.type === "effect_ended") open.delete(body.seq);
  }
  return [...proposalsOf(entries).values()].filter(({ seq }) => open.has(seq));
}

/** Paths that this session made or its commands changed, as far as they are there; with the tracked files they are the tree. */
export function madeFiles(entries: readonly RecordEntry[]): string[] {
  const made = new Set<string>();
  for (const fact of factsOf(entries)) {
    if (fact.type === "ran") for (const path of fact.changed) made.add(path);
    if (fact.type !== "applied") continue;
    if (fact.after === null) made.delete(fact.path);
    else if (fact.before === null) made.add(fact.path);
  }
  return [...made];
}

export interface Debt {
  /**
   * This session changed the tree, and something changed since the required check last passed. Whether there is a debt
   * the present tree says: it has one unless its hash is `lastPassTree`.
   */
  dirty: boolean;
  /** Hash of the tree on which the required check last passed. */
  lastPassTree: string | null;
  /** Paths that this session changed on balance. */
  changedPaths: string[];
}

/** What this session changed, and the last tree that its required check passed on. */
export function debt(entries: readonly RecordEntry[]): Debt {
  const facts = factsOf(entries);
  const changedPaths = netChanges(facts).map(({ path }) => path);
  let lastPassTree: string | null = null;
  let moved = false;
  for (const fact of facts) {
    if (fact.type === "applied" || fact.type === "drift") moved = true;
    if (fact.type === "ran") moved ||= fact.treeBefore !== fact.treeAfter;
    const passed = fact.type === "check" ? passedOn(fact, facts) : null;
    if (passed !== null) {
      lastPassTree = passed;
      moved = false;
    }
  }
  // A command that was cut off by a crash may have changed anything: its drift names no paths.
  const ours =
    changedPaths.length > 0 || facts.some((fact) => fact.type === "drift" && fact.by === "command");
  return { dirty: moved && ours, lastPassTree, changedPaths };
}

/** Whether the last task was cut off: it has no outcome. */
export function unfinishedTask(entries: readonly RecordEntry[]): boolean {
  const last = entries.findLast(({ body }) => body.type === "task" || body.type === "outcome");
  return last?.body.type === "task";
}

/** The number of the next proposal. */
export function nextSeq(entries: readonly RecordEntry[]): number {
  return entries.reduce(
    (next, { body }) => (body.type === "proposal" ? Math.max(next, body.proposal.seq + 1) : next),
    1,
  );
}
