// argv to a command. Every error a user can cause ends here as one line with a hint and an exit code.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { chooseProfile } from "../app.ts";
import { packageRoot } from "../config/package-root.ts";
import { safeLine } from "../policy/safe-text.ts";
import { environmentSecrets, redactorFor } from "../policy/secrets.ts";
import { AppError, messageOf } from "../util/errors.ts";
import { config } from "./config.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { exitCodeOfError, exitCodes } from "./exit-codes.ts";
import { checkCommand, type Flags, readFlags, usage } from "./flags.ts";
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
  if (flags.auto && !flags.demo) throw usage("--auto goes with --demo");
  if (flags.demo) return demo(flags, io, await version());
  const [command, ...rest] = flags.words;
  checkCommand(flags, flags.print ? undefined : command);
  if (command === "verify" && !flags.print) return verify(rest, io);
  if (command === "script" && !flags.print) return script(rest, flags, io);
  if (command === "setup" && !flags.print) return setup(rest, flags, io);
  if (command === "doctor" && !flags.print) return doctor(rest, flags, io, await version());
  if (command === "tools" && !flags.print) return tools(rest, flags, io);
  if (command === "models" && !flags.print) return models(rest, flags, io);
  if (command === "config" && !flags.print) return config(rest, flags, io);
  if (!flags.print && flags.words.length === 0 && io.stdin.isTTY && io.stdout.isTTY) {
    return atTerminal(flags, io, await version());
  }
  const piped = await readPipedText(io);
  const prompt = [flags.words.join(" "), piped].filter((part) => part.trim() !== "").join("\n\n");
  if (prompt === "") throw usage(flags.print ? "there is no prompt" : "there is nothing to do", WHAT_TO_DO);
  if (!flags.print && piped.trim() === "") throw usage(`unknown command "${command}"`, WHAT_TO_DO);
  return print(prompt, flags, io, await version());
}

/** The interactive session; where no model was chosen, the first screen decides what it is. */
async function atTerminal(flags: Flags, io: Io, version: string): Promise<number> {
  const { fromFlags, interactive, welcome } = await loadTerminalUi();
  const options = fromFlags(flags, io);
  const go = (id: string): Promise<number> =>
    interactive({ ...options, choice: { ...options.choice, profile: id } }, flags, io, version);
  const { profile } = await chooseProfile(flags, io.env);
  if (profile.provider !== "offline") return go(profile.id);
  switch (await welcome(io)) {
    case "demo":
      return demo({ ...flags, demo: true }, io, version);
    case "setup": {
      const made = await talkThrough(io);
      return made?.ready ? go(made.id) : exitCodes.done;
    }
    case "quit":
      return exitCodes.done;
  }
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
