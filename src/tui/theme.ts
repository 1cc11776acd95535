// Colours of the terminal UI. Rows bring their own (src/view/plain.ts); this is for Markdown and the composer.
import type { EditorTheme, MarkdownTheme } from "@mariozechner/pi-tui";
import { Chalk, type ChalkInstance } from "chalk";

export interface Theme {
  color: boolean;
  dim(text: string): string;
  accent(text: string): string;
  warn(text: string): string;
  markdown: MarkdownTheme;
  editor: EditorTheme;
}

export function createTheme(color: boolean): Theme {
  const chalk: ChalkInstance = new Chalk({ level: color ? 1 : 0 });
  const plain = (text: string): string => text;
  return {
    color,
    dim: chalk.dim,
    accent: chalk.cyan,
    warn: chalk.yellow,
    markdown: {
      heading: chalk.bold,
      link: chalk.underline,
      linkUrl: chalk.dim,
      code: chalk.cyan,
      codeBlock: plain,
      codeBlockBorder: chalk.dim,
      quote: chalk.italic,
      quoteBorder: chalk.dim,
      hr: chalk.dim,
      listBullet: chalk.cyan,
      bold: chalk.bold,
      italic: chalk.italic,
      strikethrough: chalk.strikethrough,
      underline: chalk.underline,
    },
    editor: {
      borderColor: chalk.dim,
      selectList: {
        selectedPrefix: chalk.cyan,
        selectedText: chalk.cyan,
        description: chalk.dim,
        scrollInfo: chalk.dim,
        noMatch: chalk.dim,
      },
    },
  };
}
