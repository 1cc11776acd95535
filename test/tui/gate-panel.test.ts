import { describe, expect, it } from "vitest";
import {
  openPanel,
  panelPainted,
  panelScrolled,
  readWord,
  strayWord,
  wholeSeen,
} from "../../src/tui/gate-panel.ts";
import { patch, plan, proposed, run } from "../view/helpers.ts";

describe("what a line says at a panel", () => {
  it.each([
    [plan(), "CONTINUE"],
    [patch(), "APPLY"],
    [run(), "RUN"],
  ])("only the word of its own kind approves (%#)", (content, word) => {
    const proposal = proposed(content);
    expect(readWord(proposal, ` ${word} `)).toEqual({ kind: "approve" });
    for (const other of ["CONTINUE", "APPLY", "RUN", word.toLowerCase(), `${word}!`, `${word} now`, ""])
      if (other !== word) expect(readWord(proposal, other)).toEqual({ kind: "other" });
  });

  it("CANCEL rejects, with whatever stands behind it", () => {
    const proposal = proposed(patch());
    expect(readWord(proposal, "CANCEL")).toEqual({ kind: "reject" });
    expect(readWord(proposal, "CANCEL not\nlike this ")).toEqual({
      kind: "reject",
      feedback: "not\nlike this",
    });
    expect(readWord(proposal, "CANCEL\nAPPLY")).toEqual({ kind: "reject", feedback: "APPLY" });
    expect(readWord(proposal, "CANCELLED")).toEqual({ kind: "other" });
    expect(readWord(proposal, "cancel")).toEqual({ kind: "other" });
  });

  it("a control word where nothing waits is no message; other text is", () => {
    for (const word of ["RUN", "run", " Apply ", "CONTINUE", "cancel"])
      expect(strayWord(word)).toBe(word.trim());
    expect(strayWord("CANCEL because of this")).toBe("CANCEL");
    for (const text of ["run the tests", "Cancel the order in shop.ts", "APPLY it"])
      expect(strayWord(text)).toBeNull();
  });
});

describe("whether everything was seen", () => {
  const panel = openPanel(proposed(patch()));

  it("takes a frame, and every line on the screen without a gap", () => {
    expect(wholeSeen(panel, 5)).toBe(false);
    let now = panelPainted(panel, 80, 30, 10);
    expect(wholeSeen(now, 30)).toBe(false);
    for (const by of [9, 9, 9]) now = panelPainted(panelScrolled(now, by, 30, 10), 80, 30, 10);
    expect(wholeSeen(now, 30)).toBe(true);
  });

  it("begins anew at other columns, where the lines are others", () => {
    const narrow = panelPainted(panelScrolled(panelPainted(panel, 40, 60, 30), 30, 60, 30), 40, 60, 30);
    expect(wholeSeen(narrow, 60)).toBe(true);
    const wide = panelPainted(narrow, 80, 40, 20);
    expect(wholeSeen(wide, 40)).toBe(false);
    expect(wide.pager.top).toBe(0);
  });
});
