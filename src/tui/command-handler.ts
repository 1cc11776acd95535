// Carries out slash commands. Made by start.ts, which owns the agent that /mode, /model and /clear change.
import type { Messages } from "../i18n/messages.ts";
import type { PermissionMode } from "../policy/rules.ts";
import { AppError, messageOf } from "../util/errors.ts";
import type { Style } from "../view/row.ts";
import type { Choice } from "./choice.ts";
import { type Command, commandTable } from "./commands.ts";

export interface CommandParts {
  messages: Messages;
  say(text: string, style?: Style): void;
  list(items: readonly (readonly [name: string, meaning: string])[]): void;
  quit(): void;
  /** Goes on with another choice; it comes with the session to keep. */
  reopen(change: (choice: Choice) => Choice): void;
  /** Asks for a new profile and goes on with it. */
  setUp(): void;
  /** The mode in use, in words. */
  mode(): string;
  /** Id of the profile in use. */
  profile(): string;
  /** Changes what passes without asking, or says what does (null). */
  permissions(mode: PermissionMode | null): void;
  /** Puts a line back into the composer. */
  recall(text: string): void;
  /** Gives the new state. */
  toggleDetails(): boolean;
  showDiff(): void;
  status(): string;
  profiles(): Promise<[name: string, meaning: string][]>;
}

export function commandHandler(parts: CommandParts): (command: Command) => void {
  const { messages, say, reopen } = parts;
  const listProfiles = (): void => {
    parts.profiles().then(
      (profiles) => {
        parts.list(profiles);
        say(messages["tui.model.how"], "dim");
      },
      (error: unknown) => say(errorLine(error), "error"),
    );
  };
  const changeMode = ({ mode, guided }: Extract<Command, { name: "mode" }>): void => {
    if (mode === null) say(messages["tui.mode.now"](parts.mode()));
    else reopen((now) => ({ ...now, mode, guided }));
  };
  return (command) => {
    switch (command.name) {
      case "help":
        parts.list([...commandTable, ...keyTable(messages)]);
        break;
      case "quit":
        parts.quit();
        break;
      case "details":
        say(messages[parts.toggleDetails() ? "tui.details.on" : "tui.details.off"]);
        break;
      case "diff":
        parts.showDiff();
        break;
      case "status":
        say(parts.status());
        break;
      case "clear":
        reopen(({ session: _, always: __, ...kept }) => kept);
        break;
      case "permissions":
        parts.permissions(command.mode);
        break;
      case "mode":
        changeMode(command);
        break;
      case "model":
        if (command.id === "") listProfiles();
        else if (command.id === "setup") parts.setUp();
        else if (command.id === parts.profile()) say(messages["tui.model.same"](command.id));
        else reopen((now) => ({ ...now, profile: command.id }));
        break;
      case "misused":
        parts.recall(command.text);
        say(messages["tui.misused"](command.usage, command.help), "warn");
        break;
      case "unknown":
        parts.recall(command.text);
        say(messages["tui.unknown"](command.text, command.near ?? ""), "warn");
        break;
    }
  };
}

/** An error with its hint, for a user who goes on. */
export function errorLine(error: unknown): string {
  const hint = error instanceof AppError ? error.hint : undefined;
  return hint === undefined ? messageOf(error) : `${messageOf(error)}. ${hint}`;
}

function keyTable(messages: Messages): [string, string][] {
  return messages["tui.keys"].split("\n").map((line) => {
    const [key = "", meaning = ""] = line.split("\t");
    return [key, meaning];
  });
}
