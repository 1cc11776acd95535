import { expect, it } from "vitest";
import { classifierTarget } from "./classifier.ts";

it("5,000 command lines: what passes without a question runs what was seen, and changes nothing", async () => {
  const seed = 20_261_201;
  const { runs, failures, figures } = await classifierTarget.run(5000, seed);
  console.info(`${classifierTarget.name}: ${runs} inputs, seed ${seed}, ${JSON.stringify(figures)}`);
  expect(failures).toEqual([]);
  expect(figures["approved"]).toBeGreaterThan(200);
});

it("the same seed makes the same inputs", async () => {
  const [first, again] = [await classifierTarget.run(500, 7), await classifierTarget.run(500, 7)];
  expect(first.figures["approved"]).toBe(again.figures["approved"]);
});
