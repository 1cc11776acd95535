// The panel "repair rounds used up": one more, or stop here (design §5).
import type { Directive } from "../guided/state.ts";
import { decide, decidedEvent, propose } from "./decide.ts";
import { advance, type TaskRun } from "./task.ts";

/** Asks the used-up question that the guided state has opened and gives what follows from the answer. */
export async function askRounds(run: TaskRun, failing: readonly string[]): Promise<Directive | undefined> {
  const proposal = await propose(run, { kind: "rounds", used: run.guided.round, failing: [...failing] });
  const decision = await decide(run, proposal);
  const pending = run.guided.gate?.digest ?? proposal.digest;
  return advance(run, { ...decidedEvent(decision), digest: pending });
}
