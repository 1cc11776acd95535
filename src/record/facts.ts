// The facts of a record in order, and what this session changed on balance. Pure; used by restore.ts, receipt.ts and src/agent/.
import type { Fact, FactOf } from "../protocol/fact.ts";
import type { PatchContent, Proposal } from "../protocol/proposal.ts";
import type { RecordEntry } from "../protocol/record.ts";

/** What happened to one path over all: a content hash, null where there is no file, "unknown" when a command wrote it. */
export interface NetChange {
  path: string;
  before: string | null;
  after: string | null;
  added: number;
  removed: number;
}

const unknown = "unknown";

/** All proposals by their number. */
export function proposalsOf(entries: readonly RecordEntry[]): Map<number, Proposal> {
  return new Map(
    entries.flatMap(({ body }) => (body.type === "proposal" ? [[body.proposal.seq, body.proposal]] : [])),
  );
}

/**
 * The recorded facts, and for a patch that ended as done the `applied` facts that its proposal implies where they are
 * missing: MiniCode can be killed between the last rename and the fact, and the patch is then settled from the disk.
 */
export function factsOf(entries: readonly RecordEntry[]): Fact[] {
  const proposals = proposalsOf(entries);
  const recorded = new Set<string>();
  for (const { body } of entries) {
    if (body.type === "fact" && body.fact.type === "applied")
      recorded.add(`${body.fact.seq}:${body.fact.path}`);
  }
  return entries.flatMap(({ body }): Fact[] => {
    if (body.type === "fact") return [body.fact];
    if (body.type !== "effect_ended" || body.outcome !== "done") return [];
    const content = proposals.get(body.seq)?.content;
    if (content?.kind !== "patch") return [];
    return appliedFacts(body.seq, content).filter(({ seq, path }) => !recorded.has(`${seq}:${path}`));
  });
}

/** The facts of a patch that is on disk, one for each path; a rename has two. */
export function appliedFacts(seq: number, content: PatchContent): FactOf<"applied">[] {
  return content.files.flatMap(({ path, from, before, after, added, removed }) => {
    const fact = { type: "applied" as const, seq, path, before, after, added, removed };
    if (from === undefined) return [fact];
    return [
      { ...fact, path: from, after: null, added: 0, removed: 0 },
      { ...fact, before: null },
    ];
  });
}

/** What was changed on balance, by path in the order of the first change; what ended as it began is left out. */
export function netChanges(facts: readonly Fact[]): NetChange[] {
  const changes = new Map<string, NetChange>();
  for (const fact of facts) {
    if (fact.type === "applied") {
      const { path, before, after, added, removed } = fact;
      const earlier = changes.get(path);
      changes.set(path, {
        path,
        before: earlier === undefined ? (before?.hash ?? null) : earlier.before,
        after: after?.hash ?? null,
        added: added + (earlier?.added ?? 0),
        removed: removed + (earlier?.removed ?? 0),
      });
    }
    if (fact.type === "ran" || (fact.type === "drift" && fact.by === "command")) {
      for (const path of fact.type === "ran" ? fact.changed : fact.paths) {
        const earlier = changes.get(path) ?? { path, before: unknown, added: 0, removed: 0 };
        changes.set(path, { ...earlier, after: unknown });
      }
    }
  }
  return [...changes.values()].filter(({ before, after }) => before !== after || after === unknown);
}

/** The tree that a check passed on; null when it did not pass, or when its own run changed the tree under it. */
export function passedOn(check: FactOf<"check">, facts: readonly Fact[]): string | null {
  const moved = facts.some(
    (run) => run.type === "ran" && run.seq === check.seq && run.treeBefore !== run.treeAfter,
  );
  return check.result === "passed" && !moved ? check.tree : null;
}
