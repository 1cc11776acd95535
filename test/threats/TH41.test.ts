// Paths are walked through open descriptors, so that what is swapped under our feet leads nowhere. The fuzz in CI opens 100,000 times.
// limit: elsewhere than on Linux a path is checked before and after it is opened, and an attacker who swaps twice in between can win.
import { describe, expect, it } from "vitest";
import { pathGateTarget } from "../fuzz/path-gate.ts";

describe("TH41 a folder or file swapped with a link while it is opened", () => {
  it("20,000 opens under attack: nothing from outside", { timeout: 60_000 }, async () => {
    const seed = 41;
    const { runs, failures, figures } = await pathGateTarget.run(20_000, seed);
    console.info(`${runs} opens, seed ${seed}, ${JSON.stringify(figures)}`);
    expect(failures).toEqual([]);
    expect(figures["entered"]).toBeGreaterThan(0);
    expect(figures["refused"]).toBeGreaterThan(0);
  });
});
