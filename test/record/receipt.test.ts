// The receipt, folded from facts.
import { describe, expect, test } from "vitest";
import type { TaskOutcome } from "../../src/protocol/outcome.ts";
import type { ProposalContent } from "../../src/protocol/proposal.ts";
import type { RecordBody } from "../../src/protocol/record.ts";
import { receiptOf } from "../../src/record/receipt.ts";
import {
  applied,
  assistant,
  check,
  decided,
  entriesOf,
  fact,
  patch,
  patchFile,
  proposal,
  proposed,
  ran,
  ref,
  task,
  toolResult,
  user,
} from "./support.ts";

const verified: TaskOutcome = { end: "answered", work: { state: "verified" } };
const unverified: TaskOutcome = { end: "answered", work: { state: "unverified", why: "check_refused" } };
const nothing: TaskOutcome = { end: "answered", work: { state: "none" } };
const now = { tree: "t1", session: "s", chainHead: "h" };

const plan = (files: string[]): ProposalContent => ({
  kind: "plan",
  summary: "s",
  steps: [],
  files,
  origin: "call",
  added: [],
  dropped: [],
});
const lines = (
  seq: number,
  path: string,
  before: string | null,
  after: string | null,
  added: number,
  removed: number,
) =>
  fact({
    type: "applied",
    seq,
    path,
    before: before === null ? null : ref(before),
    after: after === null ? null : ref(after),
    added,
    removed,
  });

test("a whole guided task", () => {
  const first = proposal(1, plan(["src/", "README.md"]));
  const second = proposal(2, plan(["src/"]));
  const change = proposal(3, patch(patchFile("src/a.ts", "old", "new")));
  const refused = proposal(4, { kind: "fetch", reason: "r", url: "https://h/" });
  const receipt = receiptOf(
    entriesOf(
      task("earlier"),
      applied(9, "earlier.ts", "old", "new"),
      task(),
      user("fix it"),
      assistant("", "c1"),
      toolResult("c1"),
      proposed(first),
      decided(first),
      proposed(second),
      decided(second),
      proposed(change),
      decided(change),
      lines(3, "src/a.ts", "old", "new", 4, 2),
      lines(3, "src/made.ts", null, "made", 10, 0),
      lines(3, "docs/x.md", "old", null, 0, 7),
      proposed(refused),
      decided(refused, "reject"),
      ran(5, ["npm", "run", "pretest"], 0, ["t0", "t0"]),
      ran(5, ["npm", "test"], 1, ["t0", "t0"]),
      check(5, "failed", "t0"),
      lines(6, "src/made.ts", "made", "made better", 3, 2),
      lines(6, "src/back.ts", "old", "new", 1, 1),
      lines(7, "src/back.ts", "new", "old", 1, 1),
      ran(8, ["npm", "test"], 0, ["t1", "t1"]),
      check(8, "passed", "t1"),
      fact({ type: "drift", paths: ["notes.txt"], by: "other" }),
      fact({ type: "fetched", seq: 9, url: "https://a.example/x", status: 200, bytes: 1, hash: "h" }),
      fact({ type: "fetched", seq: 10, url: "https://a.example/y", status: 404, bytes: 1, hash: "h" }),
      fact({ type: "git_status", branch: "main", changed: ["src/a.ts"] }),
      assistant("All tests pass."),
    ),
    verified,
    now,
  );
  expect(receipt).toEqual({
    outcome: verified,
    files: [
      { path: "src/a.ts", change: "edited", added: 4, removed: 2 },
      { path: "src/made.ts", change: "created", added: 11, removed: 0 },
      { path: "docs/x.md", change: "deleted", added: 0, removed: 7 },
    ],
    checks: [
      {
        label: "npm test",
        origin: "manifest",
        result: "failed",
        exit: 1,
        failing: ["adds"],
        baseline: false,
      },
      { label: "npm test", origin: "manifest", result: "passed", exit: 0, failing: [], baseline: false },
    ],
    treeIsChecked: true,
    scope: { files: ["src/"], outside: ["docs/x.md"] },
    drift: ["notes.txt"],
    fetched: ["a.example"],
    refusals: [{ kind: "fetch", verdict: "reject", by: "user" }],
    failed: [],
    git: { branch: "main", changed: ["src/a.ts"] },
    overclaim: null,
    steps: 2,
    usage: {
      task: { requests: 2, uncounted: 2, unpriced: 2, costUsd: null },
      session: { requests: 2, uncounted: 2, unpriced: 2, costUsd: null },
    },
    session: "s",
    chainHead: "h",
  });
});

test("a task in which nothing happened", () => {
  expect(receiptOf(entriesOf(task(), assistant("It is in a.ts.")), nothing, now)).toMatchObject({
    files: [],
    checks: [],
    treeIsChecked: null,
    scope: null,
    git: null,
    overclaim: null,
  });
});

test("what a command wrote is drift, and outside the plan when it is", () => {
  const approved = proposal(1, plan(["src/"]));
  const bodies = [
    task(),
    proposed(approved),
    decided(approved),
    ran(2, ["fmt"], 0, ["t0", "t1"], ["lib/b.ts"]),
  ];
  expect(receiptOf(entriesOf(...bodies), unverified, now)).toMatchObject({
    files: [],
    drift: ["lib/b.ts"],
    scope: { outside: ["lib/b.ts"] },
  });
});

test("the tree is not the checked one after a later change, or when the check's own run moved it", () => {
  const moved = ran(1, ["npm", "test"], 0, ["t0", "t1"], ["log"]);
  expect(receiptOf(entriesOf(task(), check(1, "passed", "t0")), unverified, now).treeIsChecked).toBe(false);
  expect(
    receiptOf(entriesOf(task(), moved, check(1, "passed", "t1")), unverified, now).treeIsChecked,
  ).toBeNull();
});

describe("an answer that claims more than the facts hold", () => {
  const change = applied(1, "a", "old", "new");
  const overclaim = (outcome: TaskOutcome, text: string, ...facts: RecordBody[]): string | null =>
    receiptOf(entriesOf(task(), ...facts, assistant(text)), outcome, now).overclaim;

  test("passing without a check, with a failed one, and on another tree", () => {
    expect(overclaim(unverified, "Done. All tests pass.", change)).toBe(
      'The answer says "All tests pass.", but no check ran in this task.',
    );
    expect(overclaim(unverified, "已修复，所有测试均已通过。", change)).toBe(
      'The answer says "所有测试均已通过。", but no check ran in this task.',
    );
    const later = 'The answer says "All tests pass.", but no check passed on the present files.';
    expect(overclaim(unverified, "All tests pass.", change, check(2, "failed", "t1"))).toBe(later);
    expect(overclaim(unverified, "All tests pass.", check(2, "passed", "t0"), change)).toBe(later);
    expect(overclaim(unverified, "Fixed and tested.", change)).toContain('"Fixed and tested."');
  });

  test("running tests without a run", () => {
    expect(overclaim(unverified, "I ran the tests.", change)).toBe(
      'The answer says "I ran the tests.", but no check ran in this task.',
    );
    expect(overclaim(unverified, "I ran the tests.", change, check(2, "could_not_run", "t1"))).not.toBeNull();
    expect(overclaim(unverified, "I ran the tests; two fail.", change, check(2, "failed", "t1"))).toBeNull();
    expect(
      overclaim(unverified, "I ran the tests.", change, ran(2, ["pytest", "-k", "a"], 0, ["t1", "t1"])),
    ).toBeNull();
    expect(overclaim(unverified, "I ran the tests.", change, ran(2, ["ls"], 0, ["t1", "t1"]))).not.toBeNull();
  });

  test("not when it is true, denied, only about what was read, or not an accepted answer", () => {
    expect(overclaim(verified, "All tests pass.", change)).toBeNull();
    expect(overclaim(nothing, "All tests pass.", check(1, "passed", "t1"))).toBeNull();
    expect(overclaim(unverified, "I could not run the tests, so this is not verified.", change)).toBeNull();
    expect(overclaim(nothing, "I verified that the port is read from the settings.")).toBeNull();
    expect(overclaim({ end: "cancelled", work: { state: "none" } }, "All tests pass.")).toBeNull();
  });

  test("an earlier task's check vouches for a tree that has not changed since", () => {
    const entries = entriesOf(
      task(),
      change,
      check(1, "passed", "t1"),
      task(),
      assistant("Yes, the tests pass."),
    );
    expect(receiptOf(entries, nothing, now).overclaim).toBeNull();
    expect(receiptOf(entries, nothing, { ...now, tree: "t2" }).overclaim).not.toBeNull();
  });
});
