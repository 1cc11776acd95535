// The rules that a record's entries obey among themselves: no effect without its own decision on exactly what was shown.
// Pure; used by verify.ts.
import type { FactOf } from "../protocol/fact.ts";
import type { Proposal } from "../protocol/proposal.ts";
import type { RecordBody } from "../protocol/record.ts";
import { digestOf } from "../util/hash.ts";

interface Effect {
  proposal: Proposal;
  decided: boolean;
  /** An approving decision on this digest that no effect has used yet. */
  approved: boolean;
  begun: boolean;
  ended: boolean;
}

/** The broken rules of a whole record, with the line of each. */
export function auditBodies(
  bodies: readonly { line: number; body: RecordBody }[],
): { line: number; message: string }[] {
  const effects = new Map<number, Effect>();
  return bodies.flatMap(({ line, body }) => [...broken(body, effects)].map((message) => ({ line, message })));
}

/** The rules that one more entry breaks; takes it into account. */
function* broken(body: RecordBody, effects: Map<number, Effect>): Generator<string> {
  switch (body.type) {
    case "proposal": {
      const { proposal } = body;
      if (effects.has(proposal.seq)) yield `proposal ${proposal.seq} is there twice`;
      if (digestOf(proposal.content) !== proposal.digest)
        yield `proposal ${proposal.seq} has another digest than its content`;
      effects.set(proposal.seq, { proposal, decided: false, approved: false, begun: false, ended: false });
      return;
    }
    case "decision": {
      const { seq, digest, verdict } = body.decision;
      const effect = effects.get(seq);
      if (effect === undefined) yield `decision on proposal ${seq}, which is not there`;
      else {
        const same = effect.proposal.digest === digest;
        if (!same) yield `decision on proposal ${seq} names another digest`;
        if (effect.decided) yield `proposal ${seq} was decided twice`;
        effect.approved = same && verdict === "approve" && !effect.decided;
        effect.decided = true;
      }
      return;
    }
    case "effect_begun": {
      const effect = effects.get(body.seq);
      if (effect === undefined) yield `effect of proposal ${body.seq}, which is not there`;
      else {
        if (effect.begun) yield `effect of proposal ${body.seq} began twice`;
        else if (!effect.approved) yield `effect of proposal ${body.seq} began without approval`;
        effect.approved = false;
        effect.begun = true;
      }
      return;
    }
    case "effect_ended": {
      const effect = effects.get(body.seq);
      if (effect?.begun !== true) yield `effect of proposal ${body.seq} ended without having begun`;
      else if (effect.ended) yield `effect of proposal ${body.seq} ended twice`;
      if (effect !== undefined) effect.ended = true;
      return;
    }
    case "fact":
      if (body.fact.type === "applied") yield* strayChange(body.fact, effects.get(body.fact.seq));
      if (body.fact.type === "ran" && effects.get(body.fact.seq)?.begun !== true) {
        yield `a program ran for proposal ${body.fact.seq} without an effect begun`;
      }
  }
}

/** What is applied must be what the patch said. */
function* strayChange(
  { seq, path, after }: FactOf<"applied">,
  effect: Effect | undefined,
): Generator<string> {
  if (effect?.begun !== true) yield `${path} was changed for proposal ${seq} without an effect begun`;
  else {
    const { content } = effect.proposal;
    const files = content.kind === "patch" ? content.files : [];
    const shown = files.some(
      (file) =>
        (file.path === path && file.after?.hash === after?.hash) || (file.from === path && after === null),
    );
    if (!shown) yield `the change of ${path} is not the one that proposal ${seq} showed`;
  }
}
