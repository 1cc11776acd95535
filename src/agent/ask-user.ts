// Puts a question of the model's to the user and words the answer. Used by the dispatcher.
import { result, type ToolResult } from "../tools/contract.ts";
import type { Question } from "./gate.ts";
import { orAbort, type TaskRun } from "./task.ts";

/** The clocks stand still while the user thinks. */
export async function askUser(run: TaskRun, question: Question): Promise<ToolResult> {
  const { gate } = run.ports;
  const ask = gate.question?.bind(gate);
  if (!ask) {
    return result(
      "ok",
      "Nobody can be asked here. Decide yourself, and say in your answer what you assumed.",
    );
  }
  try {
    const answer = await run.budgets.whileStopped(() =>
      orAbort(ask(question, run.userSignal), run.userSignal),
    );
    return answer === null
      ? result("ok", "The user gave no answer. Decide yourself, and say in your answer what you assumed.")
      : result("ok", `The user answers: ${answer}`);
  } catch (error) {
    if (run.userSignal.aborted) return result("cancelled", "The user cancelled the task.");
    throw error;
  }
}
