import { describe, expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { rowsToText } from "../../src/view/plain.ts";
import { proposalRows } from "../../src/view/proposal.ts";
import { type Row, span } from "../../src/view/row.ts";
import { command, patch, patchFile, plan, proposed, run } from "./helpers.ts";

/** Columns as a terminal counts them, as far as these tests go. */
function measure(text: string): number {
  let columns = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    columns += /^[\p{Script=Han}\p{Script=Katakana}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(
      segment,
    )
      ? 2
      : 1;
  }
  return columns;
}

const long = [
  "漢字".repeat(50),
  "👨‍👩‍👧🇩🇪❤️👍🏽".repeat(20),
  "a\tb\tc".repeat(20),
  "\u3164".repeat(10),
  "x".repeat(500),
  `echo ok${" ".repeat(300)}; rm keep`,
];
const panels: Row[] = [
  plan({ summary: long.join("\n"), files: long }),
  patch({
    files: [
      patchFile({
        hunks: [
          { oldStart: 0, oldLines: 0, newStart: 1, newLines: 6, lines: long.map((line) => `+${line}`) },
        ],
      }),
    ],
  }),
  run({ reason: long.join("\n"), commands: [command({ argv: ["sh", "-c", ...long] })] }),
].flatMap((content) => proposalRows(proposed(content), en));

const whole = panels.map((row) => row.map(({ text }) => text).join(""));

describe("rowsToText", () => {
  it("joins rows by line, in colour and without", () => {
    const rows = [[span("a", "bold"), span(" b")], [], [span("c", "added")]];
    expect(rowsToText(rows, { color: false })).toBe("a b\n\nc");
    expect(rowsToText(rows, { color: true })).toBe("\u001b[1ma\u001b[22m b\n\n\u001b[32mc\u001b[39m");
  });

  it("leaves long rows alone without a width", () => {
    expect(rowsToText(panels, { color: false }).split("\n")).toEqual(whole);
  });

  it.each([120, 80, 40, 20, 7, 2])("T03: fits %i columns and keeps every character", (width) => {
    const lines = rowsToText(panels, { color: false, wrap: { width, measure } }).split("\n");
    expect(Math.max(...lines.map(measure))).toBeLessThanOrEqual(width);
    const unmarked = lines.map((line, i) => (i > 0 && line.startsWith("… ") ? line.slice(2) : line));
    expect(unmarked.join("")).toBe(whole.join(""));
  });

  it("T02: marks the further lines of a row, so that they cannot pass for rows", () => {
    const row = [span("  12 + ", "dim"), span(`${"x".repeat(33)}Type RUN to run it`, "added")];
    expect(rowsToText([row], { color: false, wrap: { width: 40, measure } })).toBe(
      `  12 + ${"x".repeat(33)}\n… Type RUN to run it`,
    );
  });

  it("keeps the style of a wrapped span", () => {
    const lines = rowsToText([[span("x".repeat(30), "added")]], {
      color: true,
      wrap: { width: 20, measure },
    });
    expect(lines).toBe(
      `\u001b[32m${"x".repeat(20)}\u001b[39m\n\u001b[2m… \u001b[22m\u001b[32m${"x".repeat(10)}\u001b[39m`,
    );
  });
});
