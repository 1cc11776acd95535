// argv to a command. Every error a user can cause ends here as one line with a hint and an exit code.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { chooseProfile } from "../app.ts";
import { packageRoot } from "../config/package-root.ts";
import { safeLine } from "../policy/safe-text.ts";
import { environmentSecrets, redactorFor } from "../policy/secrets.ts";
import { AppError, messageOf } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import { config } from "./config.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { exitCodeOfError, exitCodes } from "./exit-codes.ts";
import {
  type CommandName,
  checkCommand,
  checkScript,
  commandNames,
  type Flags,
  readFlags,
  usage,
} from "./flags.ts";
import { helpText } from "./help.ts";
import { type Io, isReaderGone, write } from "./io.ts";
import { loadTerminalUi } from "./load-tui.ts";
import { models } from "./models.ts";
import { print } from "./print.ts";
import { script } from "./script.ts";
import { setup, talkThrough } from "./setup.ts";
import { readPipedText } from "./stdin.ts";
import { tools } from "./tools.ts";
import { verify } from "./verify.ts";

/** Runs one command line to its exit code. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  io.stdout.on("error", ignoreGoneReader);
  io.stderr.on("error", ignoreGoneReader);
  try {
    return await dispatch(readFlags(argv), io);
  } catch (error) {
    const { text } = redactorFor(environmentSecrets(io.env));
    await write(io.stderr, text(errorText(error)));
    return exitCodeOfError(error);
  }
}

async function dispatch(flags: Flags, io: Io): Promise<number> {
  if (flags.help) return say(io, helpText());
  if (flags.version) return say(io, `${await version()}\n`);
  const command = commandOf(flags, io);
  checkCommand(flags, command);
  const [, ...rest] = flags.words;
  switch (command) {
    case "demo":
      if (flags.words.length > 0) throw usage("--demo takes no words: it has a job of its own");
      return demo(flags, io, await version());
    case "verify":
      return verify(rest, io);
    case "script":
      return script(rest, flags, io);
    case "setup":
      return setup(rest, flags, io);
    case "doctor":
      return doctor(rest, flags, io, await version());
    case "tools":
      return tools(rest, flags, io);
    case "models":
      return models(rest, flags, io);
    case "config":
      return config(rest, flags, io);
    case "session":
      return atTerminal(flags, io, await version());
    case "print":
      return onePrompt(flags, io);
  }
}

function commandOf(flags: Flags, io: Io): CommandName {
  if (flags.demo) return "demo";
  if (flags.print) return "print";
  const [word] = flags.words;
  if (word === undefined) return io.stdin.isTTY && io.stdout.isTTY ? "session" : "print";
  return commandNames.find((name) => name === word && !unnamed.includes(name)) ?? "print";
}

/** They have no word of their own. */
const unnamed: readonly CommandName[] = ["session", "print", "demo"];

async function onePrompt(flags: Flags, io: Io): Promise<number> {
  const piped = await readPipedText(io);
  const prompt = [flags.words.join(" "), piped].filter((part) => part.trim() !== "").join("\n\n");
  if (prompt === "") throw usage(flags.print ? "there is no prompt" : "there is nothing to do", WHAT_TO_DO);
  if (!flags.print && piped.trim() === "") throw unknownCommand(flags.words[0] ?? "");
  return print(prompt, flags, io, await version());
}

/** The interactive session; where no model was chosen, the first screen decides what it is. */
async function atTerminal(flags: Flags, io: Io, version: string): Promise<number> {
  const { fromFlags, interactive, welcome } = await loadTerminalUi();
  const options = fromFlags(flags, io);
  const go = (id: string): Promise<number> =>
    interactive({ ...options, choice: { ...options.choice, profile: id } }, flags, io, version);
  const { profile } = await chooseProfile(flags, io.env);
  checkScript(flags, profile);
  if (profile.provider !== "offline") return go(profile.id);
  switch (await welcome(io)) {
    case "demo":
      return demo({ ...flags, demo: true }, io, version);
    case "setup": {
      const made = await talkThrough(flags, io);
      return made?.ready ? go(made.id) : exitCodes.done;
    }
    case "quit":
      return exitCodes.done;
  }
}

function unknownCommand(word: string): AppError {
  const known = commandNames.filter((name) => !unnamed.includes(name));
  const meant = nearest(word, known);
  const hint = `Commands: ${known.join(", ")}. ${WHAT_TO_DO}`;
  return usage(`unknown command "${word}"${meant === undefined ? "" : `, did you mean "${meant}"?`}`, hint);
}

const WHAT_TO_DO =
  'Ask something with minicode -p "…", or watch minicode --demo --auto. See minicode --help.';

async function say(io: Io, text: string): Promise<number> {
  await write(io.stdout, text);
  return exitCodes.done;
}

async function version(): Promise<string> {
  const text = await readFile(join(packageRoot(), "package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

function errorText(error: unknown): string {
  if (!(error instanceof AppError)) {
    return `minicode: internal error: ${safeLine(messageOf(error))}\n${error instanceof Error ? (error.stack ?? "") : ""}\n`;
  }
  return `minicode: ${safeLine(error.message)}\n${error.hint ? `${safeLine(error.hint)}\n` : ""}`;
}

function ignoreGoneReader(error: Error): void {
  if (!isReaderGone(error)) throw error;
}
