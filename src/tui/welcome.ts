// The first screens. Without a model: the demo, setting up a model, or quitting. In a folder that is not trusted yet: to trust
// it, only to look, or to quit. Neither chooses anything by itself.
import type { Terminal } from "@mariozechner/pi-tui";
import type { Messages } from "../i18n/messages.ts";
import { exactLine } from "../view/exact.ts";
import { indented, type Row, span } from "../view/row.ts";
import { runMenu } from "./menu.ts";

export type WelcomeChoice = "demo" | "setup" | "quit";
export type TrustChoice = "trust" | "read" | "quit";

const welcomeKeys = { "1": "demo", "2": "setup", "3": "quit", q: "quit" } as const;
const trustKeys = { t: "trust", r: "read", q: "quit" } as const;

export function runWelcome(
  terminal: Terminal,
  messages: Messages,
  color: boolean,
  ended: AbortSignal,
): Promise<WelcomeChoice> {
  const rows = textRows(messages["tui.welcome"]);
  return runMenu<WelcomeChoice>(
    terminal,
    rows,
    welcomeKeys,
    how(messages, welcomeKeys),
    "quit",
    color,
    ended,
  );
}

export function runTrust(
  terminal: Terminal,
  messages: Messages,
  folder: string,
  color: boolean,
  ended: AbortSignal,
): Promise<TrustChoice> {
  const rows = [
    ...textRows(messages["trust.title"]),
    ...indented([exactLine(folder, "title")]),
    ...textRows(messages["trust.about"]),
  ];
  return runMenu<TrustChoice>(terminal, rows, trustKeys, how(messages, trustKeys), "quit", color, ended);
}

function how(messages: Messages, keys: Readonly<Record<string, string>>): string {
  return messages["tui.menu.how"](Object.keys(keys));
}

function textRows(text: string): Row[] {
  return text.split("\n").map((line) => [span(line)]);
}
