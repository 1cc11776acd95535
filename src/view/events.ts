// Events as progress rows: what print mode writes while a task runs, and the TUI's call lines.
import type { Messages } from "../i18n/messages.ts";
import { safeLine } from "../policy/safe-text.ts";
import type { AgentEvent } from "../protocol/event.ts";
import type { Fact, FactOf } from "../protocol/fact.ts";
import type { CallOutcome } from "../protocol/message.ts";
import { confirmWord, type Decision, type Proposal } from "../protocol/proposal.ts";
import { checkResultSpan } from "./check.ts";
import { argvRows, exactLine, exactRows, failingRows, nameList, scriptRows } from "./exact.ts";
import { proposalId } from "./proposal.ts";
import { indented, labelled, type Row, type Style, span } from "./row.ts";

/**
 * A function from each event, in order, to its rows; it remembers the labels of the calls that are still open.
 * Streamed text and output, the answer, panels and the receipt have no rows here: the caller shows them in its own way.
 */
export function createEventRows(messages: Messages): (event: AgentEvent) => Row[] {
  const labels = new Map<string, string>();
  /** The command lines of approved proposals, by their number. */
  const lines = new Map<number, string>();
  return (event) => {
    switch (event.type) {
      case "call-started":
        labels.set(event.call.id, event.label);
        return [];
      case "call-ended": {
        const label = labels.get(event.callId) ?? event.name;
        labels.delete(event.callId);
        return [callRow(label, event.outcome, event.content, messages)];
      }
      case "decision":
        if (event.proposal.content.kind === "command" && event.proposal.content.shell !== undefined)
          lines.set(event.proposal.seq, event.proposal.content.shell);
        return [decisionRow(event.decision, event.proposal, messages)];
      case "fact":
        return factRows(event.fact, lines, messages);
      case "note":
        return exactRows(event.text, messages, "accent");
      case "draft-retracted":
        return [[span(`… ${messages[`retracted.${event.reason}`]}`, "dim")]];
      case "retrying": {
        const wait = messages["retry.wait"](Math.ceil(event.waitMs / 1000), event.attempt, event.of);
        return [[span(`${wait}: `, "warn"), ...exactLine(event.why)]];
      }
      case "task-started":
      case "step-started":
      case "text":
      case "answer":
      case "output":
      case "proposal":
      case "usage":
      case "task-ended":
        return [];
    }
  };
}

const callStyles: Record<CallOutcome, Style> = {
  ok: "ok",
  error: "error",
  invalid: "warn",
  unknown: "warn",
  denied: "warn",
  rejected: "warn",
  blocked: "warn",
  cancelled: "dim",
  skipped: "dim",
  timeout: "error",
};

function callRow(label: string, outcome: CallOutcome, content: string, messages: Messages): Row {
  const row = [...exactLine(label), span("  "), span(messages[`call.${outcome}`], callStyles[outcome])];
  const firstLine = content.split("\n").find((line) => line.trim() !== "");
  return outcome === "ok" || firstLine === undefined
    ? row
    : [...row, span(`: ${safeLine(firstLine).replace(/:$/, " …")}`)];
}

function decisionRow(
  { verdict, by, feedback, always }: Decision,
  proposal: Proposal,
  messages: Messages,
): Row {
  const { kind } = proposal.content;
  const words: Record<Decision["verdict"], string> = {
    approve: always ? "RUN always" : confirmWord(proposal),
    reject: "CANCEL",
    deny: messages["decision.deny"],
    cancel: messages["decision.cancel"],
  };
  return [
    span(words[verdict], verdict === "approve" ? "ok" : "warn"),
    span(` ${messages[`kind.${kind}`]} ${proposalId(proposal)} `),
    ...exactLine(messages["decision.by"](by), "dim"),
    ...(feedback === undefined ? [] : [span(": "), ...exactLine(feedback)]),
  ];
}

function factRows(fact: Fact, lines: ReadonlyMap<number, string>, messages: Messages): Row[] {
  switch (fact.type) {
    case "applied":
      return [
        [...exactLine(fact.path), span(` +${fact.added}`, "added"), span(` -${fact.removed}`, "removed")],
      ];
    case "ran":
      return ranRows(fact, lines.get(fact.seq), messages);
    case "check":
      return checkRows(fact, messages);
    case "drift":
      return driftRows(fact.by, fact.paths, messages);
    case "fetched":
      return [
        [...exactLine(fact.url), span(`  ${messages["fact.fetched"](fact.status, fact.bytes)}`, "dim")],
      ];
    case "file_read":
    case "git_status":
      return [];
  }
}

/** A command line as it was written, without the shell that took it. */
function ranRows(
  { argv, exit, signal, ms, changed }: FactOf<"ran">,
  line: string | undefined,
  messages: Messages,
): Row[] {
  const end = signal === null ? messages.exit(exit) : messages.signal(signal);
  const rows = line === undefined ? argvRows(argv, messages) : scriptRows(line, messages);
  const last = span(`  ${end}, ${messages.seconds(ms)}`, exit === 0 ? "dim" : "warn");
  return [
    ...rows.map((row, i) => (i === rows.length - 1 ? [...row, last] : row)),
    ...(changed.length === 0 ? [] : indented(driftRows("command", changed, messages))),
  ];
}

function driftRows(by: FactOf<"drift">["by"], paths: readonly string[], messages: Messages): Row[] {
  return labelled([span(messages[`drift.${by}`], "warn")], [nameList(paths, messages)]);
}

function checkRows({ label, result, failing, baseline }: FactOf<"check">, messages: Messages): Row[] {
  return [
    [
      span(`${messages[baseline ? "panel.baseline" : "panel.check"]}: `),
      ...exactLine(label, "code"),
      span(" "),
      checkResultSpan(result, messages),
    ],
    ...indented(failingRows(failing, messages)),
  ];
}
