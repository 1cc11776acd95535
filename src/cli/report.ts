// Tells a run to the outside: as text (answer on stdout, work on stderr), as one JSON object, or as a JSON line per event.
import type { Agent } from "../agent/handle.ts";
import { en } from "../i18n/en.ts";
import { unifiedDiff } from "../patch/diff.ts";
import { safeText } from "../policy/safe-text.ts";
import type { AgentEvent } from "../protocol/event.ts";
import type { PatchFile } from "../protocol/proposal.ts";
import type { Mode } from "../protocol/record.ts";
import { createEventRows } from "../view/events.ts";
import { exactRows } from "../view/exact.ts";
import { rowsToText } from "../view/plain.ts";
import { proposalRows } from "../view/proposal.ts";
import { receiptRows } from "../view/receipt.ts";
import type { Row } from "../view/row.ts";
import type { Flags } from "./flags.ts";
import { type Io, wantsColor, write } from "./io.ts";

export interface Reporter {
  /** Called once, before the first event. */
  opened(agent: Pick<Agent, "session" | "workspace" | "model" | "settled" | "warnings">): Promise<void>;
  event(event: AgentEvent): void;
  /** Called once, after the last event; resolves when everything is out. */
  finish(): Promise<void>;
}

export function createReporter(format: Flags["output-format"], mode: Mode, io: Io): Reporter {
  switch (format) {
    case "text":
      return textReporter(mode, io);
    case "json":
      return jsonReporter(io);
    case "stream-json":
      return lineReporter(io);
  }
}

/** Rows for what a person watches, in order: panels whole, one line per call, the receipt. */
export function createRowsOf(): (event: AgentEvent) => Row[] {
  const eventRows = createEventRows(en);
  return (event) => {
    if (event.type === "proposal") return [[], ...proposalRows(event.proposal, en)];
    if (event.type === "draft-retracted" && event.reason === "calls") return exactRows(event.text, en, "dim");
    if (event.type === "task-ended") return [[], ...receiptRows(event.receipt, en)];
    return eventRows(event);
  };
}

function textReporter(mode: Mode, io: Io): Reporter {
  const rowsOf = createRowsOf();
  const color = wantsColor(io.stderr, io.env);
  let proposed: readonly PatchFile[] = [];
  let answer = "";
  return {
    opened: async ({ settled, warnings }) => {
      const lines = [
        ...warnings,
        ...settled.map(({ seq, outcome, detail }) => en["cli.settled"](seq, outcome, detail ?? "")),
      ];
      for (const line of lines) await write(io.stderr, `${safeText(line)}\n`);
    },
    event: (event) => {
      if (event.type === "answer") answer = event.text;
      // In propose mode each patch holds those before it.
      if (event.type === "proposal" && event.proposal.content.kind === "patch")
        proposed = event.proposal.content.files;
      const rows = rowsOf(event);
      if (rows.length > 0) io.stderr.write(`${rowsToText(rows, { color })}\n`);
    },
    finish: async () => {
      const text = answer === "" ? "" : `${safeText(answer).trimEnd()}\n`;
      if (mode !== "propose") return write(io.stdout, text);
      await write(io.stderr, text);
      await write(io.stdout, unifiedDiff(proposed));
    },
  };
}

function jsonReporter(io: Io): Reporter {
  const started = performance.now();
  let opened: Parameters<Reporter["opened"]>[0] | undefined;
  let answer = "";
  let ended: Extract<AgentEvent, { type: "task-ended" }> | undefined;
  return {
    opened: async (agent) => {
      opened = agent;
    },
    event: (event) => {
      if (event.type === "answer") answer = event.text;
      if (event.type === "task-ended") ended = event;
    },
    finish: async () => {
      const result = {
        type: "result",
        subtype: ended?.outcome.end ?? "internal_error",
        is_error: ended?.outcome.end !== "answered",
        result: answer,
        session_id: opened?.session ?? "",
        settled: opened?.settled ?? [],
        warnings: opened?.warnings ?? [],
        num_steps: ended?.receipt.steps ?? 0,
        duration_ms: Math.round(performance.now() - started),
        usage: ended?.receipt.usage.task,
        outcome: ended?.outcome,
        receipt: ended?.receipt,
      };
      await write(io.stdout, `${JSON.stringify(result)}\n`);
    },
  };
}

function lineReporter(io: Io): Reporter {
  let out = Promise.resolve();
  const line = (value: object): void => {
    out = out.then(() => write(io.stdout, `${JSON.stringify(value)}\n`));
  };
  return {
    opened: async ({ session, workspace, model, settled, warnings }) => {
      line({ type: "init", session_id: session, workspace, model, settled, warnings });
    },
    event: line,
    finish: () => out,
  };
}
