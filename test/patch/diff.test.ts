import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffHunks, numberedDiff } from "../../src/patch/diff.ts";
import type { Hunk } from "../../src/protocol/proposal.ts";
import { patchFile } from "./patch-file.ts";
import { anyText } from "./texts.ts";

const settings = { numRuns: 1000, seed: 11 };
const diff = (before: string | null, after: string | null): ReturnType<typeof diffHunks> =>
  diffHunks(before === null ? null : Buffer.from(before), after === null ? null : Buffer.from(after));
const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i + 1}`);
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** Applies hunks by the book: every context and removed line must be there. */
function reapply(before: string, hunks: readonly Hunk[]): string {
  const olds = before.split(/(?<=\n)/).filter((line) => line !== "");
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    while (at < start) result.push(olds[at++] ?? "");
    expect(hunk.newStart).toBe(hunk.newLines === 0 ? 0 : result.length + 1);
    const [oldBefore, newBefore] = [at, result.length];
    for (const [i, line] of hunk.lines.entries()) {
      if (line === "\\ No newline at end of file") continue;
      const ending = hunk.lines[i + 1] === "\\ No newline at end of file" ? "" : "\n";
      const whole = line.slice(1) + ending;
      if (!line.startsWith("+")) expect(olds[at++]).toBe(whole);
      if (!line.startsWith("-")) result.push(whole);
    }
    expect([at - oldBefore, result.length - newBefore]).toEqual([hunk.oldLines, hunk.newLines]);
  }
  return [...result, ...olds.slice(at)].join("");
}

/** Length of the longest common subsequence, by the textbook table. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (const [j, other] of b.entries()) {
      next.push(line === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

describe("diffHunks", () => {
  test("re-applied to before it gives after, and keeps as many lines as can be", () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const { hunks, added, removed } = diff(before, after);
        expect(reapply(before, hunks)).toBe(after);
        const lines = (side: string): string[] => side.split(/(?<=\n)/).filter((line) => line !== "");
        const common = commonLength(lines(before), lines(after));
        expect([removed, added]).toEqual([lines(before).length - common, lines(after).length - common]);
        const marked = (mark: string): number =>
          hunks.flatMap((hunk) => hunk.lines).filter((line) => line.startsWith(mark)).length;
        expect([marked("-"), marked("+")]).toEqual([removed, added]);
      }),
      settings,
    );
  });

  test("a small edit of a long text", () => {
    const before = numbers(20);
    const after = before.with(9, "changed");
    expect(diff(text(before), text(after))).toEqual({
      hunks: [
        {
          oldStart: 7,
          oldLines: 7,
          newStart: 7,
          newLines: 7,
          lines: [
            " line 7",
            " line 8",
            " line 9",
            "-line 10",
            "+changed",
            " line 11",
            " line 12",
            " line 13",
          ],
        },
      ],
      added: 1,
      removed: 1,
    });
  });

  test("changes six kept lines apart share a hunk, seven apart do not", () => {
    const before = numbers(20);
    const changed = (...at: number[]): string => text(before.map((line, i) => (at.includes(i) ? "x" : line)));
    expect(diff(text(before), changed(2, 9)).hunks).toHaveLength(1);
    expect(diff(text(before), changed(2, 10)).hunks).toHaveLength(2);
  });

  test("a created and a deleted file", () => {
    const lines = { added: ["+a", "+b"], removed: ["-a", "-b"] };
    expect(diff(null, "a\nb\n")).toEqual({
      hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 2, lines: lines.added }],
      added: 2,
      removed: 0,
    });
    expect(diff("a\nb\n", null)).toEqual({
      hunks: [{ oldStart: 1, oldLines: 2, newStart: 0, newLines: 0, lines: lines.removed }],
      added: 0,
      removed: 2,
    });
    expect(diff(null, "").hunks).toEqual([]);
  });

  test("a changed line ending shows, with its CR", () => {
    expect(diff("a\r\nb\r\n", "a\nb\r\n").hunks[0]?.lines).toEqual(["-a\r", "+a", " b\r"]);
  });

  test("a changed last newline shows", () => {
    const none = "\\ No newline at end of file";
    expect(diff("a\nb", "a\nb\n").hunks[0]?.lines).toEqual([" a", "-b", none, "+b"]);
    expect(diff("a\nb\n", "a\nb").hunks[0]?.lines).toEqual([" a", "-b", "+b", none]);
    expect(diff("a\nb", "x\nb").hunks[0]?.lines).toEqual(["-a", "+x", " b", none]);
  });

  test("E06 one changed line", () => {
    expect(diff("line1\nline2\nline3", "LINE1\nline2\nline3")).toMatchObject({ added: 1, removed: 1 });
  });

  test("a byte order mark that comes or goes shows", () => {
    expect(diff("\uFEFFa\n", "a\n").hunks[0]?.lines).toEqual(["-\uFEFFa", "+a"]);
  });

  test("a side that is not text has no lines", () => {
    const none = { hunks: [], added: 0, removed: 0 };
    expect(diffHunks(Uint8Array.from([0xe9]), Buffer.from("a\n"))).toEqual(none);
    expect(diffHunks(null, Uint8Array.from([0]))).toEqual(none);
  });

  test("20,000 lines are compared whatever changed, and exactly", () => {
    const before = numbers(20_000);
    const cases: [string, string[], number][] = [
      ["every line", before.map((line) => `${line}!`), 20_000],
      ["every second line", before.map((line, i) => (i % 2 === 0 ? line : `${line}!`)), 10_000],
      ["the order", before.toReversed(), 20_000],
      ["the beginning and the end", ["x", ...before.slice(1, -1), "y"], 2],
    ];
    for (const [what, after, count] of cases) {
      const { hunks, added } = diff(text(before), text(after));
      expect([what, added]).toEqual([what, count]);
      const lines = hunks.flatMap((hunk) => hunk.lines);
      const side = (mark: string): string[] => lines.filter((line) => line.startsWith(mark));
      expect([side("-").length, side("+").length]).toEqual([count, count]);
    }
  });
});

describe("numberedDiff", () => {
  test("numbers the lines as in the new file", () => {
    const before = numbers(30);
    const after = before.with(8, "nine").toSpliced(20, 0, "new");
    expect(numberedDiff([patchFile("src/a.ts", text(before), text(after))])).toBe(
      [
        "src/a.ts: edited, +2 -1",
        " 6  line 6",
        " 7  line 7",
        " 8  line 8",
        "   -line 9",
        " 9 +nine",
        "10  line 10",
        "11  line 11",
        "12  line 12",
        "…",
        "18  line 18",
        "19  line 19",
        "20  line 20",
        "21 +new",
        "22  line 21",
        "23  line 22",
        "24  line 23",
      ].join("\n"),
    );
  });

  test("created, deleted, renamed and unreadable files take a line", () => {
    const files = [
      patchFile("new.txt", null, "a\nb\n"),
      patchFile("old.txt", "a\n", null),
      patchFile("b.txt", "a\n", "a\n", { from: "a.txt" }),
      patchFile("x.bin", "a\0", "b\0"),
    ];
    expect(numberedDiff(files).split("\n")).toEqual([
      "new.txt: created, +2 -0",
      "old.txt: deleted, +0 -1",
      "b.txt: renamed from a.txt, +0 -0",
      "x.bin: edited, +0 -0, not text",
    ]);
  });

  test("stops after 60 rows and counts the changed lines it leaves out", () => {
    const before = text(numbers(100));
    const files = [patchFile("a", before, before.replaceAll("line", "row")), patchFile("b", "1\n", "2\n")];
    const rows = numberedDiff(files).split("\n");
    expect(rows).toHaveLength(63);
    expect(rows.slice(-2)).toEqual(["b: edited, +1 -1", "… 142 more changed lines, not shown"]);
  });

  test("a very long line is cut, and says so", () => {
    const rows = numberedDiff([patchFile("a", "x\n", `${"y".repeat(299)}😀${"z".repeat(99)}\n`)]);
    expect(rows.split("\n").at(-1)).toBe(`1 +${"y".repeat(299)}… (101 more characters)`);
  });

  test("CRs and marks show only where they are the change", () => {
    expect(numberedDiff([patchFile("a", "\uFEFFa\r\nb\r\n", "\uFEFFA\r\nb\r\n")])).toBe(
      "a: edited, +1 -1\n  -a\n1 +A\n2  b",
    );
    expect(numberedDiff([patchFile("a", "\uFEFFa\r\nb\n", "a\nb\n")])).toBe(
      "a: edited, +1 -1\n  -\\u{FEFF}a␍\n1 +a\n2  b",
    );
  });
});
