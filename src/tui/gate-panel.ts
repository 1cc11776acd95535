// The pending panel: a proposal whole and pageable, and what a typed line means for it (design §5). Pure.
import { confirmWord, type Proposal } from "../protocol/proposal.ts";
import { afterPaint, firstPage, type Pager, scrolled } from "./pager.ts";

export interface GatePanel {
  proposal: Proposal;
  pager: Pager;
  /** Columns of the last frame that showed the panel, 0 before the first: keys from before do not count (T04). */
  columns: number;
  /** Set after a line that meant nothing here. */
  reminded: boolean;
}

export type Word =
  | { kind: "approve"; always?: true }
  | { kind: "reject"; feedback?: string }
  | { kind: "other" };

export function openPanel(proposal: Proposal): GatePanel {
  return { proposal, pager: firstPage, columns: 0, reminded: false };
}

/** What a submitted line says at this panel. Words are exact and case-sensitive. */
export function readWord(proposal: Proposal, line: string): Word {
  const text = line.trim();
  if (text === confirmWord(proposal)) return { kind: "approve" };
  if (text === "RUN always" && proposal.always) return { kind: "approve", always: true };
  if (text === "CANCEL") return { kind: "reject" };
  const feedback = /^CANCEL\s+([\s\S]+)$/.exec(text)?.[1];
  return feedback === undefined ? { kind: "other" } : { kind: "reject", feedback };
}

/** The control word that a line is, in any case: where nothing waits for it, it is answered locally and never sent. */
export function strayWord(line: string): string | null {
  const text = line.trim();
  if (/^(CONTINUE|APPLY|RUN|CANCEL|RUN always|RUN [0-9a-f]{8})$/i.test(text)) return text;
  return /^CANCEL\s/.test(text) ? "CANCEL" : null;
}

/** After a frame that showed it. Other columns make other lines, so what was seen before has to be seen again. */
export function panelPainted(panel: GatePanel, columns: number, total: number, height: number): GatePanel {
  const same = panel.columns === 0 || panel.columns === columns;
  return { ...panel, columns, pager: same ? afterPaint(panel.pager, total, height) : firstPage };
}

export function panelScrolled(panel: GatePanel, by: number, total: number, height: number): GatePanel {
  return { ...panel, pager: scrolled(panel.pager, by, total, height) };
}

/** Whether the whole object has been on the screen: then Tab fills in the word. */
export function wholeSeen(panel: GatePanel, total: number): boolean {
  return panel.columns > 0 && panel.pager.seen >= total;
}
