// The exit gate: when the model stops, or has to, an open debt is offered its check, without a model step (design §5).
import type { Directive, GuidedEvent } from "../guided/state.ts";
import { carry } from "./corridor.ts";
import { advance, syncTree, type TaskRun, toolContext } from "./task.ts";

/**
 * Runs the exit gate; `event` is null when the task is ending already and only its check is still to be offered. Gives what
 * the model must be told when the task goes on, or null when it has ended.
 */
export async function closeOut(
  run: TaskRun,
  event: Extract<GuidedEvent, { type: "answered" | "stopped" }> | null,
): Promise<string | null> {
  const limited = run.signal;
  run.signal = run.userSignal; // the wall time is the model's; a check has a limit of its own
  try {
    await syncTree(run);
    return await offer(run, event ? advance(run, event) : { type: "offer_check" });
  } finally {
    run.signal = limited;
  }
}

async function offer(run: TaskRun, first: Directive | undefined): Promise<string | null> {
  let report = "";
  let directive = first;
  while (directive && directive.type !== "end") {
    if (directive.type === "continue") return wordsFor(run, directive.why, report);
    const check = await run.ports.checkFor(toolContext(run));
    if (!check.ok) {
      run.ports.emit({ type: "note", text: check.refusal.message });
      directive = advance(run, { type: "no_check", why: "could_not_run" });
    } else if (check.value === null) {
      directive = advance(run, { type: "no_check" });
    } else {
      const { result, directive: next } = await carry(run, check.value, "");
      report = result.content;
      directive = next ?? advance(run, { type: "no_check", why: "check_refused" });
    }
  }
  return null;
}

function wordsFor(
  run: TaskRun,
  why: Extract<Directive, { type: "continue" }>["why"],
  report: string,
): string {
  const { round } = run.guided;
  const { rounds } = run.options;
  switch (why) {
    case "failed":
      return report
        ? `${report}\n\nRepair round ${round} of ${Math.max(rounds, round)}: find the cause, patch it, then answer again. Your answer was not shown.`
        : "The required check still fails on these files. Patch the cause, or answer again and say plainly what is left undone.";
    case "failed_before":
      return `${report || "The check fails only as it did before your change."}\n\nIf these failures are what you were asked to mend, go on; if not, answer again and say so. Your answer was not shown.`;
    case "feedback":
      return `The user did not run the check and says: ${run.feedback}`;
    case "last_step":
      return lastStepWords(run);
  }
}

/** What the user said instead of granting one more repair. */
export function lastStepWords({ feedback }: TaskRun): string {
  return `The repair rounds are used up. The user says: ${feedback}\nAnswer in text; nothing more can be changed.`;
}
