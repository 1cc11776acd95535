// The task's clock stands still while a gate waits.
import { expect, it } from "vitest";
import { startBudgets } from "../../src/agent/budgets.ts";

it("does not run out while it is stopped", async () => {
  const budgets = startBudgets({ maxSteps: 1, timeoutMs: 30 });
  await budgets.whileStopped(() => new Promise((r) => setTimeout(r, 80)));
  expect(budgets.signal.aborted).toBe(false);
  await new Promise((r) => budgets.signal.addEventListener("abort", r, { once: true }));
  budgets.end();
});

it("never runs out without a limit", () => {
  const budgets = startBudgets({ maxSteps: 1 });
  budgets.end();
  expect(budgets.signal.aborted).toBe(false);
});
