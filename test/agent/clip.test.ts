// What one call and one step may send: head and tail stay, short results are left whole, nothing is cut inside a character.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clip, clipStep } from "../../src/agent/clip.ts";

const LINE = /\n… \d+ characters left out here; ask for less at a time …\n/;

describe("one result", () => {
  it("up to the limit is left as it is", () => {
    const text = "x".repeat(60_000);
    expect(clip(text)).toBe(text);
  });

  it("over it keeps its head and its tail, and says how much is missing", () => {
    const text = `BEGIN${"x".repeat(100_000)}END`;
    const clipped = clip(text);
    expect(clipped.startsWith("BEGIN")).toBe(true);
    expect(clipped.endsWith("END")).toBe(true);
    expect(clipped).toContain(`… ${text.length - 60_000} characters left out here`);
  });

  it("is never cut inside a character", () => {
    const whole = (text: string): boolean => Buffer.from(text).toString() === text;
    expect(clip("😀".repeat(50), 11)).toMatch(/^😀😀\n.*\n😀😀😀$/);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 15 }), (text, limit) => {
        expect(whole(clip(text, limit))).toBe(true);
      }),
    );
  });
});

describe("a step's results together", () => {
  it("under the limit are left as they are", () => {
    const texts = ["a".repeat(50_000), "b".repeat(50_000), "c"];
    expect(clipStep(texts)).toEqual(texts);
  });

  it("are not clipped twice", () => {
    const long = "x".repeat(70_000);
    expect(clipStep([long])).toEqual([clip(long)]);
  });

  it("over it lose from the longest first: what the short ones leave is theirs", () => {
    const short = Array.from({ length: 10 }, () => "s".repeat(100));
    const clipped = clipStep([...short, "a".repeat(59_000), "b".repeat(59_500), "c".repeat(30_000)]);
    expect(clipped.slice(0, 10)).toEqual(short);
    expect(clipped[12]).toHaveLength(30_000);
    expect(clipped[10]?.length).toBeGreaterThan(44_000);
    expect(clipped[11]).toMatch(LINE);
  });

  it("stay near the limit whatever they are, each with at least 2,000 characters of it", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 50 }), (sizes) => {
        const clipped = clipStep(sizes.map((size) => "x".repeat(size)));
        const total = clipped.reduce((sum, { length }) => sum + length, 0);
        expect(total).toBeLessThanOrEqual(120_000 + sizes.length * 100);
        for (const [i, size] of sizes.entries()) {
          expect(clipped[i]?.length).toBeGreaterThanOrEqual(Math.min(size, 2_000));
        }
      }),
      { numRuns: 200 },
    );
  });
});
