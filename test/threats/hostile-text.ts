// Shows a hostile text through every door that text has to the terminal and the model. Used by the threats to the terminal.
import { en } from "../../src/i18n/en.ts";
import { exactText, safeLine, safeText } from "../../src/policy/safe-text.ts";
import { commandReport } from "../../src/tools/command-report.ts";
import { rowsToText } from "../../src/view/plain.ts";
import { proposalRows } from "../../src/view/proposal.ts";
import { command, proposed, run } from "../view/helpers.ts";

/** C0 but TAB and LF, DEL, and C1: what steers a terminal. */
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** What each door shows of the text. */
export function shown(text: string): Record<string, string> {
  const content = run({ reason: text, commands: [command({ argv: ["echo", text] })] });
  const output = Buffer.from(`${text}\nend of output\n`);
  const end = { exit: 0, signal: null, ms: 5, timedOut: false, cancelled: false, leftBehind: 0 };
  return {
    screen: safeText(text),
    line: safeLine(text),
    proposal: exactText(text),
    panel: rowsToText(proposalRows(proposed(content), en), { color: false }),
    model: commandReport(run(), [{ ...end, output, outputBytes: output.length }], []),
  };
}

/** The doors that let something through that steers a terminal. */
export function leaks(text: string): string[] {
  return Object.entries(shown(text)).flatMap(([door, out]) => (steering.test(out) ? [door] : []));
}
