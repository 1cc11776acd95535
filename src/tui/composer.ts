// The composer: pi-tui's editor, with the application's keys asked first and pastes kept to the byte (but for line ends, which
// terminals themselves change). Made by start.ts.
import {
  Editor,
  isKeyRelease,
  KeybindingsManager,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@mariozechner/pi-tui";
import type { Screen } from "./screen.ts";
import type { Theme } from "./theme.ts";

const PASTE = /^\x1b\[200~([\s\S]*)\x1b\[201~$/;
/** Some terminals write control characters inside a paste as keys: `ESC[106;5u` is Ctrl+J. */
const CONTROL_KEY = /\x1b\[(\d+);5u/g;
/** The editor turns tabs into blanks and drops other control characters; inside it they are these code points, which no text has. */
const FIRST_STAND_IN = 0xfdd0;
const NO_TEXT = "\uffff";
/** What the editor keeps as a block with a label instead of text. */
const LONG_PASTE = { lines: 10, characters: 1000 };

export class Composer extends Editor {
  /** Sees every key first; true when it took it. */
  onKey: (data: string) => boolean = () => false;
  /** Gets the text at Enter, exactly as it was typed and pasted. */
  onSend: (text: string) => void = () => {};

  constructor(screen: Screen, theme: Theme) {
    super(screen, theme.editor, { paddingX: 0 });
    setKeybindings(
      new KeybindingsManager({
        ...TUI_KEYBINDINGS,
        "tui.input.newLine": { defaultKeys: ["shift+enter", "ctrl+j"] },
      }),
    );
  }

  override handleInput(data: string): void {
    if (isKeyRelease(data)) return;
    const pasted = PASTE.exec(data)?.[1];
    if (pasted !== undefined) this.#paste(pasted);
    else if (!this.onKey(data)) {
      const text = this.text();
      // The editor trims what it submits.
      this.onSubmit = () => this.onSend(text);
      super.handleInput(data);
    }
  }

  /** The whole text, pastes included. */
  text(): string {
    return restored(this.getExpandedText());
  }

  override setText(text: string): void {
    super.setText(kept(text));
  }

  override addToHistory(text: string): void {
    super.addToHistory(kept(text));
  }

  /** The whole text and an empty composer: how a draft is set aside. */
  take(): string {
    const text = this.text();
    if (text !== "") this.setText("");
    return text;
  }

  override render(width: number): string[] {
    return super.render(width).map(visible);
  }

  #paste(pasted: string): void {
    const text = kept(
      pasted.replace(CONTROL_KEY, (key, code: string) => controlCharacter(Number(code)) ?? key),
    );
    const long = text.split("\n").length > LONG_PASTE.lines || text.length > LONG_PASTE.characters;
    // Begun with a character that is no path's first, or the editor might put a blank in front.
    if (long) super.handleInput(`\x1b[200~${NO_TEXT}${text}\x1b[201~`);
    else this.insertTextAtCursor(text);
  }
}

function controlCharacter(letter: number): string | undefined {
  return letter >= 97 && letter <= 122 ? String.fromCharCode(letter - 96) : undefined;
}

/** Line ends as LF, other control characters as their stand-ins. */
function kept(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[\0-\x09\x0b-\x1f]/g, (control) => String.fromCharCode(FIRST_STAND_IN + control.charCodeAt(0)));
}

function restored(text: string): string {
  return text
    .replaceAll(NO_TEXT, "")
    .replace(/[\ufdd0-\ufdef]/g, (standIn) => String.fromCharCode(standIn.charCodeAt(0) - FIRST_STAND_IN));
}

/** Stand-ins as one visible column each: a tab as an arrow, ESC as ␛. What takes no column and steers terminals is left out. */
function visible(row: string): string {
  return row
    .replace(/[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\u2028\u2029]/g, "␤")
    .replace(/[\ufdd0-\ufdef]/g, (standIn) => {
      const code = standIn.charCodeAt(0) - FIRST_STAND_IN;
      return code === 9 ? "→" : String.fromCharCode(0x2400 + code);
    });
}
