// The close-out receipt, folded from the record's facts without the model. Pure; used by src/agent/ and src/cli/.
import type { Fact, FactOf } from "../protocol/fact.ts";
import type { TaskOutcome } from "../protocol/outcome.ts";
import { inScope, type ProposalKind } from "../protocol/proposal.ts";
import type { Receipt, ReceiptCheck } from "../protocol/receipt.ts";
import type { BodyOf, RecordBody, RecordEntry } from "../protocol/record.ts";
import { factsOf, type NetChange, netChanges, passedOn, proposalsOf } from "./facts.ts";
import { claimsOf } from "./overclaim.ts";
import { lastTask, usageSums } from "./usage.ts";

/** What the receipt's maker knows beside the record: the tree as it is, the session's id, the record's last hash. */
export interface ReceiptNow {
  tree: string;
  session: string;
  chainHead: string;
}

/** The receipt of the last task in `entries`; earlier tasks only vouch for a tree that is still the one they checked. */
export function receiptOf(entries: readonly RecordEntry[], outcome: TaskOutcome, now: ReceiptNow): Receipt {
  const task = lastTask(entries);
  const facts = factsOf(task);
  const changes = netChanges(facts);
  const ran = facts.filter((fact) => fact.type === "ran");
  const checks = facts.filter((fact) => fact.type === "check");
  const passed = checks.map((check) => passedOn(check, facts)).findLast((tree) => tree !== null);
  const status = facts.findLast((fact) => fact.type === "git_status");
  return {
    outcome,
    files: filesOf(changes, facts),
    checks: checks.map((check) => checkOf(check, ran)),
    treeIsChecked: passed === undefined ? null : passed === now.tree,
    scope: scopeOf(task, changes),
    drift: driftOf(facts),
    fetched: fetchedOf(facts),
    refusals: refusalsOf(task),
    failed: failedOf(task),
    git: status === undefined ? null : { branch: status.branch, changed: status.changed },
    overclaim:
      outcome.end === "answered" ? overclaimOf(task, factsOf(entries), facts, outcome, now.tree) : null,
    steps: messagesOf(task).filter(({ message }) => message.role === "assistant").length,
    usage: usageSums(entries),
    session: now.session,
    chainHead: now.chainHead,
  };
}

function bodiesOf<T extends RecordBody["type"]>(entries: readonly RecordEntry[], type: T): BodyOf<T>[] {
  const is = (body: RecordBody): body is BodyOf<T> => body.type === type;
  return entries.map(({ body }) => body).filter(is);
}

function messagesOf(entries: readonly RecordEntry[]): BodyOf<"message">[] {
  return bodiesOf(entries, "message");
}

/** Files that patches changed; what a command wrote has no lines to count and is drift. */
function filesOf(changes: readonly NetChange[], facts: readonly Fact[]): Receipt["files"] {
  const patched = new Set(facts.flatMap((fact) => (fact.type === "applied" ? [fact.path] : [])));
  return changes
    .filter(({ path }) => patched.has(path))
    .map(({ path, before, after, added, removed }) => {
      if (before === null && removed < added)
        return { path, change: "created", added: added - removed, removed: 0 };
      if (after === null && added < removed)
        return { path, change: "deleted", added: 0, removed: removed - added };
      return {
        path,
        change: before === null ? "created" : after === null ? "deleted" : "edited",
        added,
        removed,
      };
    });
}

function checkOf(check: FactOf<"check">, ran: readonly FactOf<"ran">[]): ReceiptCheck {
  const { label, origin, result, failing, baseline } = check;
  const exit = ran.findLast(({ seq }) => seq === check.seq)?.exit ?? null;
  return { label, origin, result, exit, failing, baseline };
}

function scopeOf(task: readonly RecordEntry[], changes: readonly NetChange[]): Receipt["scope"] {
  const proposals = proposalsOf(task);
  const plans = bodiesOf(task, "decision").flatMap(({ decision }) => {
    const content = proposals.get(decision.seq)?.content;
    return decision.verdict === "approve" && content?.kind === "plan" ? [content] : [];
  });
  const files = plans.at(-1)?.files;
  if (files === undefined) return null;
  return { files, outside: changes.map(({ path }) => path).filter((path) => !inScope(path, files)) };
}

/** Paths whose content no patch explains. */
function driftOf(facts: readonly Fact[]): string[] {
  const paths = facts.flatMap((fact) =>
    fact.type === "drift" ? fact.paths : fact.type === "ran" ? fact.changed : [],
  );
  return [...new Set(paths)];
}

function fetchedOf(facts: readonly Fact[]): string[] {
  return [...new Set(facts.flatMap((fact) => (fact.type === "fetched" ? [new URL(fact.url).host] : [])))];
}

function refusalsOf(task: readonly RecordEntry[]): Receipt["refusals"] {
  const proposals = proposalsOf(task);
  return bodiesOf(task, "decision").flatMap(({ decision: { seq, verdict, by } }) => {
    const kind = proposals.get(seq)?.content.kind;
    return verdict === "approve" || kind === undefined ? [] : [{ kind, verdict, by }];
  });
}

/** A patch or command that went through later makes up for those of its kind before it. */
function failedOf(task: readonly RecordEntry[]): Receipt["failed"] {
  const proposals = proposalsOf(task);
  const failed = new Set<ProposalKind>();
  for (const { seq, outcome } of bodiesOf(task, "effect_ended")) {
    const kind = proposals.get(seq)?.content.kind;
    if (kind !== "patch" && kind !== "command") continue;
    if (outcome === "failed") failed.add(kind);
    if (outcome === "done") failed.delete(kind);
  }
  return [...failed];
}

/** The accepted answer against the facts: a claim that checks pass needs one that passed on this tree. */
function overclaimOf(
  task: readonly RecordEntry[],
  allFacts: readonly Fact[],
  facts: readonly Fact[],
  outcome: TaskOutcome,
  tree: string,
): string | null {
  const answer = messagesOf(task)
    .map(({ message }) => message)
    .findLast((message) => message.role === "assistant");
  if (answer === undefined || outcome.work.state === "verified") return null;
  if (allFacts.some((fact) => fact.type === "check" && passedOn(fact, allFacts) === tree)) return null;
  const claims = claimsOf(answer.text);
  const tested = facts.some(
    (fact) =>
      (fact.type === "check" && ["passed", "failed", "timed_out"].includes(fact.result)) ||
      (fact.type === "ran" && looksLikeTest.test(fact.argv.join(" "))),
  );
  // Where nothing was changed, "verified" can mean what was read.
  const passing = claims.passing ?? (outcome.work.state === "none" ? null : claims.verified);
  if (passing !== null) {
    return `The answer says "${passing}", but ${tested ? "no check passed on the present files" : "no check ran in this task"}.`;
  }
  return claims.running !== null && !tested
    ? `The answer says "${claims.running}", but no check ran in this task.`
    : null;
}

/** Programs whose run the model may rightly call running the tests. */
const looksLikeTest = /test|spec|check|jest|mocha|tox|nox|\bava\b|\btap\b|verify/i;
