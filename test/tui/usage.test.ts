// Tokens, context and cost on the screen: in the footer as they come, in /status, and still there when the session is gone on with.
import { expect, it } from "vitest";
import { noUsage } from "../../src/protocol/usage.ts";
import { testSession } from "../helpers/session.ts";
import { scene } from "./scene.ts";

const used = { ...noUsage, requests: 2, input: 24_680, output: 1_820, costUsd: 0.0004 };
const footer = (rows: readonly string[]): string => rows.findLast((row) => row.trim() !== "") ?? "";

it("the footer has the session's sums and the last request's context", async () => {
  const session = await scene({ columns: 120, rows: 30 }, async ({ emit }) => {
    emit({ type: "usage", usage: { input: 12_340 }, costUsd: null, task: noUsage, session: used });
    return { usage: { task: used, session: { ...used, unpriced: 1 } } };
  });
  session.enter("go");
  await session.taskEnd();
  expect(footer(session.terminal.viewport())).toContain(
    "some-model · context 6 % · 24.7K in, 1.8K out · $0.0004+",
  );
});

it("/status says it in full, also after a change of the mode", async () => {
  const usage = { input: 1_500, cached: 1_000, output: 20 };
  const session = await testSession({
    ...{ columns: 120, rows: 40, guided: false },
    steps: [{ text: "Hello.", usage }],
  });
  session.enter("/status");
  await session.terminal.shows("tokens     none yet");
  session.enter("hi");
  await session.taskEnd();
  session.enter("/mode read");
  await session.terminal.shows("it can look, and change nothing");
  session.enter("/status");
  await session.terminal.shows("tokens     1,500 in (67 % cached), 20 out · cost unknown");
  await session.terminal.shows("context    1,500 tokens");
  expect(footer(session.terminal.viewport())).toContain("context 1.5K · 1.5K in, 20 out · cost unknown");
  session.enter("/clear");
  await session.terminal.until(() => !/1\.5K/.test(footer(session.terminal.viewport())), "a new footer");
});
