import { expect, it } from "vitest";
import { diffRows } from "../../src/view/diff.ts";

it("keeps every line whole and marks it by style", () => {
  const line = `+${"x".repeat(5000)}`;
  const rows = diffRows([{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a\u202e", line] }]);
  expect(rows).toEqual([
    [{ text: "@@ -1,1 +1,1 @@", style: "dim" }],
    [
      { text: "1  ", style: "dim" },
      { text: " - ", style: "removed" },
      { text: "a", style: "removed" },
      { text: "\\u{202E}", style: "warn" },
    ],
    [
      { text: "  1", style: "dim" },
      { text: " + ", style: "added" },
      { text: "x".repeat(5000), style: "added" },
    ],
  ]);
});

it("has no rows for no hunks", () => {
  expect(diffRows([])).toEqual([]);
});
