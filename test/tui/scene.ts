// A session whose agent plays events and asks the gate as a test says: every screen can be reached, and is the same everywhere.
import type { Answer } from "../../src/agent/gate.ts";
import { createInbox } from "../../src/agent/inbox.ts";
import { createPermissions } from "../../src/agent/permissions.ts";
import type { AgentEvent, EventSink } from "../../src/protocol/event.ts";
import type { TaskOutcome } from "../../src/protocol/outcome.ts";
import type { Proposal, ProposalContent } from "../../src/protocol/proposal.ts";
import type { Receipt } from "../../src/protocol/receipt.ts";
import { noUsage } from "../../src/protocol/usage.ts";
import { type ScreenOptions, type Session, startSession } from "../helpers/session.ts";
import { receipt } from "../view/helpers.ts";

interface Stage {
  emit: EventSink;
  signal: AbortSignal;
  /** Shows a proposal and gives its answer; both are told as events. */
  ask(content: ProposalContent): Promise<Answer["verdict"]>;
  /** A call with its result. */
  call(name: string, label: string, content: string): void;
  step(step: number): void;
}

export interface SceneOptions extends ScreenOptions {
  /** By profile, the host that its agent's conversation goes to; none by default. */
  hosts?: Record<string, string>;
}

export type Play = (stage: Stage, text: string) => Promise<Partial<Receipt>>;

/** A session that plays `play` for each task. Waits for nothing. */
export async function scene(options: SceneOptions, play: Play): Promise<Session> {
  return startSession(async (choice, gate, emit) => {
    let seq = 0;
    let calls = 0;
    const stage = (signal: AbortSignal): Stage => ({
      emit,
      signal,
      ask: async (content) => {
        seq++;
        const proposal: Proposal = { seq, digest: String(seq).repeat(64).slice(0, 64), content };
        emit({ type: "proposal", proposal });
        const answer = await gate.ask(proposal, signal);
        emit({ type: "decision", proposal, decision: { seq, digest: proposal.digest, ...answer } });
        return answer.verdict;
      },
      call: (name, label, content) => {
        const id = `c${++calls}`;
        emit({ type: "call-started", call: { id, name, arguments: "{}" }, label });
        emit({ type: "call-ended", callId: id, name, outcome: "ok", content });
      },
      step: (step) => emit({ type: "step-started", step, of: 50 }),
    });
    return {
      session: "20250101-120000-abcdef",
      workspace: "/home/you/project",
      model: "some-model",
      host: options.hosts?.[choice.profile] ?? null,
      settled: [],
      warnings: [],
      instructions: [],
      sandbox: "none",
      inbox: createInbox(),
      permissions: createPermissions("auto-read", []),
      context: () => ({ used: null, window: 200_000 }),
      usage: () => noUsage,
      run: async (text, signal) => {
        emit({ type: "task-started", text, mode: "edit", guided: true, session: "20250101-120000-abcdef" });
        const shown = receipt({ session: "20250101-120000-abcdef", ...(await play(stage(signal), text)) });
        const outcome: TaskOutcome = shown.outcome;
        const ended: AgentEvent = { type: "task-ended", outcome, receipt: shown };
        emit(ended);
        return outcome;
      },
      close: async () => {},
    };
  }, options);
}
