import { expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { safeText } from "../../src/policy/safe-text.ts";

it.each(Object.entries(en))("%s is safe text of ASCII and the allowed glyphs", (_key, message) => {
  const text = typeof message === "function" ? String(message) : message;
  expect(text).toMatch(/^[\n\r\t -~✓✗·→…❯]+$/);
  if (typeof message === "string") expect(message).toBe(safeText(message));
});

it("counts in words", () => {
  expect([en["receipt.steps"](1), en["receipt.steps"](2), en["patch.total"](1, 2, 3)]).toEqual([
    "1 step",
    "2 steps",
    "1 file, +2 -3",
  ]);
});

it("gives time limits in minutes and seconds", () => {
  expect([500, 45_000, 60_000, 90_000, 600_000].map(en["command.limit"])).toEqual([
    "500 ms",
    "45 s",
    "1 min",
    "1 min 30 s",
    "10 min",
  ]);
});
