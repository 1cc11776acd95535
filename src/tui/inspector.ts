// The inspector (Ctrl+O): this task's calls, unused drafts and programs with their output, collapsible, in a pager. State and
// lines; keys in the controller.
import type { Messages } from "../i18n/messages.ts";
import type { AgentEvent } from "../protocol/event.ts";
import type { CallOutcome } from "../protocol/message.ts";
import { exactLine, exactRows } from "../view/exact.ts";
import { rowsToText } from "../view/plain.ts";
import { proposalRows } from "../view/proposal.ts";
import { indented, type Row, span } from "../view/row.ts";

const OUTPUT_KEPT = 50_000;

interface InspectorItem {
  id: string;
  label: string;
  outcome: CallOutcome | "running" | "unused";
  /** Arguments, then the result; or a draft that was not used. */
  content: string;
  open: boolean;
}

export interface Inspector {
  items: readonly InspectorItem[];
  selected: number;
}

export const emptyInspector: Inspector = { items: [], selected: 0 };

/** Follows the task's events; a new task starts afresh. */
export function inspected(inspector: Inspector, event: AgentEvent, messages: Messages): Inspector {
  switch (event.type) {
    case "task-started":
      return emptyInspector;
    case "call-started": {
      const { id, arguments: args } = event.call;
      return added(inspector, { id, label: event.label, outcome: "running", content: args, open: false });
    }
    case "call-ended":
      return changed(inspector, event.callId, (item) =>
        item.outcome === "running"
          ? { ...item, outcome: event.outcome, content: `${item.content}\n\n${event.content}` }
          : item,
      );
    case "decision": {
      const { seq, content } = event.proposal;
      if (event.decision.verdict !== "approve" || content.kind !== "command") return inspector;
      const line = content.commands.map(({ argv }) => argv.join(" ")).join("\n");
      return added(inspector, {
        id: programId(seq),
        label: content.check?.label ?? content.shell ?? line,
        outcome: "running",
        // What passed by itself has no panel in the transcript.
        content: `${rowsToText(proposalRows(event.proposal, messages), { color: false })}\n\n`,
        open: false,
      });
    }
    case "output":
      return changed(inspector, programId(event.seq), (item) => ({
        ...item,
        content: withOutput(item.content, event.text),
      }));
    case "fact": {
      const { fact } = event;
      if (fact.type !== "ran" && fact.type !== "check") return inspector;
      const good = fact.type === "ran" ? fact.exit === 0 : fact.result === "passed";
      return changed(inspector, programId(fact.seq), (item) => ({ ...item, outcome: good ? "ok" : "error" }));
    }
    case "draft-retracted":
      return added(inspector, {
        id: "",
        label: event.reason,
        outcome: "unused",
        content: event.text,
        open: false,
      });
    default:
      return inspector;
  }
}

function programId(seq: number): string {
  return `#${seq}`;
}

/** A program's output behind its command line; of a long one the end. */
function withOutput(content: string, text: string): string {
  const all = content + text;
  return all.length <= OUTPUT_KEPT * 2 ? all : all.slice(-OUTPUT_KEPT);
}

function changed(
  inspector: Inspector,
  id: string,
  change: (item: InspectorItem) => InspectorItem,
): Inspector {
  return { ...inspector, items: inspector.items.map((item) => (item.id === id ? change(item) : item)) };
}

function added(inspector: Inspector, item: InspectorItem): Inspector {
  return { ...inspector, items: [...inspector.items, item] };
}

export function moved(inspector: Inspector, by: number): Inspector {
  const last = Math.max(0, inspector.items.length - 1);
  return { ...inspector, selected: Math.max(0, Math.min(last, inspector.selected + by)) };
}

/** With the newest item selected: what one opens the inspector for. */
export function lastSelected(inspector: Inspector): Inspector {
  return { ...inspector, selected: Math.max(0, inspector.items.length - 1) };
}

export function toggled(inspector: Inspector): Inspector {
  const items = inspector.items.map((item, i) =>
    i === inspector.selected ? { ...item, open: !item.open } : item,
  );
  return { ...inspector, items };
}

/** One row per item, and the content of the open ones below; `selectedRow` is where the selected item stands. */
export function inspectorRows(
  inspector: Inspector,
  messages: Messages,
): { rows: Row[]; selectedRow: number } {
  const rows: Row[] = [];
  let selectedRow = 0;
  for (const [i, item] of inspector.items.entries()) {
    if (i === inspector.selected) selectedRow = rows.length;
    const mark = i === inspector.selected ? span("❯ ", "accent") : span("  ");
    const name =
      item.outcome === "unused"
        ? [span(messages[`retracted.${retraction(item.label)}`], "dim")]
        : exactLine(item.label);
    const outcome = item.outcome === "unused" ? [] : [span(`  ${messages[`call.${item.outcome}`]}`, "dim")];
    rows.push([mark, span(item.open ? "- " : "+ ", "dim"), ...name, ...outcome]);
    if (item.open) rows.push(...indented(indented(exactRows(item.content, messages))));
  }
  return { rows, selectedRow };
}

function retraction(label: string): "calls" | "check" | "cancelled" | "failed" {
  return label === "calls" || label === "check" || label === "cancelled" ? label : "failed";
}
