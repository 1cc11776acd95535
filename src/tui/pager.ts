// A window on many lines: the panel, the inspector and /diff page with it. Pure state; whoever shows it draws the lines.

export interface Pager {
  /** First line shown, from 0. */
  top: number;
  /** Lines from the first on that have been on the screen without a gap. */
  seen: number;
}

export const firstPage: Pager = { top: 0, seen: 0 };

export function scrolled(pager: Pager, by: number, total: number, height: number): Pager {
  const top = Math.max(0, Math.min(pager.top + by, total - height));
  return { ...pager, top };
}

/** Scrolled no further than needed to have `line` in the window. */
export function showing(pager: Pager, line: number, height: number): Pager {
  return { ...pager, top: Math.min(line, Math.max(pager.top, line - height + 1)) };
}

/** After a frame: the lines of the window count as seen when they join those seen before. */
export function afterPaint(pager: Pager, total: number, height: number): Pager {
  const bottom = Math.min(pager.top + height, total);
  return pager.top <= pager.seen ? { ...pager, seen: Math.max(pager.seen, bottom) } : pager;
}

export interface PagerWindow {
  lines: readonly string[];
  /** `1-12/90`, or "" when everything fits. */
  place: string;
}

export function windowOf(lines: readonly string[], pager: Pager, height: number): PagerWindow {
  if (lines.length <= height) return { lines, place: "" };
  const { top } = scrolled(pager, 0, lines.length, height);
  const shown = lines.slice(top, top + height);
  return { lines: shown, place: `${top + 1}-${top + shown.length}/${lines.length}` };
}
