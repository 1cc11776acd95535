// The first screen, when no model was chosen: the demo, setting up a model, or quitting. Chooses nothing by itself.
import { type Component, matchesKey, type Terminal } from "@mariozechner/pi-tui";
import type { Messages } from "../i18n/messages.ts";
import { span } from "../view/row.ts";
import { Screen } from "./screen.ts";
import { linesOf } from "./text.ts";
import { createTheme, type Theme } from "./theme.ts";

export type WelcomeChoice = "demo" | "setup" | "quit";

const keys: Readonly<Record<string, WelcomeChoice>> = { "1": "demo", "2": "setup", "3": "quit", q: "quit" };

export async function runWelcome(
  terminal: Terminal,
  messages: Messages,
  color: boolean,
  ended: AbortSignal,
): Promise<WelcomeChoice> {
  const screen = new Screen(terminal);
  const theme = createTheme(color);
  const choice = await new Promise<WelcomeChoice>((choose) => {
    const menu = welcomeMenu(messages, theme, choose);
    screen.addChild(menu);
    screen.setFocus(menu);
    ended.addEventListener("abort", () => choose("quit"), { once: true });
    screen.start();
  });
  screen.stop();
  return choice;
}

function welcomeMenu(messages: Messages, theme: Theme, choose: (choice: WelcomeChoice) => void): Component {
  return {
    render: (width) =>
      linesOf(
        messages["tui.welcome"].split("\n").map((line) => [span(line)]),
        width,
        theme,
      ),
    handleInput: (data) => {
      const choice = matchesKey(data, "ctrl+c") || matchesKey(data, "ctrl+d") ? "quit" : keys[data];
      if (choice) choose(choice);
    },
    invalidate: () => {},
  };
}
