// One step's calls to one result each, in call order (design §4). Reads run side by side until the first effect; neighbouring
// write calls become one patch; after a rejected or failed effect the step's further effects are skipped.
import type { ToolCall, ToolMessage } from "../protocol/message.ts";
import { result, type Tool, type ToolResult } from "../tools/contract.ts";
import { parseArguments } from "./arguments.ts";
import { askUser } from "./ask-user.ts";
import { clip, clipStep } from "./clip.ts";
import { lastStepWords } from "./close-out.ts";
import { carry } from "./corridor.ts";
import { watchForOrders } from "./orders.ts";
import { carryPatches } from "./patch-group.ts";
import { prepare } from "./prepare.ts";
import { clearRead } from "./reads.ts";
import { isLoop, signatureOf } from "./repeats.ts";
import { recordFacts, type TaskRun } from "./task.ts";

/** A call with its tool found and its arguments read, or the result it already has. */
type Entry =
  | { call: ToolCall; tool: Tool; input: unknown; done?: undefined }
  | { call: ToolCall; tool: Tool | undefined; done: ToolResult };

/**
 * Carries out the calls of one step. `intent` is the step's text; `unusable` says why no call of it may run, if so. Every
 * call gets exactly one message, in call order.
 */
export async function dispatch(
  run: TaskRun,
  calls: readonly ToolCall[],
  intent: string,
  unusable: string | null,
): Promise<ToolMessage[]> {
  const entries = calls.map((call) => readEntry(run, call, unusable));
  const results: ToolResult[] = [];
  let halted: string | null = null;
  for (let at = 0; at < entries.length; ) {
    const group = nextGroup(entries, at);
    for (const entry of group) announceStart(run, entry);
    const stopped = whyStopped(run) ?? (isEffect(group[0]) ? halted : null);
    const ended: ToolResult[] =
      stopped === null ? await runGroup(run, group, intent) : group.map(() => stoppedResult(run, stopped));
    for (const [i, end] of ended.entries()) {
      const entry = group[i];
      if (entry) announceEnd(run, entry.call, end);
      if (entry && !entry.done) watchForOrders(run, entry.tool, entry.tool.label(entry.input), end);
      results.push(end);
    }
    const failed = ended.find((r) => r.outcome !== "ok" && r.outcome !== "skipped");
    if (failed && isEffect(group[0])) halted ??= `an earlier call of this reply was ${failed.outcome}`;
    at += group.length;
  }
  const texts = clipStep(results.map((r) => r.content));
  for (const [i, call] of calls.entries()) {
    // What the model has not seen whole it may ask for again.
    if (texts[i] !== results[i]?.content) run.reads.delete(signatureOf(call));
  }
  return calls.map((call, i) => ({
    role: "tool",
    callId: call.id,
    outcome: results[i]?.outcome ?? "skipped",
    content: texts[i] ?? "",
  }));
}

function readEntry(run: TaskRun, call: ToolCall, unusable: string | null): Entry {
  run.signatures.push(signatureOf(call));
  if (!run.stop && isLoop(run.signatures)) {
    run.stop = { end: "budget", detail: `the model repeated the same calls (${call.name})` };
  }
  const { tools } = run.ports;
  const tool = tools.find((t) => t.name === call.name);
  if (unusable !== null) return { call, tool, done: result("invalid", unusable) };
  if (!tool) {
    const names = tools.map((t) => t.name).join(", ");
    return {
      call,
      tool,
      done: result("unknown", `There is no tool "${call.name}". The tools are: ${names}.`),
    };
  }
  const input = parseArguments(call.arguments, tool.input);
  if (!input.ok) return { call, tool, done: result(input.refusal.outcome, input.refusal.message) };
  return { call, tool, input: input.value };
}

/** The calls that go together from `at`: a run of reads, a run of patches, or one other call. */
function nextGroup(entries: readonly Entry[], at: number): Entry[] {
  const kind = effectOf(entries[at]);
  let end = at + 1;
  if (kind === "read" || kind === "patch") {
    while (end < entries.length && effectOf(entries[end]) === kind) end++;
  }
  return entries.slice(at, end);
}

/** A call that could not be read counts as what its tool does; an unknown one changes nothing. */
function effectOf(entry: Entry | undefined): Tool["effect"] {
  return entry?.tool?.effect ?? "read";
}

function isEffect(entry: Entry | undefined): boolean {
  const effect = effectOf(entry);
  return effect !== "read" && effect !== "question";
}

async function runGroup(run: TaskRun, group: readonly Entry[], intent: string): Promise<ToolResult[]> {
  const [first] = group;
  if (effectOf(first) === "patch") return carryPatches(run, group, intent);
  if (!first || first.done || first.tool.effect === "read") {
    // Questions come one after the other; what may run then runs side by side.
    const cleared: (ToolResult | (() => Promise<ToolResult>))[] = [];
    for (const e of group) cleared.push(e.done ?? (await clearRead(run, e.call, e.tool, e.input)));
    const ended = await Promise.all(cleared.map((c) => (typeof c === "function" ? c() : c)));
    for (const end of ended) await recordFacts(run, end.facts);
    return ended;
  }
  const prepared = await prepare(run, first.tool, first.input);
  switch (prepared.kind) {
    case "effect": {
      const { result: end, directive } = await carry(run, prepared.content, intent);
      const asked = directive?.type === "continue" && directive.why === "last_step";
      return [asked ? { ...end, content: `${end.content}\n\n${lastStepWords(run)}` } : end];
    }
    case "question":
      return [await askUser(run, prepared)];
    case "refused":
      await recordFacts(run, prepared.facts ?? []);
      return [result(prepared.refusal.outcome, prepared.refusal.message)];
    default:
      throw new Error(`${first.tool.name} prepared a ${prepared.kind}`);
  }
}

/** Why nothing more may run in this step, or null. */
function whyStopped(run: TaskRun): string | null {
  if (run.userSignal.aborted) return "the user cancelled the task";
  if (run.signal.aborted) return "the time for this task is used up";
  if (run.guided.ended || run.guided.closing) return "the task has ended";
  return run.stop ? `the task stops here: ${run.stop.detail}` : null;
}

function stoppedResult(run: TaskRun, why: string): ToolResult {
  return result(run.userSignal.aborted ? "cancelled" : "skipped", `Not run: ${why}.`);
}

function announceStart(run: TaskRun, { call, ...entry }: Entry): void {
  const label = entry.done ? call.name : entry.tool.label(entry.input);
  run.ports.emit({ type: "call-started", call, label });
}

function announceEnd(run: TaskRun, call: ToolCall, end: ToolResult): void {
  run.ports.emit({
    type: "call-ended",
    callId: call.id,
    name: call.name,
    outcome: end.outcome,
    content: clip(end.content),
  });
}
