// The live rows: draft, activity, panel or overlay, composer, footer, fitted into the screen. Reads the model, draws, keeps
// nothing but what the last frame had room for.
import { type Component, truncateToWidth, visibleWidth } from "@mariozechner/pi-tui";
import type { Messages } from "../i18n/messages.ts";
import { safeLine, safeText } from "../policy/safe-text.ts";
import { confirmWord, type Proposal } from "../protocol/proposal.ts";
import { gateLine, gateReminder, proposalRows } from "../view/proposal.ts";
import { type Row, type Style, span } from "../view/row.ts";
import type { Composer } from "./composer.ts";
import { diffOverlayRows } from "./diff-overlay.ts";
import { footerLine } from "./footer.ts";
import { type GatePanel, wholeSeen } from "./gate-panel.ts";
import { inspectorRows } from "./inspector.ts";
import type { LiveModel, Retry } from "./model.ts";
import { scrolled, showing, windowOf } from "./pager.ts";
import { type OpenQuestion, questionHint, questionRows } from "./question.ts";
import { linesOf, markdownLines } from "./text.ts";
import type { Theme } from "./theme.ts";

/** As much of a draft's end as is parsed for its last rows. */
const DRAFT_TAIL = 8_000;
const OUTPUT_ROWS = 4;
/** As much of a failure as is shown beside the wait for the next request. */
const REASON_ROWS = 5;
const MIN_WIDTH = 10;

/** What the last frame showed of the panel or an overlay: paging goes by it. */
interface Fitted {
  what: "panel" | "overlay" | "neither";
  columns: number;
  total: number;
  height: number;
  /** The first line shown. */
  top: number;
}

const neither: Fitted = { what: "neither", columns: 0, total: 0, height: 1, top: 0 };

export class LiveView implements Component {
  fitted = neither;
  #shown: { proposal: Proposal; width: number; lines: readonly string[] } | undefined;
  readonly #model: LiveModel;
  readonly #composer: Composer;
  readonly #theme: Theme;
  readonly #messages: Messages;
  readonly #screenRows: () => number;

  constructor(
    model: LiveModel,
    composer: Composer,
    theme: Theme,
    messages: Messages,
    screenRows: () => number,
  ) {
    this.#model = model;
    this.#composer = composer;
    this.#theme = theme;
    this.#messages = messages;
    this.#screenRows = screenRows;
  }

  invalidate(): void {
    this.#composer.invalidate();
  }

  render(width: number): string[] {
    this.fitted = neither;
    if (width < MIN_WIDTH) return [truncateToWidth(this.#messages["tui.narrow"], width, "")];
    const { overlay, panel, question } = this.#model;
    const footer = this.#theme.dim(footerLine(this.#model.footer, width, this.#messages));
    if (overlay) return ["", ...this.#overlay(overlay, width, this.#screenRows() - 2), footer];
    const bottom = [...this.#notes(width), ...this.#composer.render(width), footer];
    const room = this.#screenRows() - bottom.length - 1;
    const middle = panel
      ? this.#panel(panel, width, room)
      : question
        ? this.#question(question, width, room)
        : this.#activity(width);
    return ["", ...this.#draft(width, room - middle.length), ...middle, ...bottom];
  }

  /** The draft's last rows under a label, so that nobody takes them for the answer. */
  #draft(width: number, height: number): string[] {
    const { draft } = this.#model;
    if (draft.trim() === "" || height < 3) return [];
    const tail =
      draft.length > DRAFT_TAIL ? draft.slice(draft.indexOf("\n", draft.length - DRAFT_TAIL) + 1) : draft;
    const lines = markdownLines(tail, width, this.#theme).slice(2 - height);
    return [this.#cut(this.#messages["tui.draft"], width, "dim"), ...lines, ""];
  }

  #activity(width: number): string[] {
    const { activity, output } = this.#model;
    if (!activity) return [];
    const passed = performance.now() - activity.since;
    if (activity.retry && passed < 0) return this.#retry(activity.retry, Math.ceil(-passed / 1000), width);
    const seconds = Math.max(0, Math.floor(passed / 1000));
    const printed = safeText(output)
      .split("\n")
      .filter((line) => line.trim() !== "")
      .slice(-OUTPUT_ROWS)
      .map((line) => this.#cut(`  ${safeLine(line)}`, width, "dim"));
    const working = this.#messages["tui.working"](safeLine(activity.label), seconds);
    const both = `${working}  (${this.#messages["tui.interrupt"]})`;
    return [...printed, this.#cut(both.length <= width ? both : working, width, "dim")];
  }

  /** The countdown to the next request and why it is needed: on one line, or below each other. */
  #retry({ attempt, of, why }: Retry, seconds: number, width: number): string[] {
    const countdown = `· ${this.#messages["retry.wait"](seconds, attempt, of)}`;
    const stop = ` · ${this.#messages["tui.stop"]}`;
    const whole = `${countdown}: ${safeLine(why)}${stop}`;
    if (visibleWidth(whole) <= width) return [this.#cut(whole, width, "warn")];
    const reason = this.#lines([[span(safeLine(why), "dim")]], width).slice(0, REASON_ROWS);
    return [this.#cut(`${countdown}${stop}`, width, "warn"), ...reason];
  }

  /** The panel's window, where it stands, and what to type; nothing of it where that does not fit, for half of it would mislead. */
  #panel(panel: GatePanel, width: number, room: number): string[] {
    const { proposal, pager, reminded } = panel;
    const lines = this.#proposalLines(proposal, width);
    const asking = reminded ? gateReminder(proposal, this.#messages) : gateLine(proposal, this.#messages);
    const foot = this.#lines([asking], width);
    const whole = lines.length + foot.length <= room;
    const height = whole ? lines.length : room - foot.length - 1;
    if (height < 1) return this.#lines([[span(this.#messages["tui.low"], "warn")]], width);
    this.fitted = { what: "panel", columns: width, total: lines.length, height, top: pager.top };
    const shown = windowOf(lines, pager, height);
    if (shown.place === "") return [...shown.lines, ...foot];
    const place = wholeSeen(panel, lines.length)
      ? this.#messages["tui.place.seen"](shown.place, confirmWord(proposal))
      : this.#messages["tui.place"](shown.place);
    return [...shown.lines, this.#cut(place, width, "accent"), ...foot];
  }

  /** The question's beginning and end where it is longer than the screen: an answer is no permission. */
  #question({ question }: OpenQuestion, width: number, room: number): string[] {
    const foot = this.#lines([questionHint(question, this.#messages)], width);
    const lines = this.#lines(questionRows(question, this.#messages), width);
    const height = Math.max(1, room - foot.length);
    const shown = lines.length <= height ? lines : [...lines.slice(0, 1), "…", ...lines.slice(2 - height)];
    return [...shown, ...foot];
  }

  /** Made once per width: a long diff must not cost anything at each key. */
  #proposalLines(proposal: Proposal, width: number): readonly string[] {
    if (this.#shown?.proposal !== proposal || this.#shown.width !== width)
      this.#shown = { proposal, width, lines: this.#lines(proposalRows(proposal, this.#messages), width) };
    return this.#shown.lines;
  }

  #overlay(overlay: NonNullable<LiveModel["overlay"]>, width: number, room: number): string[] {
    const { kind, pager, follows } = overlay;
    const { rows, selectedRow } =
      kind === "inspector"
        ? inspectorRows(this.#model.inspector, this.#messages)
        : { rows: diffOverlayRows(this.#model.patches, this.#messages), selectedRow: 0 };
    const lines = rows.length > 0 ? this.#lines(rows, width) : [this.#messages["tui.empty"]];
    const keys = this.#lines([[span(this.#messages[`tui.${kind}.keys`], "dim")]], width);
    const height = Math.max(1, room - 1 - keys.length);
    const selected = this.#lines(rows.slice(0, selectedRow), width).length;
    const { top } = follows ? showing(pager, selected, height) : scrolled(pager, 0, lines.length, height);
    this.fitted = { what: "overlay", columns: width, total: lines.length, height, top };
    const { lines: shown, place } = windowOf(lines, { ...pager, top }, height);
    const title = `${this.#messages[`tui.${kind}`]} ${place}`.trimEnd();
    return [this.#cut(title, width, "title"), ...shown, ...keys];
  }

  #notes(width: number): string[] {
    const { queued, hint } = this.#model;
    const waiting = queued.map((text) =>
      this.#cut(this.#messages["tui.queued"](safeLine(text)), width, "dim"),
    );
    return hint === "" ? waiting : [...waiting, ...this.#lines([[span(hint, "warn")]], width)];
  }

  #lines(rows: readonly Row[], width: number): string[] {
    return linesOf(rows, width, this.#theme);
  }

  #cut(text: string, width: number, style: Style): string {
    return this.#lines([[span(truncateToWidth(text, width, "…"), style)]], width).join("");
  }
}
