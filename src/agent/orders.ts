// Foreign text that gives orders to agents: kept for the panels that follow, and no effect passes by itself any more (TH95).
// Used by the dispatcher.
import { ordersIn } from "../policy/untrusted.ts";
import type { Tool, ToolResult } from "../tools/contract.ts";
import type { TaskRun } from "./task.ts";

/** More of them say nothing new on a panel. */
const maxWarnings = 5;

/** Looks through what a call brought in from files, programs or pages; `label` is the call's line for the user. */
export function watchForOrders(run: TaskRun, tool: Tool, label: string, { content }: ToolResult): void {
  // Patches answer with the model's own text, a question with the user's.
  if (!["read", "command", "fetch"].includes(tool.effect)) return;
  const lines = content.split("\n").map((line) => /^(\d+)\t(.*)$/s.exec(line));
  const numbers = lines.map((found) => found?.[1]);
  const text = content.replace(/^\d+\t/gm, "");
  for (const { line, quote } of ordersIn(text)) {
    run.ports.permissions.tainted = true;
    const number = numbers[line - 1];
    const source = number === undefined ? label : `${label}, line ${number}`;
    const known = run.warnings.some((one) => one.source === source && one.quote === quote);
    if (!known && run.warnings.length < maxWarnings) run.warnings.push({ source, quote });
  }
}
