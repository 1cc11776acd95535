// `minicode config`: every setting with its value and who said so, and changes to the user's settings.json. Keys are never kept.
import { join } from "node:path";
import { setSetting, unsetSetting } from "../config/edit-settings.ts";
import { type Folders, folders } from "../config/folders.ts";
import { type ResolvedSetting, settingsInForce } from "../config/resolve-settings.ts";
import { settingKey } from "../config/setting-keys.ts";
import { settingsFile } from "../config/settings.ts";
import { safeLine } from "../policy/safe-text.ts";
import { nearest } from "../util/nearest.ts";
import { rowsToText } from "../view/plain.ts";
import { type Row, span } from "../view/row.ts";
import { exitCodes } from "./exit-codes.ts";
import { type Flags, flagSettings, usage } from "./flags.ts";
import { type Io, wantsColor, write } from "./io.ts";

type Action = (words: readonly string[], flags: Flags, places: Folders, io: Io) => Promise<string>;

const actions: ReadonlyMap<string, Action> = new Map(Object.entries({ list, get, set, unset, path }));

export async function config(words: readonly string[], flags: Flags, io: Io): Promise<number> {
  const [name = "list", ...rest] = words;
  const action = actions.get(name);
  if (action === undefined) {
    const meant = nearest(name, actions.keys());
    const hint = meant === undefined ? USE : `Did you mean minicode config ${meant}?`;
    throw usage(`config cannot "${name}"`, hint);
  }
  await write(io.stdout, `${await action(rest, flags, folders(io.env, process.platform), io)}\n`);
  return exitCodes.done;
}

const USE =
  "It goes: minicode config list, get KEY, set KEY VALUE, unset KEY or path; --json with all but set and unset.";

async function list(words: readonly string[], flags: Flags, places: Folders, io: Io): Promise<string> {
  expectWords("list", words, []);
  const { each } = await settingsInForce(places, io.env, flagSettings(flags));
  if (flags.json) {
    return JSON.stringify(
      each.map(({ key, value = null, origin, variable }) => ({ key, value, origin, variable })),
    );
  }
  const rows = each.map((setting) => settingRow(setting, columnsOf(each), settingsFile(places)));
  return rowsToText(rows, { color: wantsColor(io.stdout, io.env) });
}

async function get(words: readonly string[], flags: Flags, places: Folders, io: Io): Promise<string> {
  const [key = ""] = expectWords("get", words, ["KEY"]);
  settingKey(key);
  const { each } = await settingsInForce(places, io.env, flagSettings(flags));
  const { value } = each.find((setting) => setting.key === key) ?? {};
  return flags.json ? JSON.stringify(value ?? null) : textOf(value);
}

async function set(words: readonly string[], flags: Flags, places: Folders, io: Io): Promise<string> {
  const [key = "", text = ""] = expectWords("set", words, ["KEY", "VALUE"]);
  if (flags.json) throw usage("config set takes no --json", USE);
  const setting = settingKey(key);
  const file = await setSetting(places, setting, text);
  return `${key} is ${safeLine(text)} from now on (${safeLine(file)})${beaten(setting.variable, io.env)}`;
}

async function unset(words: readonly string[], flags: Flags, places: Folders, io: Io): Promise<string> {
  const [key = ""] = expectWords("unset", words, ["KEY"]);
  if (flags.json) throw usage("config unset takes no --json", USE);
  const setting = settingKey(key);
  const file = await unsetSetting(places, setting);
  if (file === null) return `${key} is not set in ${safeLine(settingsFile(places))}`;
  return `${key} is no longer set (${safeLine(file)})${beaten(setting.variable, io.env)}`;
}

async function path(words: readonly string[], flags: Flags, places: Folders): Promise<string> {
  expectWords("path", words, []);
  const paths = {
    settings: settingsFile(places),
    profiles: join(places.config, "profiles"),
    sessions: join(places.data, "sessions"),
  };
  if (flags.json) return JSON.stringify(paths);
  return Object.entries(paths)
    .map(([name, place]) => `${name}  ${safeLine(place)}`)
    .join("\n");
}

/** What a change in the file does not reach while the variable is set. */
function beaten(variable: string, env: NodeJS.ProcessEnv): string {
  return (env[variable] ?? "").trim() === "" ? "" : `; now ${variable} beats it`;
}

function expectWords(action: string, words: readonly string[], names: readonly string[]): readonly string[] {
  if (words.length === names.length) return words;
  const wanted = names.length === 0 ? "no words" : names.join(" and one ");
  throw usage(
    `config ${action} takes ${wanted}`,
    words.length > names.length ? `Quote a value with blanks in it. ${USE}` : USE,
  );
}

function columnsOf(each: readonly ResolvedSetting[]): [key: number, value: number] {
  const longest = (texts: string[]): number => Math.max(...texts.map((text) => text.length));
  const short = each.map(({ value }) => shown(value)).filter((text) => text.length <= LONG_VALUE);
  return [longest(each.map(({ key }) => key)), longest(short)];
}

/** Longer values do not widen the column. */
const LONG_VALUE = 32;

function settingRow(
  { key, value, origin, variable }: ResolvedSetting,
  [keyColumn, valueColumn]: [number, number],
  file: string,
): Row {
  const from = {
    flag: "flag",
    environment: `environment (${variable})`,
    user: `user (${file})`,
    default: "default",
  };
  const style = origin === "default" ? "dim" : "code";
  return [
    span(`${key.padEnd(keyColumn)}  `),
    span(`${shown(value).padEnd(valueColumn)}  `, style),
    span(safeLine(from[origin]), "dim"),
  ];
}

function shown(value: unknown): string {
  return value === undefined ? "(not set)" : safeLine(textOf(value));
}

/** Nothing for a value that is not there. */
function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
