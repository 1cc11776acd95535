// Tokens and cost as folds of the record: what is unknown stays unknown.
import { describe, expect, test } from "vitest";
import type { Usage } from "../../src/protocol/model.ts";
import type { RecordBody } from "../../src/protocol/record.ts";
import { noUsage } from "../../src/protocol/usage.ts";
import { contextUsed, usageSums } from "../../src/record/usage.ts";
import { assistant, entriesOf, header, task, toolResult, user } from "./support.ts";

const answer = (usage?: Usage, costUsd?: number): RecordBody => ({
  type: "message",
  message: { role: "assistant", text: "a", calls: [] },
  ...(usage === undefined ? {} : { usage }),
  ...(costUsd === undefined ? {} : { costUsd }),
});

describe("sums", () => {
  test("of the last task and of the session, over a change of the model", () => {
    const entries = entriesOf(
      header,
      task("one"),
      user("one"),
      answer({ input: 100, cached: 0, output: 10 }, 0.25),
      toolResult("c1"),
      { type: "model", profile: "dear", model: "m-2" },
      task("two"),
      answer({ input: 200, cached: 150, cacheWritten: 50, output: 20, reasoning: 5 }, 0.5),
      answer({ input: 300, cached: 250, output: 30 }, 0.125),
    );
    expect(usageSums(entries)).toEqual({
      task: {
        ...{ requests: 2, uncounted: 0, unpriced: 0 },
        ...{ input: 500, cached: 400, cacheWritten: 50, output: 50, reasoning: 5, costUsd: 0.625 },
      },
      session: {
        ...{ requests: 3, uncounted: 0, unpriced: 0 },
        ...{ input: 600, cached: 400, cacheWritten: 50, output: 60, reasoning: 5, costUsd: 0.875 },
      },
    });
  });

  test("count the requests that gave no counts, or whose cost is not known, instead of taking them for 0", () => {
    const lost: RecordBody = { type: "request_lost", reason: "failed" };
    const { task: sums } = usageSums(
      entriesOf(task(), answer({ input: 100, output: 10 }, 0.25), answer({ input: 7 }), answer(), lost),
    );
    expect(sums).toEqual({
      ...{ requests: 4, uncounted: 3, unpriced: 3, input: 107, output: 10, costUsd: 0.25 },
    });
  });

  test("a lost request counts with what is known of it; results, questions and drafts do not", () => {
    const lost: RecordBody = {
      ...{ type: "request_lost", reason: "cancelled" },
      usage: { input: 9, output: 1 },
      costUsd: 0.5,
    };
    const retracted: RecordBody = { type: "retracted", text: "half", reason: "cancelled" };
    expect(usageSums(entriesOf(task(), user("x"), toolResult("c"), retracted, lost)).task).toEqual({
      ...{ requests: 1, uncounted: 0, unpriced: 0, input: 9, output: 1, costUsd: 0.5 },
    });
  });

  test("of records from before costs were kept have no cost", () => {
    const { session } = usageSums(entriesOf(header, task(), answer({ input: 5, output: 1 })));
    expect(session).toMatchObject({ input: 5, unpriced: 1, costUsd: null });
  });

  test("of nothing are nothing", () => {
    expect(usageSums([])).toEqual({ task: noUsage, session: noUsage });
    expect(usageSums(entriesOf(header, task()))).toEqual({ task: noUsage, session: noUsage });
  });
});

test("the context in use is what the last answer took in", () => {
  expect(contextUsed(entriesOf(answer({ input: 5 }), answer({ input: 9 }), user("x")))).toBe(9);
  expect(contextUsed(entriesOf(answer({ input: 5 }), assistant("no counts")))).toBeNull();
  expect(contextUsed([])).toBeNull();
});
