// The gate: the port through which a proposal gets its answer. Four givers stand behind it: the screen, command-line flags,
// the demo and an eval's policy (design §3). Here are the port and the giver that answers from flags.
import { confirmWords, type Decision, type Proposal } from "../protocol/proposal.ts";

export type Answer = Pick<Decision, "verdict" | "by" | "feedback" | "always">;

export interface Gate {
  /** Shows the proposal and waits for its word. Rejects or never settles once `signal` aborts; the caller then cancels. */
  ask(proposal: Proposal, signal: AbortSignal): Promise<Answer>;
  /** Puts a question of the model's to the user; null when there is no answer. Absent where nobody can be asked. */
  question?(question: Question, signal: AbortSignal): Promise<string | null>;
}

/** A question with answers to choose from, if any; an answer in the user's own words is always possible. */
export interface Question {
  text: string;
  options: readonly string[];
}

export const approvals = ["plan", "apply", "run"] as const;
export type Approval = (typeof approvals)[number];

/**
 * A gate for runs that nobody watches: approves what its flags name, recorded as `flag:<name>`, and denies the rest.
 * `run` covers checks only; a command of the model's own choice has nobody to ask.
 */
export function flagGate(given: ReadonlySet<Approval>): Gate {
  return {
    ask: async ({ content }) => {
      const needed = approvalFor(content);
      return needed && given.has(needed)
        ? { verdict: "approve", by: `flag:${needed}` }
        : { verdict: "deny", by: "mode:unattended" };
    },
  };
}

function approvalFor(content: Proposal["content"]): Approval | null {
  if (content.kind === "command" && !content.check) return null;
  const word = confirmWords[content.kind];
  return word === "CONTINUE"
    ? "plan"
    : word === "APPLY"
      ? "apply"
      : content.kind === "command"
        ? "run"
        : null;
}
