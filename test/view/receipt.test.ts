import { describe, expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import {
  type TaskOutcome,
  taskEndSchema,
  unverifiedWhySchema,
  type Work,
} from "../../src/protocol/outcome.ts";
import type { ReceiptCheck } from "../../src/protocol/receipt.ts";
import { receiptRows } from "../../src/view/receipt.ts";
import { receipt, text } from "./helpers.ts";

const shown = (over: Parameters<typeof receipt>[0]) => text(receiptRows(receipt(over), en));
const firstLines = (outcome: TaskOutcome) => shown({ outcome }).split("\n").slice(0, -1).join("\n");

const check: ReceiptCheck = {
  label: "npm test",
  origin: "manifest",
  result: "passed",
  exit: 0,
  failing: [],
  baseline: false,
};

describe("the receipt", () => {
  it("is short when nothing happened", () => {
    expect(shown({})).toMatchInlineSnapshot(`
      "✓ Answered, nothing changed
        1 step · session 20250101-abc · record 0123456789ab"
    `);
  });

  it("shows all that a verified task left", () => {
    expect(
      shown({
        outcome: { end: "answered", work: { state: "verified" } },
        files: [
          { path: "src/a.ts", change: "edited", added: 3, removed: 1 },
          { path: "test/a.test.ts", change: "created", added: 20, removed: 0 },
        ],
        checks: [{ ...check, result: "failed", exit: 1, failing: ["adds › works"], baseline: true }, check],
        treeIsChecked: true,
        scope: { files: ["src/a.ts", "test/"], outside: [] },
        git: { branch: "main", changed: ["src/a.ts", "test/a.test.ts"] },
        steps: 7,
      }),
    ).toMatchInlineSnapshot(`
      "✓ Verified: the required check passed on these files
        files:
          src/a.ts +3 -1 edited
          test/a.test.ts +20 -0 created
        check: npm test ✗ failed, exit code 1 (from the project, before any change)
          failing: adds › works
        check: npm test ✓ passed, exit code 0 (from the project)
        files now: the same that the check passed on
        plan: src/a.ts, test/ (every change is inside it)
        git: main, 2 changed: src/a.ts, test/a.test.ts
        7 steps · session 20250101-abc · record 0123456789ab"
    `);
  });

  it("says what is wrong", () => {
    expect(
      shown({
        outcome: { end: "budget", work: { state: "unverified", why: "check_refused" }, detail: "50 steps" },
        files: [{ path: "src/old.ts", change: "deleted", added: 0, removed: 9 }],
        checks: [
          {
            ...check,
            label: "node check.js",
            origin: "plan",
            result: "could_not_run",
            exit: null,
          },
        ],
        treeIsChecked: false,
        scope: { files: ["src/a.ts"], outside: ["src/old.ts"] },
        drift: ["notes.md"],
        refusals: [
          { kind: "patch", verdict: "reject", by: "user" },
          { kind: "command", verdict: "deny", by: "mode:unattended" },
          { kind: "rounds", verdict: "cancel", by: "user" },
        ],
        overclaim: "all tests pass",
        git: { branch: "main", changed: [] },
      }),
    ).toMatchInlineSnapshot(`
      "· Stopped by a limit: 50 steps
        · Unverified: the check was not allowed to run
        files: src/old.ts +0 -9 deleted
        check: node check.js · could not run, no exit code (named in the approved plan)
        files now: changed since the check passed
        plan: src/a.ts
        outside the plan: src/old.ts
        changed from outside: notes.md
        not done: patch refused by you, command denied by mode:unattended, one more repair cancelled by you
        claim: the answer says more than the record holds: all tests pass
        git: main, nothing changed
        1 step · session 20250101-abc · record 0123456789ab"
    `);
  });

  it("has a sentence for every worth of an answer", () => {
    const works: Work[] = [
      { state: "none" },
      { state: "verified" },
      { state: "check_failed" },
      ...unverifiedWhySchema.options.map((why): Work => ({ state: "unverified", why })),
    ];
    expect(works.map((work) => firstLines({ end: "answered", work })).join("\n")).toMatchInlineSnapshot(`
      "✓ Answered, nothing changed
      ✓ Verified: the required check passed on these files
      ✗ Check failed: the changes are in place, the required check does not pass
      · Unverified: there is no check for this change
      · Unverified: the check was not allowed to run
      · Unverified: the check could not run
      · Unverified: the check ran out of time
      · Unverified: the check was cancelled
      · Unverified: what fails now failed before the change too
      · Unverified: the check itself changes files
      · Unverified: the task ended before the check could be offered"
    `);
  });

  it("has a sentence for every other end", () => {
    const ends = taskEndSchema.options.filter((end) => end !== "answered");
    const lines = ends.map((end) => firstLines({ end, work: { state: "none" }, detail: "why\u001b[2J" }));
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      "· Not approved: why␛[2J
      · Cancelled: why␛[2J
      · Stopped by a limit: why␛[2J
      ✗ The model failed: why␛[2J
      ✗ MiniCode itself failed: why␛[2J"
    `);
  });

  it("says that what was approved failed, and that a proposal was only shown", () => {
    const failed = shown({ failed: ["patch"] });
    expect(failed).toMatch(/^· Answered, but what was approved could not be done\n.*not done: patch error/s);
    const refusals = [{ kind: "patch", verdict: "deny", by: "mode:propose" } as const];
    const proposed = shown({ refusals });
    expect(proposed).toMatch(/^✓ Proposed: the patch is shown and not applied/);
    expect(proposed).not.toContain("not done");
  });

  it("says that nobody could be asked", () => {
    const outcome: TaskOutcome = { end: "answered", work: { state: "none" }, unattended: true };
    expect(firstLines(outcome)).toBe(
      "· Answered, nothing changed: nobody was there to approve (--yes plan,apply,run approves beforehand)",
    );
  });

  it("does not say that nothing changed when files changed", () => {
    const files = [{ path: "a", change: "edited" as const, added: 1, removed: 1 }];
    expect(shown({ files }).split("\n")[0]).toBe("✓ Answered");
  });

  it("T01, T02: hides nothing in names and texts", () => {
    const hostile = "a\u202eb\u001b]0;x\u0007\nc";
    expect(
      shown({
        outcome: { end: "model_failed", work: { state: "none" }, detail: hostile },
        files: [{ path: hostile, change: "created", added: 1, removed: 0 }],
        checks: [{ ...check, label: hostile, failing: [hostile] }],
        scope: { files: [hostile], outside: [hostile] },
        drift: [hostile],
        fetched: [hostile],
        refusals: [{ kind: "fetch", verdict: "deny", by: `rule:${hostile}` }],
        overclaim: hostile,
        git: { branch: hostile, changed: [hostile] },
        session: hostile,
      }),
    ).toMatchInlineSnapshot(`
      "✗ The model failed: a\\u{202E}b␛]0;x␇␊c
        files: a\\u{202E}b␛]0;x␇␊c +1 -0 created
        check: a\\u{202E}b␛]0;x␇␊c ✓ passed, exit code 0 (from the project)
          failing: a\\u{202E}b␛]0;x␇␊c
        plan: a\\u{202E}b␛]0;x␇␊c
        outside the plan: a\\u{202E}b␛]0;x␇␊c
        changed from outside: a\\u{202E}b␛]0;x␇␊c
        fetched from: a\\u{202E}b␛]0;x␇␊c
        not done: fetch denied by rule:a\\u{202E}b␛]0;x␇␊c
        claim: the answer says more than the record holds: a\\u{202E}b␛]0;x␇␊c
        git: a\\u{202E}b␛]0;x␇␊c, 1 changed: a\\u{202E}b␛]0;x␇␊c
        1 step · session a\\u{202E}b␛]0;x␇␊c · record 0123456789ab"
    `);
  });
});
