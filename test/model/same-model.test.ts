// Names of models in the forms that servers list and take.
import { expect, test } from "vitest";
import { isSameModel } from "../../src/model/same-model.ts";

test.each([
  ["gemini-3.8-flash", "models/gemini-3.8-flash", true],
  ["qwen3", "qwen3:latest", true],
  ["qwen3", "qwen3:8b", false],
  ["big", "small", false],
  ["models/a", "a:latest", true],
])("%s and %s: %s", (a, b, same) => {
  expect(isSameModel(a, b)).toBe(same);
  expect(isSameModel(b, a)).toBe(same);
});
