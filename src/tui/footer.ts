// The footer: place on the left; model, context, tokens, cost, steps and state on the right. Pure; drawn by live-view.ts.
import { truncateToWidth, visibleWidth } from "@mariozechner/pi-tui";
import type { Messages } from "../i18n/messages.ts";
import { safeLine } from "../policy/safe-text.ts";
import { shortContext, shortCost, shortTokens } from "../view/usage.ts";
import type { LiveModel } from "./model.ts";

const GAP = 2;
/** A place that is cut shorter than this says nothing. */
const SHORTEST_PLACE = 16;

/** The state always; the place and, as far as there is room, the rest; /status has it all. */
export function footerLine(footer: LiveModel["footer"], width: number, messages: Messages): string {
  const place = safeLine(footer.place);
  const model = safeLine(footer.model);
  const { permissions, sandbox, state } = footer;
  const steps = footer.steps === 0 ? "" : messages["receipt.steps"](footer.steps);
  const context = shortContext(footer.context, messages);
  const tokens = shortTokens(footer.usage, messages);
  const cost = shortCost(footer.usage, messages);
  const short = Math.min(visibleWidth(place), SHORTEST_PLACE) + GAP;
  const shown = new Set<string>();
  const right = (): string =>
    [
      ...[model, context, tokens, cost, steps, sandbox, permissions].filter((part) => shown.has(part)),
      state,
    ].join(" · ");
  for (const part of [permissions, model, sandbox, context, cost, tokens, steps]) {
    if (part === "") continue;
    shown.add(part);
    if (visibleWidth(right()) + short > width) shown.delete(part);
  }
  const room = width - visibleWidth(right()) - GAP;
  const left = room >= short - GAP ? truncateToWidth(place, room, "…") : "";
  const gap = " ".repeat(Math.max(0, width - visibleWidth(left) - visibleWidth(right())));
  return truncateToWidth(`${left}${gap}${right()}`, width, "…");
}
