// The command line: one table, one pass over argv, unknown flags named with their nearest neighbour (TH65).
import { parseArgs } from "node:util";
import * as z from "zod";
import { type Approval, approvals } from "../agent/gate.ts";
import type { Settings } from "../config/settings.ts";
import { permissionModeSchema } from "../policy/rules.ts";
import { type Mode, modeSchema } from "../protocol/record.ts";
import type { SessionChoice } from "../record/session.ts";
import { AppError } from "../util/errors.ts";
import { issueWords } from "../util/issue-words.ts";
import { nearest } from "../util/nearest.ts";

/** What a command line asks for: work at the terminal, one prompt, or a command of that name. */
export const commandNames = [
  "session",
  "print",
  "demo",
  "setup",
  "doctor",
  "models",
  "tools",
  "config",
  "verify",
  "script",
] as const;
export type CommandName = (typeof commandNames)[number];

interface FlagRow {
  name: string;
  short?: string;
  /** What the value is called in the help; absent for a switch. */
  value?: string;
  /** The commands that heed it; another one refuses it. */
  only: readonly CommandName[];
  help: string;
}

const work = ["session", "print"] as const;
/** They tell what a setting comes to, flags included. */
const telling = ["doctor", "config"] as const;

export const flagTable: readonly FlagRow[] = [
  {
    name: "print",
    short: "p",
    only: ["print"],
    help: "answer one prompt and exit; piped text is appended to it",
  },
  { name: "workspace", value: "DIR", only: work, help: "the folder to work in (default: this one)" },
  {
    name: "mode",
    value: "MODE",
    only: work,
    help: "read (default), propose (show patches, write none) or edit",
  },
  { name: "guided", only: work, help: "with --mode edit: a plan first, then every patch and run is asked" },
  {
    name: "permissions",
    value: "MODE",
    only: [...work, ...telling],
    help: "what free work lets through: ask, auto-read (default) or trusted",
  },
  {
    name: "offline",
    only: [...work, ...telling, "models", "setup"],
    help: "nothing leaves this machine: no pages, no network commands, only models on it",
  },
  {
    name: "sandbox",
    value: "WHEN",
    only: [...work, ...telling],
    help: "confine approved programs: auto (default), require or off",
  },
  { name: "allow-shell", only: work, help: "in guided work: whole command lines too, each of them asked" },
  {
    name: "yes",
    value: "LIST",
    only: ["print"],
    help: "words given in advance, any of plan,apply,run (run: checks only)",
  },
  {
    name: "profile",
    value: "ID",
    only: [...work, ...telling, "models", "setup"],
    help: "the model to use (default: offline)",
  },
  { name: "script", value: "FILE", only: work, help: "with --profile scripted: the script to play" },
  { name: "output-format", value: "FORMAT", only: ["print"], help: "text (default), json or stream-json" },
  {
    name: "max-steps",
    value: "N",
    only: [...work, ...telling],
    help: "model requests per task (default: 50)",
  },
  {
    name: "max-cost",
    value: "USD",
    only: [...work, ...telling],
    help: "US dollars per task, for profiles with pricing",
  },
  {
    name: "timeout",
    value: "SECONDS",
    only: work,
    help: "time per task; it stands still while a question waits",
  },
  { name: "continue", short: "c", only: work, help: "go on with the latest session of this folder" },
  {
    name: "resume",
    value: "ID",
    only: work,
    help: "go on with that session (the beginning of its id will do)",
  },
  { name: "online", only: ["doctor"], help: "with doctor: ask the model one small thing, for a few tokens" },
  {
    name: "json",
    only: ["doctor", "models", "config", "tools"],
    help: "with doctor, models, config and tools: JSON for a script",
  },
  {
    name: "out",
    value: "FILE",
    only: ["script"],
    help: "with script: the new file to write (default: stdout)",
  },
  { name: "base-url", value: "URL", only: ["setup"], help: "with setup: the server's base URL" },
  { name: "model", value: "NAME", only: ["setup"], help: "with setup: the model's name" },
  { name: "key-env", value: "NAME", only: ["setup"], help: "with setup: the variable that holds the key" },
  { name: "demo", only: ["demo"], help: "a small broken project, mended before your eyes, without a model" },
  { name: "auto", only: ["demo"], help: "with --demo: the words are given for you" },
  { name: "help", short: "h", only: commandNames, help: "show this" },
  { name: "version", short: "V", only: commandNames, help: "show the version" },
];

const positive = z.coerce.number().positive();

const flagsSchema = z.strictObject({
  print: z.boolean().default(false),
  workspace: z.string().min(1).optional(),
  mode: modeSchema.optional(),
  guided: z.boolean().default(false),
  permissions: permissionModeSchema.optional(),
  offline: z.boolean().default(false),
  sandbox: z.enum(["auto", "require", "off"]).optional(),
  "allow-shell": z.boolean().default(false),
  yes: z
    .string()
    .transform((list, ctx): Approval[] => {
      const words = list
        .split(",")
        .map((w) => w.trim())
        .filter((w) => w !== "");
      if (words.length === 0)
        ctx.addIssue({ code: "custom", message: `give any of ${approvals.join(", ")}` });
      return words.flatMap((word) => {
        const known = approvals.find((a) => a === word);
        if (!known) ctx.addIssue({ code: "custom", message: `"${word}" is none of ${approvals.join(", ")}` });
        return known ? [known] : [];
      });
    })
    .optional(),
  profile: z.string().min(1).optional(),
  script: z.string().min(1).optional(),
  "output-format": z.enum(["text", "json", "stream-json"]).default("text"),
  "max-steps": positive.int().optional(),
  "max-cost": positive.optional(),
  timeout: positive.optional(),
  continue: z.boolean().default(false),
  resume: z.string().min(1).optional(),
  online: z.boolean().default(false),
  json: z.boolean().default(false),
  out: z.string().min(1).optional(),
  "base-url": z.string().min(1).optional(),
  model: z.string().min(1).optional(),
  "key-env": z.string().min(1).optional(),
  demo: z.boolean().default(false),
  auto: z.boolean().default(false),
  help: z.boolean().default(false),
  version: z.boolean().default(false),
});

export type Flags = z.infer<typeof flagsSchema> & {
  /** Words that are no flags: a command, or the prompt. */
  words: string[];
  /** The names of the flags that were written. */
  given: ReadonlySet<string>;
};

/** Reads argv (without node and script). Throws `E_USAGE` with a hint for anything it does not know. */
export function readFlags(argv: readonly string[]): Flags {
  const options = Object.fromEntries(
    flagTable.map(({ name, short, value }) => [
      name,
      { type: value ? ("string" as const) : ("boolean" as const), ...(short ? { short } : {}) },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given: Record<string, string | boolean> = {};
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const row = flagTable.find((r) => r.name === token.name);
    if (!row) throw unknownFlag(token.rawName);
    if (!row.value && token.value !== undefined) throw usage(`${token.rawName} takes no value`);
    if (row.value && token.value === undefined)
      throw usage(`${token.rawName} needs a value: ${token.rawName} ${row.value}`);
    if (row.value && !token.inlineValue && token.value?.startsWith("-")) {
      throw usage(
        `${token.rawName} needs a value; to give one that begins with "-", write --${row.name}=${token.value}`,
      );
    }
    given[row.name] = token.value ?? true;
  }
  const parsed = flagsSchema.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `--${issue.path.join(".")}: ${issueWords(issue)}`);
    throw usage(faults.join("; "));
  }
  return { ...parsed.data, words, given: new Set(Object.keys(given)) };
}

/** The mode the flags ask for. Throws `E_USAGE` for flags that do not go together. */
export function checkedMode(flags: Flags): Mode {
  const mode = flags.mode ?? "read";
  if (flags.guided && mode !== "edit") throw usage("--guided needs --mode edit");
  if (flags.permissions !== undefined && flags.guided)
    throw usage("--permissions goes without --guided: guided work asks for everything");
  if (flags["allow-shell"] && flags.print && !flags.guided)
    throw usage("--allow-shell goes with --guided: other sessions have the shell");
  if (flags.continue && flags.resume !== undefined) throw usage("give either --continue or --resume");
  return mode;
}

/** Throws `E_USAGE` for a script that the chosen profile would not play. */
export function checkScript(flags: Flags, profile: { id: string; provider: string }): void {
  if (flags.script !== undefined && profile.provider !== "scripted")
    throw usage(`--script needs --profile scripted; the profile is ${profile.id}`);
}

/** Throws `E_USAGE` for a flag that the command does not heed. */
export function checkCommand(flags: Flags, command: CommandName): void {
  for (const { name, only } of flagTable) {
    if (!flags.given.has(name) || only.includes(command)) continue;
    throw usage(`--${name} goes with ${only.map(spoken).join(", ")}`);
  }
}

function spoken(command: CommandName): string {
  switch (command) {
    case "session":
      return "minicode at a terminal";
    case "print":
      return "minicode -p";
    case "demo":
      return "minicode --demo";
    default:
      return `minicode ${command}`;
  }
}

/** The settings that flags give: they beat the environment and the file. */
export function flagSettings(flags: Flags): Settings {
  return {
    profile: flags.profile,
    maxSteps: flags["max-steps"],
    maxCostUsd: flags["max-cost"],
    ...(flags.offline ? { offline: true } : {}),
    sandbox: flags.sandbox,
    permissions: { mode: flags.permissions },
  };
}

export function sessionChoice(flags: Flags): SessionChoice {
  if (flags.resume !== undefined) return { kind: "resume", id: flags.resume };
  return flags.continue ? { kind: "latest" } : { kind: "new" };
}

function unknownFlag(raw: string): AppError {
  const names = flagTable.map((r) => `--${r.name}`);
  const close = nearest(raw, names);
  const hint = close
    ? `Did you mean ${close}?`
    : 'See minicode --help. Text that begins with "-" goes after a separate --.';
  return usage(`unknown option ${raw}`, hint);
}

export function usage(message: string, hint = "See minicode --help."): AppError {
  return new AppError("E_USAGE", message, { hint });
}
