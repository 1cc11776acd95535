// The folds: whatever the history, the conversation is one that a provider accepts, and debts are what facts say.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../../src/protocol/message.ts";
import type { RecordBody } from "../../src/protocol/record.ts";
import {
  conversation,
  debt,
  madeFiles,
  nextSeq,
  openEffects,
  seenFiles,
  unfinishedTask,
} from "../../src/record/restore.ts";
import {
  applied,
  assistant,
  begun,
  check,
  decided,
  ended,
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

const talk = (...bodies: RecordBody[]): string[] =>
  conversation(entriesOf(...bodies)).map((message) =>
    message.role === "tool" ? `${message.callId}:${message.outcome}` : `${message.role} ${message.text}`,
  );

describe("conversation (S06, M01e)", () => {
  test("missing results are cancelled, in call order, before the user goes on", () => {
    expect(talk(user("go"), assistant("", "c1", "c2"), toolResult("c2"), user("hi"))).toEqual([
      "user go",
      "assistant ",
      "c1:cancelled",
      "c2:ok",
      "user hi",
    ]);
  });

  test("orphans, second results, empty answers and system messages are dropped", () => {
    const system: RecordBody = { type: "message", message: { role: "system", text: "be good" } };
    const retracted: RecordBody = { type: "retracted", text: "draft", reason: "check" };
    expect(
      talk(
        system,
        user("go"),
        toolResult("c0"),
        assistant("a", "c1"),
        toolResult("c1"),
        toolResult("c1"),
        assistant(" "),
        retracted,
      ),
    ).toEqual(["user go", "assistant a", "c1:ok"]);
  });

  test("the same id in a later message, or twice in one, is another call", () => {
    expect(talk(assistant("", "c"), assistant("", "c"), toolResult("c"))).toEqual([
      "assistant ",
      "c:cancelled",
      "assistant ",
      "c:ok",
    ]);
    expect(talk(assistant("", "c", "c"), toolResult("c"))).toEqual(["assistant ", "c:ok", "c:cancelled"]);
  });

  test("any history gives a valid conversation that keeps what the model and the user said", () => {
    const id = fc.constantFrom("a", "b", "c");
    const body = fc.oneof(
      fc.string({ maxLength: 3 }).map(user),
      fc
        .tuple(fc.constantFrom("", " ", "text"), fc.array(id, { maxLength: 3 }))
        .map(([text, ids]) => assistant(text, ...ids)),
      id.map((callId) => toolResult(callId)),
      fc.constant(task()),
      fc.constant<RecordBody>({ type: "message", message: { role: "system", text: "s" } }),
    );
    fc.assert(
      fc.property(fc.array(body, { maxLength: 30 }), (bodies) => {
        const messages = conversation(entriesOf(...bodies));
        const said = (of: readonly Message[]) =>
          of.filter(
            (m) =>
              m.role === "user" || (m.role === "assistant" && (m.calls.length > 0 || m.text.trim() !== "")),
          );
        const recorded = bodies.flatMap((b) => (b.type === "message" ? [b.message] : []));
        expect(said(messages)).toEqual(said(recorded));
        let owed: string[] = [];
        for (const message of messages) {
          expect(message.role).not.toBe("system");
          if (message.role === "tool") expect(message.callId).toBe(owed.shift());
          else expect(owed).toEqual([]);
          if (message.role === "assistant") owed = message.calls.map((call) => call.id);
        }
        expect(owed).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

const make = proposal(1, patch(patchFile("new.txt", null, "made")));
const edit = proposal(2, patch(patchFile("a.txt", "old", "new")));

describe("files", () => {
  test("seen is what was read and what our own patches wrote", () => {
    const read = fact({ type: "file_read", path: "a.txt", hash: "h1", lines: [1, 9] });
    const seen = seenFiles(
      entriesOf(read, applied(2, "a.txt", "old", "new"), applied(3, "b.txt", "old", null)),
    );
    expect([...seen]).toEqual([["a.txt", new Set(["h1", ref("new").hash])]]);
  });

  test("made is what this session created and did not delete or move away", () => {
    const entries = entriesOf(
      applied(1, "new.txt", null, "made"),
      applied(1, "gone.txt", null, "made"),
      applied(2, "a.txt", "old", "new"),
      applied(3, "gone.txt", "made", null),
      applied(4, "new.txt", "made", null),
      applied(4, "moved.txt", null, "made"),
    );
    expect(madeFiles(entries)).toEqual(["moved.txt"]);
  });

  test("a patch settled as done counts, though its facts were never recorded", () => {
    const move = proposal(3, patch({ ...patchFile("moved.txt", "made", "made"), from: "new.txt" }));
    const settled: RecordBody = { type: "effect_ended", seq: 1, outcome: "done", settled: true };
    const entries = entriesOf(proposed(make), begun(1), settled);
    expect(madeFiles(entries)).toEqual(["new.txt"]);
    expect(seenFiles(entries).get("new.txt")).toEqual(new Set([ref("made").hash]));
    expect(debt(entries)).toEqual({ dirty: true, lastPassTree: null, changedPaths: ["new.txt"] });
    expect(madeFiles([...entries, ...entriesOf(proposed(move), begun(3), ended(3))])).toEqual(["moved.txt"]);
    expect(debt(entriesOf(proposed(make), begun(1), ended(1, "rolled_back"))).dirty).toBe(false);
  });
});

test("open effects are those begun and not ended", () => {
  const bodies = [proposed(make), decided(make), begun(1), ended(1), proposed(edit), decided(edit), begun(2)];
  expect(openEffects(entriesOf(...bodies))).toEqual([edit]);
  expect(openEffects(entriesOf(...bodies, ended(2, "cancelled")))).toEqual([]);
  expect(openEffects(entriesOf(proposed(edit), decided(edit)))).toEqual([]);
});

describe("debt", () => {
  const change = applied(1, "a.txt", "old", "new");
  const pass = check(2, "passed", "t1");
  const drift = fact({ type: "drift", paths: ["z"], by: "other" });
  const cutOff = fact({ type: "drift", paths: [], by: "command" });
  const cases: [string, RecordBody[], boolean, string | null][] = [
    ["nothing happened", [], false, null],
    ["only a check", [check(1, "passed", "t0")], false, "t0"],
    ["a change", [change], true, null],
    ["a change, then a pass", [change, pass], false, "t1"],
    ["a pass, then a change", [pass, change], true, "t1"],
    ["a change, then a failure", [change, check(2, "failed", "t1")], true, null],
    ["a change taken back", [change, applied(2, "a.txt", "new", "old")], false, null],
    [
      "a pass whose own run changed the tree",
      [change, ran(2, ["t"], 0, ["t0", "t1"], ["log"]), pass],
      true,
      null,
    ],
    ["a pass whose run changed nothing", [change, ran(2, ["t"], 0, ["t1", "t1"]), pass], false, "t1"],
    ["a command that changed a file", [ran(1, ["fmt"], 0, ["t0", "t1"], ["a.txt"])], true, null],
    ["someone else's change after the pass", [change, pass, drift], true, "t1"],
    ["someone else's change alone", [drift], false, null],
    ["a command cut off by a crash", [cutOff], true, null],
    ["a command cut off by a crash, then a pass", [cutOff, pass], false, "t1"],
  ];
  test.each(cases)("%s", (_, bodies, dirty, lastPassTree) => {
    expect(debt(entriesOf(...bodies))).toMatchObject({ dirty, lastPassTree });
  });
});

test("the last task is unfinished until its outcome", () => {
  const outcome: RecordBody = { type: "outcome", outcome: { end: "answered", work: { state: "none" } } };
  expect(unfinishedTask([])).toBe(false);
  expect(unfinishedTask(entriesOf(task(), user("x")))).toBe(true);
  expect(unfinishedTask(entriesOf(task(), outcome))).toBe(false);
  expect(unfinishedTask(entriesOf(task(), outcome, task()))).toBe(true);
});

test("proposals are numbered on", () => {
  expect(nextSeq([])).toBe(1);
  expect(nextSeq(entriesOf(proposed(edit), proposed(make)))).toBe(3);
});
