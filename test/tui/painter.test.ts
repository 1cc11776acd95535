// The painter on a real terminal emulator: finished rows once each, then the live rows; nothing is ever cleared but our own.
import { visibleWidth, wrapTextWithAnsi } from "@mariozechner/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  erase,
  type Frame,
  nothingPainted,
  type Painted,
  type PaintSize,
  paint,
} from "../../src/tui/painter.ts";
import { VirtualTerminal } from "../helpers/virtual-terminal.ts";

const SHELL = ["$ ls", "a.txt  b.txt", "$ minicode"];

/** Paints frames on a terminal that already shows some shell lines. */
class Painting {
  readonly terminal: VirtualTerminal;
  painted: Painted = nothingPainted;
  finished: string[] = [];

  constructor(columns: number, rows: number) {
    this.terminal = new VirtualTerminal(columns, rows);
    this.terminal.write(SHELL.map((line) => `${line}\r\n`).join(""));
  }

  size(): PaintSize {
    const { columns, rows } = this.terminal;
    return {
      columns,
      rows,
      height: (row) => Math.max(1, wrapTextWithAnsi(row.replaceAll(" ", "_"), columns).length),
    };
  }

  frame(frame: Frame): string {
    const { bytes, after } = paint(this.painted, frame, this.size());
    this.painted = after;
    this.finished.push(...frame.finished);
    this.terminal.write(bytes);
    return bytes;
  }
}

const pieces = ["a", "b", " ", "漢", "字", "é", "x-y", "0"];

/** A row of exactly `width` columns, or of a random width up to it. */
const row = (columns: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.constantFrom(...pieces), { maxLength: columns }), fc.boolean(), fc.boolean())
    .map(([parts, full, styled]) => {
      let text = "";
      for (const part of parts) if (visibleWidth(text + part) <= columns) text += part;
      text = text.trimEnd();
      if (full) text += "#".repeat(columns - visibleWidth(text));
      return styled && text !== "" ? `\x1b[1m${text}\x1b[22m` : text;
    });

const frame = (columns: number, rows: number): fc.Arbitrary<Frame> =>
  fc
    .record({
      finished: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(row(columns), { maxLength: rows * 2 }) },
      ),
      live: fc.array(row(columns), { minLength: 0, maxLength: rows + 6 }),
      at: fc.nat(),
      column: fc.nat({ max: columns - 1 }),
    })
    .map(({ finished, live, at, column }) => {
      // The screen cuts the live rows before they come here.
      const shown = live.slice(-rows);
      const cursor = shown.length === 0 ? { row: 0, column: 0 } : { row: at % shown.length, column };
      return { finished, live: shown, cursor };
    });

function plain(line: string): string {
  return line.replace(/\x1b\[[0-9;]*m/g, "").trimEnd();
}

function withoutEnd(rows: readonly string[]): string[] {
  const all = rows.map(plain);
  while (all.at(-1) === "") all.pop();
  return all;
}

describe("frames on one screen", () => {
  it("leave each finished row once, then the live rows, whatever came before", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .tuple(fc.integer({ min: 4, max: 24 }), fc.integer({ min: 3, max: 12 }))
          .chain(([columns, rows]) =>
            fc.tuple(
              fc.constant([columns, rows] as const),
              fc.array(frame(columns, rows), { maxLength: 12 }),
            ),
          ),
        async ([[columns, rows], frames]) => {
          const painting = new Painting(columns, rows);
          await painting.terminal.flushed();
          const shell = painting.terminal.everything();
          for (const one of frames) {
            const bytes = painting.frame(one);
            expect(bytes).not.toMatch(/\x1b\[[23]J/);
            await painting.terminal.flushed();
            expect(painting.terminal.everything()).toEqual(
              withoutEnd([...shell, ...painting.finished, ...one.live]),
            );
          }
          const last = frames.at(-1);
          if (last && last.live.length > 0) {
            // The cursor stands in the live rows where the frame wants it.
            const { terminal } = painting;
            const above = terminal.scrollback().length + terminal.cursor.row;
            expect(above).toBe(shell.length + painting.finished.length + last.cursor.row);
            expect(terminal.cursor.column).toBe(last.cursor.column);
          }
          painting.terminal.write(erase(painting.painted, painting.size()));
          await painting.terminal.flushed();
          expect(painting.terminal.everything()).toEqual(withoutEnd([...shell, ...painting.finished]));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("writes nothing when nothing changed, and little when little did", () => {
    const painting = new Painting(80, 24);
    const live = Array.from({ length: 20 }, (_, i) => `row ${i}`);
    const cursor = { row: 19, column: 3 };
    painting.frame({ finished: [], live, cursor });
    expect(painting.frame({ finished: [], live: [...live], cursor })).toBe("");
    const bytes = painting.frame({ finished: [], live: live.with(19, "row x"), cursor });
    expect(bytes).toContain("row x");
    expect(bytes).not.toContain("row 18");
  });

  it("keeps its place when a row is wider than we think", async () => {
    const painting = new Painting(20, 8);
    // Ten columns by our count, more by this emulator's.
    const family = "👨‍👩‍👧".repeat(10);
    for (const mark of ["one", "two", "three"])
      painting.frame({ finished: [], live: ["top", family, mark], cursor: { row: 2, column: 0 } });
    await painting.terminal.flushed();
    const rows = painting.terminal.everything();
    expect(rows.slice(0, SHELL.length + 1)).toEqual([...SHELL, "top"]);
    expect(rows.at(-1)).toBe("three");
    expect(rows).toHaveLength(SHELL.length + 3);
  });
});

describe("a resize", () => {
  it("leaves the live rows whole at the end and the shell's lines where they were", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 10, max: 40 }), fc.integer({ min: 8, max: 20 })), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 30 }),
        fc.constantFrom("word ", "漢字", "x"),
        async (sizes, height, count, word) => {
          const painting = new Painting(30, 12);
          const { terminal } = painting;
          const liveAt = (columns: number) => [
            ...Array.from({ length: height - 1 }, (_, i) => cut(`${i}${word.repeat(20)}`, columns)),
            "> ",
          ];
          const cursor = { row: height - 1, column: 2 };
          painting.frame({
            finished: Array.from({ length: count }, (_, i) => `finished ${i}.`),
            live: liveAt(30),
            cursor,
          });
          for (const [columns, rows] of sizes) {
            await terminal.flushed();
            terminal.resize(columns, rows);
            const bytes = painting.frame({ finished: [], live: liveAt(columns), cursor });
            expect(bytes).not.toMatch(/\x1b\[[23]J/);
            await terminal.flushed();
            const all = terminal.everything();
            expect(all.slice(-height)).toEqual(liveAt(columns).map(plain));
            const text = all.join("");
            expect(text).toContain("$ ls");
            for (let i = 0; i < count; i++) expect(text.split(`finished ${i}.`)).toHaveLength(2);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

function cut(text: string, columns: number): string {
  let shown = "";
  for (const character of text) if (visibleWidth(shown + character) <= columns) shown += character;
  return shown;
}
