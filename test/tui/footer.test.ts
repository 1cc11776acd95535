// The footer's parts give way to one another as the terminal gets narrow.
import { visibleWidth } from "@mariozechner/pi-tui";
import { expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { noUsage } from "../../src/protocol/usage.ts";
import { footerLine } from "../../src/tui/footer.ts";

const footer = {
  ...{
    place: "project (main)",
    model: "some-model",
    permissions: "auto-read",
    sandbox: "",
    state: "working",
    steps: 6,
  },
  context: { used: 12_340, window: 200_000 },
  usage: { ...noUsage, requests: 6, input: 64_200, output: 3_120, costUsd: 0.0123 },
};

it.each([
  [
    120,
    "project (main)       some-model · context 6 % · 64.2K in, 3.1K out · $0.0123 · 6 steps · auto-read · working",
  ],
  [100, "project (main)   some-model · context 6 % · 64.2K in, 3.1K out · $0.0123 · auto-read · working"],
  [80, "project (main)     some-model · context 6 % · $0.0123 · auto-read · working"],
  [60, "project (main)     some-model · $0.0123 · auto-read · working"],
  [40, "project (main)       auto-read · working"],
  [20, "            working"],
])("%i columns", (width, line) => {
  const shown = footerLine(footer, width, en);
  expect(visibleWidth(shown)).toBe(width);
  expect(shown.replace(/ {2,}/, "  ")).toBe(line.replace(/ {2,}/, "  "));
});

it("in free room at 40 columns, with no model's name to show, says what matters first", () => {
  expect(footerLine({ ...footer, permissions: "", model: "" }, 40, en)).toBe(
    "project (main)     context 6 % · working",
  );
});

it("says nothing of requests before the first one", () => {
  const start = { ...footer, steps: 0, context: { used: null, window: null }, usage: noUsage };
  expect(footerLine(start, 60, en)).toBe("project (main)              some-model · auto-read · working");
});
