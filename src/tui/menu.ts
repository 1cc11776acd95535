// One screen with a few keys to choose from, before there is a session. Used by the first screens.
import { type Component, matchesKey, type Terminal } from "@mariozechner/pi-tui";
import { type Row, span } from "../view/row.ts";
import { Screen } from "./screen.ts";
import { linesOf } from "./text.ts";
import { createTheme, type Theme } from "./theme.ts";

/**
 * Shows the rows until one of `keys` is pressed and gives what it stands for; Ctrl+C, Ctrl+D and an end from outside give
 * `quit`. Any other key has the screen name those there are.
 */
export async function runMenu<T>(
  terminal: Terminal,
  rows: readonly Row[],
  keys: Readonly<Record<string, T>>,
  how: string,
  quit: T,
  color: boolean,
  ended: AbortSignal,
): Promise<T> {
  const screen = new Screen(terminal);
  const theme = createTheme(color);
  const choice = await new Promise<T>((choose) => {
    const menu = menuOf(rows, theme, keys, how, quit, choose);
    screen.addChild(menu);
    screen.setFocus(menu);
    ended.addEventListener("abort", () => choose(quit), { once: true });
    screen.start();
    if (ended.aborted) choose(quit);
  });
  screen.stop();
  return choice;
}

function menuOf<T>(
  rows: readonly Row[],
  theme: Theme,
  keys: Readonly<Record<string, T>>,
  how: string,
  quit: T,
  choose: (choice: T) => void,
): Component {
  let strayed = false;
  return {
    render: (width) => linesOf(strayed ? [...rows, [], [span(how, "warn")]] : rows, width, theme),
    handleInput: (data) => {
      if (matchesKey(data, "ctrl+c") || matchesKey(data, "ctrl+d")) choose(quit);
      else if (Object.hasOwn(keys, data)) {
        const choice = keys[data];
        if (choice !== undefined) choose(choice);
      } else strayed = true;
    },
    invalidate: () => {},
  };
}
